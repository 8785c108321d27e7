package kerberos

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jcmturner/gokrb5/v8/client"
	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/credentials"
	"github.com/jcmturner/gokrb5/v8/keytab"
)

const kinit = "Get a ticket with kinit."

// fromCache takes the tickets of a cache, of which the principal's own has to
// be there and valid.
func (l Login) fromCache(conf *config.Config, set func(*client.Settings)) (*client.Client, error) {
	cache, err := readCache(l.Cache)
	if err != nil {
		return nil, err
	}
	owner := cache.GetClientCredentials()
	has := owner.UserName() + "@" + owner.Domain()
	if name, realm := split(l.Principal, conf.LibDefaults.DefaultRealm); name != "" && has != name+"@"+realm {
		return nil, &Error{
			problem: fmt.Sprintf("the ticket cache %s is that of %s, not of %s@%s", l.Cache, has, name, realm),
			hint:    "Get a ticket with kinit " + l.Principal + ", or leave the principal away.",
		}
	}
	entries := cache.GetEntries()
	own := slices.IndexFunc(entries, func(c *credentials.Credential) bool {
		return c.Server.PrincipalName.PrincipalNameString() == "krbtgt/"+owner.Domain()
	})
	if own < 0 {
		return nil, &Error{problem: "the ticket cache " + l.Cache + " has no ticket for the realm " + owner.Domain(), hint: kinit}
	}
	if end := entries[own].EndTime; !time.Now().Before(end) {
		return nil, &Error{problem: "the ticket of " + has + " in the cache " + l.Cache + " expired at " + end.UTC().Format(time.RFC3339), hint: kinit}
	}
	c, err := client.NewFromCCache(cache, conf, set)
	if err != nil {
		return nil, &Error{problem: "the tickets in the cache " + l.Cache + " are damaged", hint: kinit}
	}
	return c, nil
}

func readCache(path string) (*credentials.CCache, error) {
	data, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{problem: "there is no ticket cache at " + path, hint: kinit, cause: err}
	case err != nil:
		return nil, &Error{problem: "the ticket cache " + path + " cannot be read: " + cause(err), cause: err}
	}
	defer clear(data)
	cache := new(credentials.CCache)
	if !parsed(func() error { return cache.Unmarshal(data) }) {
		return nil, &Error{problem: path + " is no ticket cache, or is damaged", hint: kinit}
	}
	return cache, nil
}

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
	f, err := os.Open(path) //nolint:gosec // the user's own settings name it
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	// gokrb5 would otherwise read on in what lies behind.
	return slices.Clip(data), err
}
