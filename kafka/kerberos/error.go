package kerberos

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jcmturner/gokrb5/v8/config"
)

// Error says in one phrase, without a capital and without a key, why there is
// no ticket.
type Error struct {
	problem, hint string
	cause         error
}

// Error is the phrase.
func (e *Error) Error() string { return e.problem }

// Hint is what to do, "" when there is nothing to say.
func (e *Error) Hint() string { return e.hint }

// Unwrap gives the system's error, nil when there is none. It is not part of
// the text.
func (e *Error) Unwrap() error { return e.cause }

// explain turns an error of gokrb5 into words. It has texts alone, in which the
// KDC's codes have the names of RFC 4120 section 7.5.9.
func (l Login) explain(err error, t *ticket, conf *config.Config) error {
	said := err.Error()
	about := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
	}
	_, realm := split(t.client, "")
	host := t.service[strings.IndexByte(t.service, '/')+1:]
	e := &Error{cause: err}
	switch {
	case about("KDC_ERR_C_PRINCIPAL_UNKNOWN"):
		e.problem = "the KDC does not know the principal " + t.client
		e.hint = "Check its spelling, capitals too, and its realm."
	case about("KDC_ERR_S_PRINCIPAL_UNKNOWN"):
		e.problem = "the KDC knows no service " + t.service + ", which the broker is called after the address dialled"
		e.hint = "Dial the broker by the host name that its principal has, not by an IP address or an alias of " + host +
			", and check sasl.kerberos.service.name."
	case about("KRB_AP_ERR_SKEW"):
		e.problem = "this machine's clock and the KDC's differ by more than Kerberos allows"
		e.hint = "Set the clock of this machine (NTP): five minutes is the usual limit."
	case about("KDC_ERR_PREAUTH_FAILED", "AS_REP is not valid or client password/keytab incorrect", "KRB_AP_ERR_BAD_INTEGRITY"):
		e.problem = "the KDC does not accept the keytab's key of " + t.client
		e.hint = "The key was changed after the keytab was made: get the keytab anew."
	case about("matching key not found in keytab"):
		e.problem = "the keytab has no key of " + t.client + " in an encryption that the KDC and " + l.Config + " agree on"
		e.hint = "Get the keytab anew, with the realm's present encryption types."
	case about("KDC_ERR_ETYPE_NOSUPP"):
		e.problem = "the KDC supports no encryption that " + l.Config + " allows"
		e.hint = "Look at permitted_enctypes and default_tkt_enctypes."
	case about("KDC_ERR_CLIENT_REVOKED"):
		e.problem = "the principal " + t.client + " is locked at the KDC"
	case about("KDC_ERR_KEY_EXPIRED", "KDC_ERR_NAME_EXP"):
		e.problem = "the principal " + t.client + ", or its key, has expired at the KDC"
	case about("KRB_AP_ERR_TKT_EXPIRED", "no valid existing session"):
		e.problem = "the ticket of " + t.client + " has expired"
		e.hint = kinit
	case about("KDC_ERR_WRONG_REALM", "could not find TGT session", "maximum number of"):
		e.problem = "the realm " + realm + " gives no way to the realm of " + t.service
		e.hint = "Look at domain_realm in " + l.Config + "."
	case about("does not have any defined KDCs", "no KDCs defined", "no KDC SRV records", "lookup _kerberos"):
		e.problem = "no KDC is known for the realm " + realm
		e.hint = "Name one in the section realms of " + l.Config + ", or publish its SRV records and allow dns_lookup_kdc."
	case about("Networking_Error", "communicat", "error sending to a KDC"):
		e.problem = "the KDC of " + realm + " cannot be reached" + kdcs(conf, realm)
		e.hint = "Check the KDC's address in " + l.Config + ", and that the network lets Kerberos (port 88, TCP and UDP) through."
	default:
		e.problem = fmt.Sprintf("getting a ticket of %s for %s failed%s", t.client, t.service, code(said))
	}
	return e
}

// kdcs lists where the KDC was looked for.
func kdcs(conf *config.Config, realm string) string {
	for _, r := range conf.Realms {
		if r.Realm == realm && len(r.KDC) > 0 {
			return " (" + strings.Join(r.KDC, ", ") + ")"
		}
	}
	return ""
}

// code is the KDC's own code in a text of gokrb5, "" when there is none. The
// rest of such a text is not shown.
func code(said string) string {
	for _, word := range strings.FieldsFunc(said, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
		if strings.HasPrefix(word, "KDC_ERR_") || strings.HasPrefix(word, "KRB_AP_ERR_") || strings.HasPrefix(word, "KRB_ERR_") {
			return " (" + word + ")"
		}
	}
	return ""
}
