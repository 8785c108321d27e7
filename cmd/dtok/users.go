package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dtok/kafka"
	"dtok/ui"
)

func usersCommand(debug *debugLog) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "users",
		Short:   "List the users that the cluster knows",
		Long:    usersHelp,
		Example: usersExample,
		Args:    noArguments,
	}
	b := newBatch(cmd, debug)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := b.check(cmd); err != nil {
			return err
		}
		return b.read(cmd.Context(), func(ctx context.Context, broker ui.Broker) error {
			list, err := broker.Users(ctx)
			if err != nil {
				return err
			}
			return printUsers(b, list)
		})
	}
	return cmd
}

// sources are the sources of users in the order in which they are read, with
// their names in JSON.
var sources = []struct {
	of   kafka.Source
	name string
}{
	{kafka.FromTokens, "tokens"},
	{kafka.FromACLs, "acl_rules"},
	{kafka.FromQuotas, "quotas"},
	{kafka.FromSCRAM, "scram"},
}

// printUsers writes the list. A source that cannot be read costs only itself;
// when none can be read there is no list.
func printUsers(b *batch, list kafka.UserList) error {
	if len(list.Failed) == len(sources) {
		var all []error
		for _, s := range sources {
			all = append(all, sourceError(list, s.of))
		}
		return together(all...)
	}
	for _, s := range sources {
		if err := list.Failed[s.of]; err != nil {
			b.note("%v%s", sourceError(list, s.of), hintAfter(err))
		}
	}
	if b.output == asTable && len(list.Users) == 0 {
		b.note("no user is known from what can be read")
		return nil
	}
	write := writeUsersTable
	if b.output == asJSON {
		write = writeUsersJSON
	}
	if err := write(b.out, list); err != nil {
		return fmt.Errorf("the list cannot be written: %w", cause(err))
	}
	return nil
}

// sourceError names the source, which the errors of the connection do not.
func sourceError(list kafka.UserList, s kafka.Source) error {
	return fmt.Errorf("the %s cannot be read: %w", s, list.Failed[s])
}

// hintAfter is an error's hint as a sentence of its own. Not every error's text
// ends as a sentence does.
func hintAfter(err error) string {
	var h interface{ Hint() string }
	if !errors.As(err, &h) || h.Hint() == "" {
		return ""
	}
	if strings.HasSuffix(err.Error(), ".") {
		return " " + h.Hint()
	}
	return ". " + h.Hint()
}

func writeUsersTable(w io.Writer, list kafka.UserList) error {
	t := newTable("USER", "TOKENS", "NEXT EXPIRY", "ACL RULES", "QUOTAS", "SCRAM")
	t.grow(len(list.Users))
	count := func(s kafka.Source, n int) {
		if list.Failed[s] != nil {
			t.add(notRead)
			return
		}
		t.text = strconv.AppendInt(t.text, int64(n), 10)
		t.done()
	}
	for i := range list.Users {
		u := &list.Users[i]
		t.add(u.Principal.Label())
		count(kafka.FromTokens, u.Tokens)
		t.time(u.NextExpiry)
		count(kafka.FromACLs, u.ACLRules)
		count(kafka.FromQuotas, u.Quotas)
		if list.Failed[kafka.FromSCRAM] != nil {
			t.add(notRead)
			continue
		}
		t.add(strings.Join(u.SCRAM, ","))
	}
	return t.writeTo(w)
}

// notRead stands in the column of a source that could not be read.
const notRead = "?"

// userJSON is a user. A field is null where its source could not be read.
type userJSON struct {
	User       string    `json:"user"`
	Tokens     *int      `json:"tokens"`
	NextExpiry moment    `json:"next_expiry"`
	ACLRules   *int      `json:"acl_rules"`
	Quotas     *int      `json:"quotas"`
	SCRAM      *[]string `json:"scram"`
}

// unreadJSON is a source that could not be read.
type unreadJSON struct {
	Source string `json:"source"`
	Error  string `json:"error"`
}

// usersJSON is what dtok users prints.
type usersJSON struct {
	Version int          `json:"schema_version"`
	Read    moment       `json:"read"`
	Users   []userJSON   `json:"users"`
	Unread  []unreadJSON `json:"unread"`
}

func writeUsersJSON(w io.Writer, list kafka.UserList) error {
	j := usersJSON{Version: jsonVersion, Read: moment(list.Read), Users: make([]userJSON, len(list.Users)), Unread: []unreadJSON{}}
	for _, s := range sources {
		if err := list.Failed[s.of]; err != nil {
			j.Unread = append(j.Unread, unreadJSON{s.name, err.Error()})
		}
	}
	for i := range list.Users {
		u := &list.Users[i]
		count := func(s kafka.Source, n *int) *int {
			if list.Failed[s] != nil {
				return nil
			}
			return n
		}
		j.Users[i] = userJSON{User: u.Principal.String(), Tokens: count(kafka.FromTokens, &u.Tokens), NextExpiry: moment(u.NextExpiry),
			ACLRules: count(kafka.FromACLs, &u.ACLRules), Quotas: count(kafka.FromQuotas, &u.Quotas)}
		if list.Failed[kafka.FromSCRAM] == nil {
			scram := append([]string{}, u.SCRAM...)
			j.Users[i].SCRAM = &scram
		}
	}
	return writeJSON(w, j)
}
