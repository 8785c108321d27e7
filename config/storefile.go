package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// storeFile reads the file that a location names. Its format is that of its
// content: as in Java, where JKS and PKCS12 each stand for both.
func (s *settings) storeFile(key, store string) ([]byte, format, error) {
	path := expandHome(s.text(key))
	data, mode, err := readFile(path)
	if err != nil {
		return nil, 0, s.failKey(key, "%v%s", err, s.besides(path))
	}
	f := sniff(data)
	if err := s.checkType(key, store, path, f); err != nil {
		clear(data)
		return nil, 0, err
	}
	if store == keyStore && readableByOthers(mode) && bytes.Contains(data, []byte("PRIVATE KEY-----")) {
		s.noteKey(key, "is a private key that can be read by others (mode %04o): chmod 600 it", mode.Perm())
	}
	return data, f, nil
}

// checkType holds the type, JKS when not given, against the content.
func (s *settings) checkType(key, store, path string, f format) error {
	// The words of librdkafka name PEM files without any type.
	if key != store+".location" {
		switch f {
		case formatPEM:
			return nil
		case formatJKS, formatPKCS12:
			return s.failKey(key, "is a %s store, where librdkafka has a PEM file: give it as %s.location", f, store)
		}
		return s.failKey(key, "%s", convert(f, path, store))
	}
	kind := "JKS"
	if s.has(store + ".type") {
		kind = s.text(store + ".type")
	}
	java := strings.EqualFold(kind, "JKS") || strings.EqualFold(kind, "PKCS12")
	switch {
	case f == formatPEM && kind == "PEM":
		return s.checkNoPassword(store)
	case f == formatPEM && strings.EqualFold(kind, "PEM"):
		return s.failKey(store+".type", "must be written in capitals: PEM")
	case f == formatPEM:
		return s.failKey(key, "is a PEM file: set %s.type=PEM (without it Kafka takes the type JKS)", store)
	case f != formatJKS && f != formatPKCS12:
		return s.failKey(key, "%s", convert(f, path, store))
	case strings.EqualFold(kind, "PEM"):
		return s.failKey(key, "is a %s store, but %s.type is PEM: remove the type", f, store)
	case !java:
		return s.failKey(store+".type", "must be JKS, PKCS12 or PEM, which are what dtok reads; the file is a %s store", f)
	}
	return nil
}

// besides hints at why a file is not found: a Windows path whose backslashes
// the properties format has taken, or a relative path that was meant from the
// folder of the properties file.
func (s *settings) besides(path string) string {
	drive := len(path) > 2 && path[1] == ':' && path[2] != '/' && path[2] != '\\'
	if drive || strings.ContainsAny(path, "\t\n\r\f") {
		return ` (in a properties file a backslash in a path is written \\, or use /)`
	}
	if path == "" || filepath.IsAbs(path) {
		return ""
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(s.file), path)); err != nil {
		return ""
	}
	return fmt.Sprintf(" (there is one beside %s, but relative paths start at the working directory)", s.file)
}
