package kerberos

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/jcmturner/gokrb5/v8/keytab"
)

// readKeytab reads a keytab and checks that it is the principal's. gokrb5's
// texts about a damaged keytab quote it whole, keys included.
func readKeytab(path, name, realm string) (*keytab.Keytab, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, &Error{problem: "the keytab " + path + " cannot be read: " + cause(err), hint: "Check the path and the rights of the file.", cause: err}
	}
	defer clear(data)
	keys := keytab.New()
	if !parsed(func() error { return keys.Unmarshal(data) }) {
		return nil, &Error{problem: path + " is no keytab, or is damaged"}
	}
	var others []string
	for _, entry := range keys.Entries {
		has := strings.Join(entry.Principal.Components, "/") + "@" + entry.Principal.Realm
		if has == name+"@"+realm {
			return keys, nil
		}
		if !slices.Contains(others, has) {
			others = append(others, has)
		}
	}
	e := &Error{problem: fmt.Sprintf("the keytab %s has no key of %s@%s", path, name, realm)}
	if len(others) > 0 {
		e.hint = "It has keys of " + strings.Join(others[:min(len(others), 5)], ", ") + "."
	}
	return nil, e
}

// parsed runs a parser of gokrb5, which panics on some damaged files.
func parsed(parse func() error) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return parse() == nil
}

// maxFile is more than any keytab or ticket cache has, in bytes.
const maxFile = 4 << 20

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	// gokrb5 would otherwise read on in what lies behind.
	return slices.Clip(data), err
}
