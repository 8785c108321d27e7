package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Kerberos is how to sign in with GSSAPI, as Java's Krb5LoginModule does: with
// the ticket in TicketCache, and where there is none that is valid, with the
// key in Keytab. At least one of the two is set.
type Kerberos struct {
	// Principal is the client's, NAME or NAME@REALM. It is empty when the
	// ticket cache says it.
	Principal string
	// Keytab and TicketCache are paths of files.
	Keytab, TicketCache string
	// ServiceName is the first part of the brokers' principals.
	ServiceName string
	// Krb5Conf is the path of the krb5.conf to use.
	Krb5Conf string
}

// signInKerberos reads the options of Krb5LoginModule, or librdkafka's keys.
func (s *settings) signInKerberos(c *Connection, l login) error {
	k := &Kerberos{}
	read := func() error { return s.moduleKerberos(k, l) }
	if !s.has(jaasKey) {
		if !s.has("sasl.kerberos.keytab") && !s.has("sasl.kerberos.principal") {
			return s.failMissingLogin()
		}
		read = func() error { return s.plainKerberos(k) }
	}
	if err := read(); err != nil {
		return err
	}
	if err := s.kerberosService(k, l); err != nil {
		return err
	}
	if err := s.krb5Conf(k); err != nil {
		return err
	}
	c.Kerberos = k
	return nil
}

// plainKerberos reads librdkafka's two keys.
func (s *settings) plainKerberos(k *Kerberos) error {
	const keytab, principal = "sasl.kerberos.keytab", "sasl.kerberos.principal"
	for one, other := range map[string]string{keytab: principal, principal: keytab} {
		if s.text(other) == "" {
			return s.failKey(one, "needs %s as well", other)
		}
	}
	s.noteForeign(keytab, "and %s are librdkafka's way to sign in and are accepted", principal)
	k.Principal, k.Keytab = s.text(principal), expandHome(strings.TrimPrefix(s.text(keytab), "FILE:"))
	return s.checkFile(keytab, "the keytab", k.Keytab)
}

// moduleKerberos reads the module's options with the rules and the defaults of
// the JDK: an option for a keytab or a cache that is not switched on is a fault.
func (s *settings) moduleKerberos(k *Kerberos, l login) error {
	s.noteLogin(l, "useKeyTab", "keyTab", "principal", "useTicketCache", "ticketCache", "serviceName",
		"storeKey", "doNotPrompt", "refreshKrb5Config", "renewTGT", "debug", "isInitiator", "useFirstPass", "tryFirstPass", "storePass", "clearPass")
	m := l.module()
	on := func(option string) bool { return strings.EqualFold(string(m.option(option)), "true") }
	useKeytab, useCache := on("useKeyTab"), on("useTicketCache")
	k.Principal = string(m.option("principal"))
	switch {
	case m.option("isInitiator") != nil && !on("isInitiator"):
		return s.failKey(jaasKey, "has isInitiator=false, which is for a broker: remove it")
	case m.option("keyTab") != nil && !useKeytab:
		return s.failKey(jaasKey, "has keyTab without useKeyTab=true")
	case m.option("ticketCache") != nil && !useCache:
		return s.failKey(jaasKey, "has ticketCache without useTicketCache=true")
	case !useKeytab && !useCache:
		return s.failKey(jaasKey, "has neither useKeyTab=true nor useTicketCache=true, so Kerberos would ask for a password, which no client of Kafka can answer")
	case useKeytab && len(m.option("keyTab")) == 0:
		return s.failKey(jaasKey, "has useKeyTab=true without keyTab: name the file of the keytab")
	case useKeytab && !useCache && k.Principal == "":
		return s.failKey(jaasKey, "has a keytab without a principal: add principal=\"NAME@REALM\"")
	}
	if useCache {
		path, err := ticketCache(string(m.option("ticketCache")))
		if err != nil {
			return s.failKey(jaasKey, "%v", err)
		}
		k.TicketCache = path
	}
	if useKeytab {
		k.Keytab = expandHome(strings.TrimPrefix(string(m.option("keyTab")), "FILE:"))
		return s.checkFile(jaasKey, "keyTab", k.Keytab)
	}
	err := s.checkFile(jaasKey, "the ticket cache", k.TicketCache)
	var e *Error
	if errors.As(err, &e) && errors.Is(err, fs.ErrNotExist) {
		e.Problem += ": get a ticket with kinit"
	}
	return err
}

// ticketCache is the file of a cache: the one given, else the one that the
// environment names, else that of MIT Kerberos and Java for this user.
func ticketCache(given string) (string, error) {
	from := "ticketCache"
	if given == "" {
		given, from = os.Getenv("KRB5CCNAME"), "the environment's KRB5CCNAME"
	}
	if given == "" {
		return "/tmp/krb5cc_" + strconv.Itoa(os.Getuid()), nil
	}
	kind, path, ok := strings.Cut(given, ":")
	switch {
	case !ok:
		return expandHome(given), nil
	case kind == "FILE":
		return expandHome(path), nil
	case strings.ContainsRune(kind, '/'):
		return given, nil
	}
	return "", errors.New("uses a ticket cache that is no file (" + from + " names another kind): " +
		"get a ticket with `kinit -c FILE:/tmp/krb5cc_dtok` and set ticketCache=\"/tmp/krb5cc_dtok\"")
}

// kerberosService takes the service name from either of its two places.
func (s *settings) kerberosService(k *Kerberos, l login) error {
	const key = "sasl.kerberos.service.name"
	k.ServiceName = string(l.module().option("serviceName"))
	own := s.text(key)
	switch {
	case own == "" && k.ServiceName == "":
		return s.failKey(key, "is missing: it is the first part of the brokers' principals, mostly kafka")
	case own != "" && k.ServiceName != "" && own != k.ServiceName:
		return s.failKey(key, "differs from serviceName in sasl.jaas.config: keep one")
	case own != "":
		k.ServiceName = own
	}
	return nil
}

// krb5Conf finds the configuration of Kerberos: the first file that exists of
// KRB5_CONFIG, which may list several, or /etc/krb5.conf.
func (s *settings) krb5Conf(k *Kerberos) error {
	list := "/etc/krb5.conf"
	if given := os.Getenv("KRB5_CONFIG"); given != "" {
		list = given
	}
	for _, path := range filepath.SplitList(list) {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			k.Krb5Conf = path
			return nil
		}
	}
	at := s.values["sasl.mechanism"].place
	if !s.has("sasl.mechanism") {
		at = s.values[jaasKey].place
	}
	return s.fail(at, "sasl.mechanism GSSAPI needs a krb5.conf, and there is none at %s; KRB5_CONFIG in the environment can name another", list)
}

// checkFile makes sure that a file can be read. Its content is none of this
// package's business.
func (s *settings) checkFile(key, what, path string) error {
	f, err := os.Open(path)
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		return nil
	}
	if abs, e := filepath.Abs(path); e == nil {
		path = abs
	}
	failed := s.failKey(key, "names %s %s: %s", what, path, reason(err))
	var e *Error
	if errors.As(failed, &e) {
		e.cause = err
	}
	return failed
}
