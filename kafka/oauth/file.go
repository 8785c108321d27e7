package oauth

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"dtok/kafka"
)

// File is a file that holds one token and nothing else but white space around
// it. It is read for each sign-in, so that whoever renews the token only has to
// write the file (Kafka's file:// token endpoint works in the same way).
type File struct{ Path string }

// maxToken is more than any token that fits into a request to Kafka's usual
// limits, in bytes. A wrong path can be a file of any size, or a device.
const maxToken = 256 << 10

// BearerToken reads the file.
func (f File) BearerToken(ctx context.Context) (*kafka.Secret, error) {
	read := make(chan struct{})
	var token *kafka.Secret
	var err error
	go func() {
		defer close(read)
		token, err = f.read()
	}()
	select {
	case <-read:
		return token, err
	case <-ctx.Done():
		// A pipe that nobody writes to. The reading ends when somebody does.
		return nil, &Error{problem: "reading the token file " + f.Path + " took too long: is it a pipe that nobody writes to?", cause: ctx.Err()}
	}
}

func (f File) read() (*kafka.Secret, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, f.failed(err)
	}
	defer func() { _ = file.Close() }()
	all, err := io.ReadAll(io.LimitReader(file, maxToken+1))
	defer clear(all)
	if err != nil {
		return nil, f.failed(err)
	}
	token := bytes.TrimSpace(all)
	switch {
	case len(all) > maxToken:
		return nil, &Error{problem: "the token file " + f.Path + " is too large to hold a token"}
	case len(token) == 0:
		return nil, &Error{problem: "the token file " + f.Path + " is empty", hint: "Something else has to write the token there; look whether it runs."}
	case bytes.ContainsAny(token, " \t\r\n{<"):
		return nil, &Error{problem: "the token file " + f.Path + " holds more than a token", hint: "It has to hold the bare token, not JSON around it, and only one."}
	}
	return kafka.NewSecret(bytes.Clone(token)), nil
}

func (f File) failed(err error) error {
	reason := "cannot be read"
	var cause *fs.PathError
	if errors.As(err, &cause) {
		reason += ": " + cause.Err.Error()
	}
	return &Error{problem: "the token file " + f.Path + " " + reason, hint: "Check the path and the rights of the file.", cause: err}
}
