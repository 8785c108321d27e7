package kerberos

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/jcmturner/gokrb5/v8/client"
	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/credentials"
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
	if !wholeCache(data) || !parsed(func() error { return cache.Unmarshal(data) }) {
		return nil, &Error{problem: path + " is no ticket cache, or is damaged", hint: kinit}
	}
	return cache, nil
}

// wholeCache walks through a ticket cache of version 4, the only one in use
// since 1998, and reports whether every length in it fits. gokrb5 allocates
// what a damaged file tells it to, which can be more than there is.
// https://web.mit.edu/kerberos/krb5-latest/doc/formats/ccache_file_format.html
func wholeCache(data []byte) bool {
	if len(data) < 4 || data[0] != 5 || data[1] != 4 {
		return false
	}
	w := walker{rest: data[2:]}
	w.skip(uint32(w.short())) // the header
	w.principal()
	for !w.broken && len(w.rest) > 0 {
		w.principal() // the client
		w.principal() // the server
		w.skip(2)
		w.skip(w.long())          // the key
		w.skip(4*4 + 1 + 4)       // times, one flag, flags
		for range [2]struct{}{} { // addresses and authorization data
			for n := w.long(); n > 0 && !w.broken; n-- {
				w.skip(2)
				w.skip(w.long())
			}
		}
		w.skip(w.long()) // the ticket
		w.skip(w.long()) // a second one
	}
	return !w.broken
}

// walker goes forward in a file; broken is set when it ends too early.
type walker struct {
	rest   []byte
	broken bool
}

func (w *walker) skip(n uint32) {
	if uint64(n) > uint64(len(w.rest)) {
		w.broken, w.rest = true, nil
		return
	}
	w.rest = w.rest[n:]
}

func (w *walker) short() (n uint16) {
	if len(w.rest) >= 2 {
		n = binary.BigEndian.Uint16(w.rest)
	}
	w.skip(2)
	return n
}

func (w *walker) long() (n uint32) {
	if len(w.rest) >= 4 {
		n = binary.BigEndian.Uint32(w.rest)
	}
	w.skip(4)
	return n
}

func (w *walker) principal() {
	w.skip(4) // the type of the name
	n := w.long()
	w.skip(w.long()) // the realm
	for ; n > 0 && !w.broken; n-- {
		w.skip(w.long())
	}
}
