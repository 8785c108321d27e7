package config

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed example.yaml
var example string

//go:embed schema.json
var schema string

// Example is a config file to begin with, with every key explained in
// comments. It can be loaded as it stands.
func Example() string { return example }

// Schema describes a config file in JSON Schema (draft 2020-12), for editors.
func Schema() string { return schema }

// SchemaName is the file beside config.yaml that Example's first line names.
const SchemaName = "config.schema.json"

// WriteExample writes Example to path, and Schema beside it, readable for the
// user alone, and makes the folder where there is none. It never writes over a
// file: when path exists, the error wraps fs.ErrExist. It returns the files it
// has written.
func WriteExample(path string) ([]string, error) {
	path = expandHome(path)
	fail := func(path string, err error) error {
		if abs, e := filepath.Abs(path); e == nil {
			path = abs
		}
		text := reason(err)
		if errors.Is(err, fs.ErrExist) {
			text = "exists already and is left as it is"
		}
		return &Error{File: path, Problem: text, cause: err}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fail(filepath.Dir(path), err)
	}
	if err := writeNew(path, example); err != nil {
		return nil, fail(path, err)
	}
	beside := filepath.Join(filepath.Dir(path), SchemaName)
	err := writeNew(beside, schema)
	if errors.Is(err, fs.ErrExist) {
		return []string{path}, nil
	}
	if err != nil {
		return []string{path}, fail(beside, err)
	}
	return []string{path, beside}, nil
}

// writeNew makes a file that was not there; not even a link may be.
func writeNew(path, content string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
