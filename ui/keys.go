package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// action is what a key asks for.
type action int

const (
	actNone action = iota
	actHelp
	actQuit
	actAbort
	actBack
	actFilter
	actSort
	actReverse
	actUp
	actDown
	actTop
	actBottom
	actPageUp
	actPageDown
	actNext
	actPrev
	actReload
	actSuspend
	actOpen
	actOpenName
	actTrail
	actRecord
	actAllTokens
	actCreate
	actRenew
	actExpire
	actSignIn
	actCopyID
	actDetails
	actCopyHMAC
	actCopyConfig
	actDone
	actClearClipboard
	actTab1
	actTab2
	actTab3
	actAddRule
	actDeleteRule
	actGrant
	actRevoke
	actFixRule
	actSetQuota
	actRemoveQuota
	actEnvironments
	actDiagnose
)

// place is a set of the screens on which a key works.
type place uint8

const (
	onUsers place = 1 << iota
	onTokens
	onRules
	onQuotas
	onTrail
	onCard

	onTabs     = onTokens | onRules | onQuotas
	onPages    = onUsers | onTabs
	onLists    = onPages | onTrail
	everywhere = onLists | onCard
)

// keyEntry is one line of the key map.
type keyEntry struct {
	act     action
	where   place
	binding key.Binding
	// long is the sentence for the help screen and the README.
	long string
	// footer is where the footer names the key.
	footer place
}

// keyMap holds every key of the lists and the card, in the order of the help.
// The footer, the help screen and the README's table are made from it.
type keyMap []keyEntry

func newKeyMap() keyMap {
	entry := func(act action, where place, inFooter bool, keys, short, long string) keyEntry {
		footer := place(0)
		if inFooter {
			footer = where
		}
		list := strings.Fields(keys)
		shown := make([]string, len(list))
		for i, k := range list {
			shown[i] = keyLabel(k)
		}
		return keyEntry{act: act, where: where, footer: footer, long: long,
			binding: key.NewBinding(key.WithKeys(list...), key.WithHelp(strings.Join(shown, " "), short))}
	}
	return keyMap{
		entry(actOpen, onUsers, true, "enter", "open", "open the user, or all tokens"),

		entry(actDiagnose, onUsers, false, "d", "diagnose", "after a connection failed: walk it step by step, with one sign-in"),

		entry(actCreate, onTokens, true, "c", "create", "create a delegation token"),
		entry(actRenew, onTokens, true, "w", "renew", "renew the token; asks for its HMAC"),
		entry(actExpire, onTokens, true, "x", "expire", "expire the token at once; asks for its HMAC and a reason"),
		entry(actSignIn, onTokens, true, "v", "test", "test a sign-in with the token; asks for its HMAC"),
		entry(actCopyID, onTokens, true, "y", "copy ID", "copy the token ID"),
		entry(actDetails, onTokens, true, "enter", "details", "show all that is known of the token; on the list of all tokens, open its owner"),

		entry(actRecord, onTrail, true, "enter", "record", "show the record as it stands in the trail"),
		entry(actAddRule, onRules, true, "a", "add", "add an ACL rule"),
		entry(actDeleteRule, onRules, true, "x", "delete", "delete the rule under the cursor; asks for a reason"),
		entry(actGrant, onRules, true, "g", "grant", "grant CreateTokens, DescribeTokens or both on this user"),
		entry(actRevoke, onRules, true, "R", "revoke", "revoke CreateTokens, DescribeTokens or both on this user"),
		entry(actFixRule, onRules, true, "f", "fix", "replace a rule that never matches by the right one"),
		entry(actDetails, onRules, true, "enter", "details", "show the whole rule and its kafka-acls commands"),

		entry(actSetQuota, onQuotas, true, "e", "set", "set a quota on this user, a client-id, or a default"),
		entry(actRemoveQuota, onQuotas, true, "x", "remove", "remove the quota under the cursor; asks for a reason"),

		entry(actCopyHMAC, onCard, true, "y", "copy HMAC", "copy the HMAC"),
		entry(actCopyConfig, onCard, true, "p", "client config", "a ready configuration for a worker, to the clipboard or to a file"),
		entry(actSignIn, onCard, true, "v", "test sign-in", "test a sign-in with the new token"),
		entry(actDone, onCard, true, "d", "Done", "close the card; the HMAC is gone then"),

		onUsersFooter(entry(actOpenName, onPages, true, "o", "open by name", "open a user by name, also one that is not listed")),
		onUsersFooter(entry(actAllTokens, onPages, true, "t", "all tokens", "all tokens that the connection may see, soonest expiry first")),
		entry(actTab1, onTabs, false, "1", "tokens", "the user's tokens"),
		entry(actTab2, onTabs, false, "2", "ACL rules", "the user's ACL rules, and who may make tokens for it"),
		entry(actTab3, onTabs, false, "3", "quotas", "the user's quotas"),
		entry(actDown, onLists, false, "j down", "down", "one row down"),
		entry(actUp, onLists, false, "k up", "up", "one row up"),
		entry(actTop, onLists, false, "g home", "top", "first row; on ACL rules only home"),
		entry(actBottom, onLists, false, "G end", "bottom", "last row"),
		entry(actPageDown, onLists, false, "pgdown ctrl+d", "page down", "a page down"),
		entry(actPageUp, onLists, false, "pgup ctrl+u", "page up", "a page up"),
		entry(actFilter, onLists, true, "/", "filter", "filter the list; enter keeps the filter, esc clears it"),
		entry(actSort, onLists, false, "s", "sort", "sort by the next column"),
		entry(actReverse, onLists, false, "S", "reverse", "reverse the order"),
		entry(actNext, onPages, false, "tab", "next pane", "next pane, or next field in a dialog"),
		entry(actPrev, onPages, false, "shift+tab", "previous pane", "previous pane or field"),
		entry(actReload, onLists, true, "r ctrl+r f5", "read again", "read the list again, and connect again if need be"),
		entry(actTrail, onPages, false, "A", "audit trail", "the audit trail of this environment"),
		entry(actEnvironments, onPages, false, "E", "environments", "switch to another environment"),
		entry(actClearClipboard, everywhere, false, "Y", "clear clipboard", "take a copied HMAC off the clipboard, if that still holds it"),
		entry(actBack, everywhere, true, "esc ctrl+g", "back", "one step back; never quits"),
		entry(actHelp, everywhere, true, "?", "help", "this help"),
		entry(actQuit, everywhere, true, "q", "quit", "quit"),
		entry(actAbort, everywhere, false, "ctrl+c", "quit", "quit from anywhere, also from a dialog"),
		entry(actSuspend, everywhere, false, "ctrl+z", "suspend", "suspend to the shell; fg comes back"),
	}
}

// onUsersFooter keeps a key that works on more screens out of their footers,
// which have no room for it.
func onUsersFooter(e keyEntry) keyEntry {
	e.footer = onUsers
	return e
}

// keyLabel is how a key is written for people.
func keyLabel(k string) string {
	switch k {
	case "down":
		return "↓"
	case "up":
		return "↑"
	case "pgdown":
		return "pgdn"
	}
	return k
}

// keyName is Bubble Tea's name of a key, "" for text: several characters in
// one message were pasted or typed fast, and a text such as "tab" would
// otherwise pass for the key.
func keyName(msg tea.KeyMsg) string {
	if msg.Type == tea.KeyRunes && (len(msg.Runes) > 1 || msg.Paste) {
		return ""
	}
	return msg.String()
}

// lookup finds what a key means on a screen.
func (km keyMap) lookup(msg tea.KeyMsg, where place) action {
	if keyName(msg) == "" {
		return actNone
	}
	for _, e := range km {
		if e.where&where != 0 && key.Matches(msg, e.binding) {
			return e.act
		}
	}
	return actNone
}

// section is a part of the key table.
type section struct {
	title   string
	where   place
	entries []keyEntry
}

// sections groups the keys for the help screen and the README.
func (km keyMap) sections() []section {
	parts := []section{{title: "Users", where: onUsers}, {title: "Tokens", where: onTokens}, {title: "ACL rules", where: onRules},
		{title: "Quotas", where: onQuotas}, {title: "Audit trail", where: onTrail}, {title: "Card after a creation", where: onCard},
		{title: "A user's page", where: onTabs}, {title: "Users and pages", where: onPages}, {title: "Every list", where: onLists},
		{title: "Everywhere"}}
	for _, e := range km {
		at := slices.IndexFunc(parts, func(s section) bool { return s.where == e.where })
		if at < 0 {
			at = len(parts) - 1
		}
		parts[at].entries = append(parts[at].entries, e)
	}
	return parts
}

// KeyTable is the key map as a Markdown table, for the README.
func KeyTable() string {
	var b strings.Builder
	b.WriteString("| where | key | what it does |\n|---|---|---|\n")
	for _, s := range newKeyMap().sections() {
		for _, e := range s.entries {
			keys := strings.Fields(e.binding.Help().Key)
			b.WriteString("| " + s.title + " | `" + strings.Join(keys, "` `") + "` | " + e.long + " |\n")
		}
	}
	return b.String()
}
