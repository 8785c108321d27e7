package kerberos

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jcmturner/gokrb5/v8/client"
	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/credentials"
	"github.com/jcmturner/gokrb5/v8/keytab"
)

// DefaultCache is where kinit puts tickets: KRB5CCNAME, or the file that Java
// and MIT Kerberos use without it.
func DefaultCache(getenv func(string) string, uid int) string {
	if name := getenv("KRB5CCNAME"); name != "" {
		return name
	}
	return "/tmp/krb5cc_" + strconv.Itoa(uid)
}

const kinit = "Get a ticket with kinit."

// readCache reads a ticket cache and checks that it is of use. Other kinds of
// caches than files live in the kernel or in a daemon.
func readCache(name, principal, defaultRealm string) (*credentials.CCache, error) {
	path := name
	if kind, rest, ok := strings.Cut(name, ":"); ok && !strings.Contains(kind, "/") {
		if kind != "FILE" {
			return nil, &Error{problem: "the ticket cache " + name + " is no file", hint: "dtok reads files alone: kinit -c FILE:/some/path, and KRB5CCNAME set to the same."}
		}
		path = rest
	}
	data, err := readFile(path)
	switch {
	case os.IsNotExist(err):
		return nil, &Error{problem: "there is no ticket cache at " + path, hint: kinit, cause: err}
	case err != nil:
		return nil, &Error{problem: "the ticket cache " + path + " cannot be read: " + cause(err), cause: err}
	}
	defer clear(data)
	cache := new(credentials.CCache)
	if !parsed(func() error { return cache.Unmarshal(data) }) {
		return nil, &Error{problem: path + " is no ticket cache, or is damaged", hint: kinit}
	}
	owner := cache.GetClientCredentials()
	if name, realm := split(principal, defaultRealm); name != "" && (name != owner.UserName() || realm != owner.Domain()) {
		return nil, &Error{
			problem: fmt.Sprintf("the ticket cache %s is that of %s@%s, not of %s@%s", path, owner.UserName(), owner.Domain(), name, realm),
			hint:    "Get a ticket with kinit " + principal + ", or leave the principal away.",
		}
	}
	return cache, nil
}

func fromCache(cache *credentials.CCache, path string, conf *config.Config, set func(*client.Settings)) (*client.Client, error) {
	owner := cache.GetClientCredentials()
	own := slices.IndexFunc(cache.GetEntries(), func(c *credentials.Credential) bool {
		return c.Server.PrincipalName.PrincipalNameString() == "krbtgt/"+owner.Domain()
	})
	if own < 0 {
		return nil, &Error{problem: "the ticket cache " + path + " has no ticket for the realm " + owner.Domain(), hint: kinit}
	}
	if end := cache.GetEntries()[own].EndTime; !time.Now().Before(end) {
		return nil, &Error{problem: fmt.Sprintf("the ticket of %s@%s in the cache expired at %s", owner.UserName(), owner.Domain(), end.UTC().Format(time.RFC3339)), hint: kinit}
	}
	c, err := client.NewFromCCache(cache, conf, set)
	if err != nil {
		return nil, &Error{problem: "the tickets in the cache " + path + " are damaged", hint: kinit}
	}
	return c, nil
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
	return io.ReadAll(io.LimitReader(f, maxFile))
}
