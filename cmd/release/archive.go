package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// sums is the file with the checksums of all others.
const sums = "SHA256SUMS"

// name is the beginning of the names of a platform's files.
func (b *build) name(p platform) string { return "dtok_" + b.version + "_" + p.String() }

// entry is one file of an archive.
type entry struct {
	name, path string
	mode       int64
}

// archive packs the program of a platform with its documents: zip for Windows,
// tar.gz elsewhere.
func (b *build) archive(p platform) error {
	entries := []entry{{p.program(), b.binary(p), 0o755}}
	for _, name := range slices.Sorted(maps.Keys(b.docs)) {
		entries = append(entries, entry{name, b.docs[name], 0o644})
	}
	top := b.name(p) + "/"
	for i := range entries {
		entries[i].name = top + entries[i].name
	}
	pack, suffix := tarGz, ".tar.gz"
	if p.os == "windows" {
		pack, suffix = zipped, ".zip"
	}
	f, err := os.Create(filepath.Join(b.out, b.name(p)+suffix))
	if err != nil {
		return err
	}
	return errors.Join(pack(f, entries, b.time), f.Close())
}

// tarGz writes entries with one time and nobody as their owner.
func tarGz(w io.Writer, entries []entry, at time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, e := range entries {
		text, err := os.ReadFile(e.path)
		if err != nil {
			return err
		}
		head := tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(text)), Mode: e.mode, ModTime: at, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(&head); err != nil {
			return err
		}
		if _, err := archive.Write(text); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

func zipped(w io.Writer, entries []entry, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, e := range entries {
		text, err := os.ReadFile(e.path)
		if err != nil {
			return err
		}
		head := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		head.SetMode(os.FileMode(e.mode))
		f, err := archive.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			return err
		}
	}
	return archive.Close()
}

// checksums writes the file that sha256sum -c reads.
func (b *build) checksums() error {
	files, err := os.ReadDir(b.out)
	if err != nil {
		return err
	}
	text := ""
	for _, f := range files { // in the order of their names
		content, err := os.ReadFile(filepath.Join(b.out, f.Name()))
		if err != nil {
			return err
		}
		text += fmt.Sprintf("%x  %s\n", sha256.Sum256(content), f.Name())
	}
	return os.WriteFile(filepath.Join(b.out, sums), []byte(text), 0o644)
}
