package ui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// bigDriver shows n tokens of n/50 owners at 200×50.
func bigDriver(b *testing.B, n int) *Model {
	broker := newFakeBroker()
	broker.now = func() time.Time { return start }
	broker.tokens, broker.users = nil, nil
	for i := range max(n/50, 1) {
		broker.users = append(broker.users, kafka.User{Principal: kafka.UserPrincipal(fmt.Sprintf("job-%05d", i))})
	}
	for i := range n {
		owner := broker.users[i%len(broker.users)].Principal
		broker.tokens = append(broker.tokens, token(fmt.Sprintf("tok-%018d", i*7919%n), owner, ops, -time.Hour,
			time.Duration(i*7%100000)*time.Minute, 200000*time.Minute, ops))
	}
	m := New(Options{Environments: []Environment{{Name: "big"}}, Now: func() time.Time { return start }, Location: time.UTC,
		After: func(time.Duration, tea.Msg) tea.Cmd { return nil }})
	m.resize(200, 50)
	m.broker = broker
	list := kafka.UserList{Tokens: broker.tokens, Read: start}
	list.Users = append(list.Users, broker.users...)
	sortByExpiry(list.Tokens)
	m.startReading(&m.users.reading)
	m.Update(usersLoadedMsg{req: m.users.req, list: list, owned: indexByOwner(list.Tokens)})
	m.act(actAllTokens, 1)
	return m
}

// BenchmarkKey is a key in the list of all tokens: Update and View.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("tokens=%d", n), func(b *testing.B) {
			m := bigDriver(b, n)
			b.ReportAllocs()
			for b.Loop() {
				m.Update(keyMsg("j"))
				_ = m.View()
			}
		})
	}
}

// BenchmarkFilterKey is a letter typed into the filter of all tokens.
func BenchmarkFilterKey(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("tokens=%d", n), func(b *testing.B) {
			m := bigDriver(b, n)
			m.Update(keyMsg("/"))
			for b.Loop() {
				m.Update(keyMsg("7"))
				_ = m.View()
				m.Update(keyMsg("backspace"))
			}
		})
	}
}

// BenchmarkReading is what a list costs once its answer is decoded: sorting,
// indexing and showing it.
func BenchmarkReading(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("tokens=%d", n), func(b *testing.B) {
			m := bigDriver(b, n)
			broker := m.broker
			b.ReportAllocs()
			for b.Loop() {
				ctx := m.startReading(&m.users.reading)
				msg := loadUsers(ctx, func() {}, broker, m.users.req)()
				m.Update(msg)
				_ = m.View()
			}
		})
	}
}
