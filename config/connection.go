package config

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Connection is what a client.properties file says, in neutral terms. It can
// be printed: it shows no password and no private key.
type Connection struct {
	// Bootstrap is bootstrap.servers as it stands, trimmed; see Addresses. It
	// may be empty.
	Bootstrap string
	// Protocol is PLAINTEXT (the default), SSL, SASL_PLAINTEXT or SASL_SSL.
	Protocol string
	// Mechanism is PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER or GSSAPI;
	// empty when Protocol has no SASL.
	Mechanism string
	// User is the name to sign in with by PLAIN or SCRAM, a token's id with
	// TokenAuth. It is empty with the other mechanisms.
	User string
	// Password goes with User and is not empty unless Prompt asks for it; with
	// TokenAuth it is the HMAC in base64.
	Password *Secret
	// Prompt says what a person must be asked for before a sign-in, such as
	// "password of alice at prod-eu"; SetPassword takes the answer. It is
	// empty when nothing must be asked.
	Prompt string
	// TokenAuth asks for a sign-in with a delegation token. SCRAM only.
	TokenAuth bool
	// OAuth is set with OAUTHBEARER alone.
	OAuth *OAuth
	// Kerberos is set with GSSAPI alone.
	Kerberos *Kerberos
	// TLS is ready for SSL and SASL_SSL but for the server name, which the
	// dialler sets to the host it dials; nil with the other protocols. Where
	// the file switches the host name check off, the chain is still checked.
	TLS *tls.Config
	// ClientCertificate says that TLS holds a certificate to present.
	ClientCertificate bool
	// ClientID is client.id, empty when not set.
	ClientID string
	// RequestTimeout is request.timeout.ms, 0 when not set.
	RequestTimeout time.Duration
	// ConnectTimeout is socket.connection.setup.timeout.ms, 0 when not set.
	ConnectTimeout time.Duration
	// ChangeTimeout bounds a change, 0 when not set; only an environment sets it.
	ChangeTimeout time.Duration
	// Settings are the names of the settings that came into force, sorted.
	Settings []string
	// Notes are what was accepted and should be known: one sentence each,
	// with file and line, never with a value.
	Notes []string
}

// maxFile bounds what is read: a properties file with PEM material inside has
// some kilobytes, and a mistaken path can be a device that never ends.
const maxFile = 4 << 20

// ReadProperties reads a client.properties file with the meaning that Kafka's
// tools give it behind --command-config. The path may begin with "~/" and may
// be a pipe. Every error is an
// *Error; one of a missing file wraps fs.ErrNotExist.
func ReadProperties(path string) (*Connection, error) {
	s, err := readSettings(path)
	if err != nil {
		return nil, err
	}
	defer s.wipe()
	return s.connection()
}

// readSettings reads and sorts the keys of a properties file.
func readSettings(path string) (*settings, error) {
	path = expandHome(path)
	data, mode, err := readFile(path)
	if err != nil {
		return nil, err
	}
	defer clear(data)
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) || bytes.IndexByte(data, 0) >= 0 {
		return nil, &Error{File: path, Problem: "is not a text file in ISO-8859-1 or ASCII, as Kafka needs it (UTF-16?)"}
	}
	props, err := parseProperties(data)
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		return nil, &Error{File: path, Line: syntax.line, Problem: syntax.problem}
	}
	s, err := sortSettings(path, props)
	if err != nil {
		wipeProperties(props)
		return nil, err
	}
	if s.holdsPassword() && readableByOthers(mode) {
		s.note(place{}, "holds a password and can be read by others (mode %04o): chmod 600 it", mode.Perm())
	}
	return s, nil
}

// connection gives the settings their meaning, the most telling fault first: a
// mechanism that dtok lacks explains the classes around it.
func (s *settings) connection() (*Connection, error) {
	login, err := s.readLogin()
	if err != nil {
		return nil, err
	}
	defer login.wipe()
	if err := s.refuse(); err != nil {
		return nil, err
	}
	c := &Connection{Bootstrap: s.text("bootstrap.servers"), ClientID: s.text("client.id")}
	if c.Protocol, err = s.protocol(); err != nil {
		return nil, err
	}
	if c.RequestTimeout, err = s.milliseconds("request.timeout.ms", math.MaxInt32); err != nil {
		return nil, err
	}
	if c.ConnectTimeout, err = s.milliseconds("socket.connection.setup.timeout.ms", maxMilliseconds); err != nil {
		return nil, err
	}
	if strings.HasPrefix(c.Protocol, "SASL_") {
		if err := s.signIn(c, login); err != nil {
			return nil, err
		}
	} else if s.has("sasl.jaas.config") || s.has("sasl.username") || s.has("sasl.mechanism") {
		s.note(s.values["security.protocol"].place, "security.protocol is %s, so the sasl settings are not used", c.Protocol)
	}
	if strings.HasSuffix(c.Protocol, "SSL") {
		if c.TLS, err = s.tlsConfig(); err != nil {
			return nil, err
		}
		c.ClientCertificate = len(c.TLS.Certificates) > 0
	} else if s.hasTLS() {
		s.note(s.values["security.protocol"].place, "security.protocol is %s, so the ssl settings are not used", c.Protocol)
	}
	c.Settings, c.Notes = s.inForce(c), s.notes
	return c, nil
}

// inForce are the names, in Kafka's spelling, of what the connection is made
// of. They are names that dtok knows: an unknown one can be a piece of a value.
func (s *settings) inForce(c *Connection) []string {
	var names []string
	for key := range s.values {
		rule := ruleOf(key)
		own := key == ownUser || key == ownPassword
		switch {
		case rule.treatment != honoured && !own,
			strings.HasPrefix(key, "sasl.") && c.Mechanism == "",
			strings.HasPrefix(key, "sasl.oauthbearer.") && c.OAuth == nil,
			strings.HasPrefix(key, "sasl.kerberos.") && c.Kerberos == nil,
			(strings.HasPrefix(key, "ssl.") || key == "enable.ssl.certificate.verification") && c.TLS == nil:
		default:
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}

func (s *settings) protocol() (string, error) {
	if !s.has("security.protocol") {
		return "PLAINTEXT", nil
	}
	switch p := strings.ToUpper(s.text("security.protocol")); p {
	case "PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL":
		return p, nil
	}
	return "", s.failKey("security.protocol", "must be PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL")
}

// maxMilliseconds is the longest time.Duration.
const maxMilliseconds = int64(math.MaxInt64 / time.Millisecond)

// milliseconds reads a time; Kafka allows 0, which means at once and is of no
// use to a person, so it is refused.
func (s *settings) milliseconds(key string, most int64) (time.Duration, error) {
	if !s.has(key) {
		return 0, nil
	}
	n, err := strconv.ParseInt(s.text(key), 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, s.failKey(key, "must be a whole number of milliseconds from 1 to %d", most)
	}
	return time.Duration(n) * time.Millisecond, nil
}

func (s *settings) hasTLS() bool {
	for key := range s.values {
		if strings.HasPrefix(key, "ssl.") && ruleOf(key).treatment == honoured {
			return true
		}
	}
	return false
}

// holdsPassword reports whether the file itself is a secret.
func (s *settings) holdsPassword() bool {
	for _, key := range []string{"sasl.jaas.config", "sasl.password", clientSecret, "ssl.key.password", "ssl.keystore.password",
		"ssl.keystore.key", "ssl.truststore.password", "basic.auth.user.info"} {
		if len(s.values[key].value) > 0 {
			return true
		}
	}
	return false
}

// readableByOthers leaves the group out: a file shared within a team is meant
// to be. Windows has no such modes.
func readableByOthers(mode fs.FileMode) bool {
	return runtime.GOOS != "windows" && mode.IsRegular() && mode.Perm()&0o004 != 0
}

// expandHome resolves a leading "~/". Without a home directory the path stays,
// and opening it says what is wrong.
func expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}

// readFile reads a whole file. Its errors show the absolute path.
func readFile(path string) ([]byte, fs.FileMode, error) {
	fail := func(err error, problem string) ([]byte, fs.FileMode, error) {
		if abs, e := filepath.Abs(path); e == nil {
			path = abs
		}
		return nil, 0, &Error{File: path, Problem: problem, cause: err}
	}
	if path == "" {
		return nil, 0, &Error{File: `""`, Problem: "the path of the file is empty"}
	}
	f, err := os.Open(path)
	if err != nil {
		return fail(err, reason(err))
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return fail(err, reason(err))
	}
	if info.IsDir() {
		return fail(nil, "is a directory")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		clear(data)
		return fail(err, reason(err))
	}
	if len(data) > maxFile {
		clear(data)
		return fail(nil, fmt.Sprintf("is larger than %d MiB", maxFile>>20))
	}
	return data, info.Mode(), nil
}

// reason is the cause without the operation and the path, which are shown
// already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
