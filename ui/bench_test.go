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

// BenchmarkPageKey is a key, and a letter of a filter, on a page of 50 000 ACL
// rules and of 20 000 quota entities.
func BenchmarkPageKey(b *testing.B) {
	m := bigDriver(b, 1000)
	m.page.owner, m.open, m.at, m.tab = alice, &m.page, onRules, onRules
	m.rules.owner, m.quotas.owner = alice, alice
	rules := kafka.RuleList{User: alice, Read: start}
	for i := range 50_000 {
		rules.Of = append(rules.Of, rule(alice, kafka.OperationRead, kafka.ResourceTopic, fmt.Sprintf("topic-%06d", i)))
	}
	quotas := kafka.QuotaList{User: alice, Read: start}
	for i := range 20_000 {
		e := kafka.Entity{User: kafka.NamedPart("alice"), ClientID: kafka.NamedPart(fmt.Sprintf("client-%06d", i))}
		quotas.Entities = append(quotas.Entities, kafka.QuotaEntity{Entity: e, Values: []kafka.QuotaValue{{Key: kafka.QuotaProducerBytes, Value: 1024}}})
	}
	m.rules.read, m.quotas.read = start, start
	b.Run("load rules", func(b *testing.B) {
		for b.Loop() {
			m.rules.set(rules, 40)
		}
	})
	b.Run("load quotas", func(b *testing.B) {
		for b.Loop() {
			m.quotas.set(quotas, 40)
		}
	})
	for tab, name := range map[place]string{onRules: "rules", onQuotas: "quotas"} {
		m.at, m.tab = tab, tab
		b.Run("key "+name, func(b *testing.B) {
			for b.Loop() {
				m.Update(keyMsg("j"))
				_ = m.View()
			}
		})
		b.Run("filter "+name, func(b *testing.B) {
			m.Update(keyMsg("/"))
			for b.Loop() {
				m.Update(keyMsg("7"))
				_ = m.View()
				m.Update(keyMsg("backspace"))
			}
			m.Update(keyMsg("esc"))
		})
	}
}
