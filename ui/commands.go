package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// Commands run outside the model: each copies what it needs before it is
// built, ends in one message, and turns a panic into an error, because a panic
// in a command would leave the terminal raw.

// internalError says that dtok itself failed. The panic's value is left out:
// it could hold anything, also a secret.
var errInternal = errors.New("dtok failed inside; this is a bug")

func guarded(work func() tea.Msg, failed func(error) tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = failed(fmt.Errorf("%w (%T)", errInternal, r))
			}
		}()
		return work()
	}
}

func connect(ctx context.Context, env Environment, password *kafka.Secret, req int) tea.Cmd {
	return guarded(func() tea.Msg {
		b, err := env.Connect(ctx, password)
		return connectedMsg{req: req, broker: b, err: err}
	}, func(err error) tea.Msg { return connectedMsg{req: req, err: err} })
}

func diagnose(ctx context.Context, env Environment, password *kafka.Secret, req int) tea.Cmd {
	return guarded(func() tea.Msg {
		lines, err := env.Check(ctx, password)
		return diagnosedMsg{req: req, lines: lines, err: err}
	}, func(err error) tea.Msg { return diagnosedMsg{req: req, err: err} })
}

func loadUsers(ctx context.Context, release func(), b Broker, req int) tea.Cmd {
	return guarded(func() tea.Msg {
		defer release()
		list, err := b.Users(ctx)
		if err != nil {
			return usersLoadedMsg{req: req, err: err}
		}
		sortByExpiry(list.Tokens)
		return usersLoadedMsg{req: req, list: list, owned: indexByOwner(list.Tokens)}
	}, func(err error) tea.Msg { return usersLoadedMsg{req: req, err: err} })
}

func loadTokens(ctx context.Context, release func(), b Broker, req int, owner kafka.Principal) tea.Cmd {
	return guarded(func() tea.Msg {
		defer release()
		list, err := b.Tokens(ctx, owner)
		sortByExpiry(list.Tokens)
		var owned map[kafka.Principal][]int32
		if owner.IsZero() {
			owned = indexByOwner(list.Tokens)
		}
		return tokensLoadedMsg{req: req, owner: owner, list: list, owned: owned, err: err}
	}, func(err error) tea.Msg { return tokensLoadedMsg{req: req, owner: owner, err: err} })
}

// sortByExpiry is done here rather than in the model: it takes a while with
// 100 000 tokens.
func sortByExpiry(tokens []kafka.Token) {
	slices.SortFunc(tokens, func(a, b kafka.Token) int {
		if c := a.Expires.Compare(b.Expires); c != 0 {
			return c
		}
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
}

// indexByOwner is done here for the same reason.
func indexByOwner(tokens []kafka.Token) map[kafka.Principal][]int32 {
	owned := make(map[kafka.Principal][]int32)
	for i := range tokens {
		owned[tokens[i].Owner] = append(owned[tokens[i].Owner], int32(i))
	}
	return owned
}

// The commands of changes. A panic in one leaves it open whether the change
// was sent, so its outcome is unknown.

func createToken(ctx context.Context, opts *Options, b Broker, req kafka.CreateRequest) tea.Cmd {
	sent := opts.Now()
	return guarded(func() tea.Msg {
		created, err := b.CreateToken(ctx, req)
		return createdMsg{req: req, created: created, sent: sent, err: err}
	}, func(err error) tea.Msg {
		return createdMsg{req: req, sent: sent, err: unknown(kafka.OpCreateToken, err)}
	})
}

func renewToken(ctx context.Context, b Broker, req kafka.RenewRequest) tea.Cmd {
	return guarded(func() tea.Msg {
		defer req.HMAC.Destroy()
		renewed, err := b.RenewToken(ctx, req)
		return renewedMsg{token: req.Token, renewed: renewed, err: err}
	}, func(err error) tea.Msg {
		return renewedMsg{token: req.Token, err: unknown(kafka.OpRenewToken, err)}
	})
}

func expireToken(ctx context.Context, b Broker, req kafka.ExpireRequest) tea.Cmd {
	return guarded(func() tea.Msg {
		defer req.HMAC.Destroy()
		expired, err := b.ExpireToken(ctx, req)
		return expiredMsg{token: req.Token, expired: expired, err: err}
	}, func(err error) tea.Msg {
		return expiredMsg{token: req.Token, err: unknown(kafka.OpExpireToken, err)}
	})
}

func unknown(op kafka.Op, err error) error { return &kafka.UnknownOutcomeError{Op: op, Err: err} }

func testSignIn(ctx context.Context, b Broker, req int, token kafka.Token, hmac *kafka.Secret) tea.Cmd {
	return guarded(func() tea.Msg {
		defer hmac.Destroy()
		signIn, err := b.TestSignIn(ctx, token, hmac)
		return signedInMsg{req: req, token: token, signIn: signIn, err: err}
	}, func(err error) tea.Msg { return signedInMsg{req: req, token: token, err: err} })
}

// copyText puts text on the clipboard and overwrites it afterwards. token is
// whose HMAC is in it, "" for none.
func copyText(opts *Options, what string, text []byte, token string) tea.Cmd {
	return guarded(func() tea.Msg {
		defer clear(text)
		if opts.Copy == nil {
			return copiedMsg{what: what, token: token, err: errors.New("no clipboard here; select the text instead")}
		}
		copied, err := opts.Copy(opts.Context, text, token != "")
		return copiedMsg{what: what, token: token, copied: copied, err: err}
	}, func(err error) tea.Msg { return copiedMsg{what: what, token: token, err: err} })
}
