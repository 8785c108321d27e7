package ui

import (
	"time"

	"dtok/kafka"
)

// Every operation ends in exactly one message. Readings carry the request id
// they were started with; changes carry what they were asked to do, because
// their results are used whatever screen is open by then.

// connectedMsg ends a dialling.
type connectedMsg struct {
	req    int
	broker Broker
	err    error
}

// usersLoadedMsg ends a reading of all sources.
type usersLoadedMsg struct {
	req  int
	list kafka.UserList
	// tokens are list.Tokens sorted by expiry, and owned finds an owner's.
	owned map[kafka.Principal][]int32
	err   error
}

// tokensLoadedMsg ends a reading of one owner's tokens, or of all for a zero
// owner.
type tokensLoadedMsg struct {
	req   int
	owner kafka.Principal
	list  kafka.TokenList
	// owned finds an owner's tokens in the list of all tokens, nil in another.
	owned map[kafka.Principal][]int32
	err   error
}

// createdMsg ends a creation. It is the only message that carries a secret.
type createdMsg struct {
	req     kafka.CreateRequest
	created kafka.Created
	sent    time.Time
	err     error
}

// renewedMsg ends a renewal.
type renewedMsg struct {
	token   kafka.Token
	renewed kafka.Renewed
	err     error
}

// expiredMsg ends an expiry.
type expiredMsg struct {
	token   kafka.Token
	expired kafka.Expired
	err     error
}

// diagnosedMsg ends a walk over a connection that failed.
type diagnosedMsg struct {
	req   int
	lines []string
	err   error
}

// rulesLoadedMsg ends a reading of ACL rules.
type rulesLoadedMsg struct {
	req  int
	list kafka.RuleList
	err  error
}

// quotasLoadedMsg ends a reading of quotas.
type quotasLoadedMsg struct {
	req  int
	list kafka.QuotaList
	err  error
}

// rulesChangedMsg ends an addition or a deletion of ACL rules.
type rulesChangedMsg struct {
	what    string // "granted", "added", "deleted", "revoked"
	deletes bool
	change  kafka.RuleChange
	changed kafka.RulesChanged
	err     error
}

// ruleReplacedMsg ends a replacement of a rule by the right one.
type ruleReplacedMsg struct {
	req  kafka.ReplaceRequest
	done kafka.RuleReplaced
	err  error
}

// quotaChangedMsg ends a setting or a removal of a quota.
type quotaChangedMsg struct {
	removes bool
	change  kafka.QuotaChange
	changed kafka.QuotaChanged
	err     error
}

// signedInMsg ends a test sign-in.
type signedInMsg struct {
	req    int
	token  kafka.Token
	signIn kafka.SignIn
	err    error
}

// copiedMsg ends a copy to the clipboard, or to a file.
type copiedMsg struct {
	what string
	// token is set when the card's HMAC went out, alone or in a configuration:
	// the ID of its token.
	token string
	// asked is the dialog that sent it to a file instead, whose name was typed.
	asked  *workerDialog
	copied Copied
	err    error
}

// clipboardDueMsg says that the time of a copied HMAC on the clipboard is up.
type clipboardDueMsg struct{ tag int }

// clearedMsg ends a clearing of the clipboard.
type clearedMsg struct {
	tag     int // of what was held when it began
	cleared Cleared
	err     error
}

// refreshDueMsg asks for the reading that follows a change.
type refreshDueMsg struct{ tag int }

// clockMsg says that a shown text changes now.
type clockMsg struct{ tag int }

// statusDueMsg takes a good result off the status line.
type statusDueMsg struct{ tag int }
