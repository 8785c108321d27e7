package audit

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"dtok/kafka"
)

// settings is a broker whose changes of rules and quotas do what the test says.
type settings struct {
	rules  func(kafka.RuleChange) (kafka.RulesChanged, error)
	quotas func(kafka.QuotaChange) (kafka.QuotaChanged, error)
	sent   int
}

func (s *settings) AddRules(_ context.Context, c kafka.RuleChange) (kafka.RulesChanged, error) {
	s.sent++
	c.Progress.Set(kafka.PhaseSent)
	return s.rules(c)
}

func (s *settings) DeleteRules(ctx context.Context, c kafka.RuleChange) (kafka.RulesChanged, error) {
	return s.AddRules(ctx, c)
}

func (s *settings) SetQuota(_ context.Context, c kafka.QuotaChange) (kafka.QuotaChanged, error) {
	s.sent++
	c.Progress.Set(kafka.PhaseSent)
	return s.quotas(c)
}

func (s *settings) RemoveQuota(ctx context.Context, c kafka.QuotaChange) (kafka.QuotaChanged, error) {
	return s.SetQuota(ctx, c)
}

func settingsRecorder(t *testing.T, s *settings) (*Recorder, *Trail) {
	t.Helper()
	trail, f := newTrail(t, ""), working()
	f.RuleChanger, f.QuotaChanger = s, s
	return recorder(trail, f, "prod-eu"), trail
}

var aRule = kafka.ACLRule{ResourceType: kafka.ResourceUser, ResourceName: "User:alice", Pattern: kafka.PatternLiteral, Principal: "User:bob",
	Host: "*", Operation: kafka.OperationCreateTokens, Permission: kafka.PermissionAllow}

const aRuleJSON = `{"permission":"ALLOW","principal":"User:bob","host":"*","operation":"CreateTokens","resource_type":"User","resource_name":"User:alice","pattern":"LITERAL"`

// settingPart is the text of a line from its rules or quota to the chain's fields.
func settingPart(t *testing.T, line string) string {
	t.Helper()
	from, to := strings.Index(line, `"rules":`), strings.LastIndex(line, `,"prev":`)
	if from < 0 {
		from = strings.Index(line, `"quota":`)
	}
	if from < 0 || to < from {
		t.Fatalf("neither rules nor a quota in %s", line)
	}
	return line[from:to]
}

func requests(t *testing.T, trail *Trail) []string {
	t.Helper()
	var out []string
	for _, l := range lines(t, trail.Path()) {
		if decode(t, l).Phase != "" {
			out = append(out, l)
		}
	}
	return out
}

func TestRecordsOfRules(t *testing.T) {
	other := aRule
	other.Host = "192.0.2.1"
	lost := &kafka.UnknownOutcomeError{Op: kafka.OpAddRules, Err: errors.New("lost")}
	no := &kafka.RefusedError{Op: kafka.OpAddRules, Code: 42}
	tests := []struct {
		name    string
		delete  bool
		results []kafka.RuleResult
		err     error
		outcome Outcome
		want    string // the outcome's rules
	}{
		{"added", false, []kafka.RuleResult{{Rule: aRule}}, nil, Done, `"rules":[` + aRuleJSON + `,"before":false,"after":true}]`},
		{"was there", false, []kafka.RuleResult{{Rule: aRule, Existed: true}}, nil, Done, `"rules":[` + aRuleJSON + `,"before":true,"after":true}]`},
		{"not listable", false, []kafka.RuleResult{{Rule: aRule, ExistedErr: errors.New("no right")}}, nil, Done, `"rules":[` + aRuleJSON + `,"after":true}]`},
		{"deleted", true, []kafka.RuleResult{{Rule: aRule, Existed: true, Removed: []kafka.ACLRule{aRule}}}, nil, Done,
			`"rules":[` + aRuleJSON + `,"before":true,"after":false}]`},
		{"none removed", true, []kafka.RuleResult{{Rule: aRule, Existed: true, Err: &kafka.RemovedCountError{Rule: aRule}}},
			&kafka.RemovedCountError{Rule: aRule}, Refused, `"rules":[` + aRuleJSON + `,"before":true,"removed_count":0}]`},
		{"two removed", true, []kafka.RuleResult{{Rule: aRule, Existed: true, Removed: []kafka.ACLRule{aRule, other}, Err: &kafka.RemovedCountError{Rule: aRule, Removed: []kafka.ACLRule{aRule, other}}}},
			&kafka.RemovedCountError{Rule: aRule, Removed: []kafka.ACLRule{aRule, other}}, Done,
			`"rules":[` + aRuleJSON + `,"before":true,"removed":["ALLOW User:bob CreateTokens on User User:alice","ALLOW User:bob CreateTokens on User User:alice from host 192.0.2.1"],"removed_count":2}]`},
		{"refused", false, []kafka.RuleResult{{Rule: aRule, Err: no}}, no, Refused, `"rules":[` + aRuleJSON + `}]`},
		{"too old", false, nil, &kafka.OldRulesError{What: "User"}, Refused, `"rules":[` + aRuleJSON + `}]`},
		{"lost", false, nil, lost, Unknown, `"rules":[` + aRuleJSON + `}]`},
		{"some", false, []kafka.RuleResult{{Rule: aRule}, {Rule: other, Err: no}}, &kafka.SomeRulesError{Results: []kafka.RuleResult{{Rule: aRule}, {Rule: other, Err: no}}}, Done,
			`"rules":[` + aRuleJSON + `,"before":false,"after":true},` + strings.Replace(aRuleJSON, `"*"`, `"192.0.2.1"`, 1) + fmt.Sprintf(`,"before":false,"error":%q}]`, no)},
		{"some lost", false, []kafka.RuleResult{{Rule: aRule}, {Rule: other, Err: lost}}, &kafka.SomeRulesError{Results: []kafka.RuleResult{{Rule: aRule}, {Rule: other, Err: lost}}}, Unknown, ""},
		{"none of some", false, []kafka.RuleResult{{Rule: aRule, Err: no}, {Rule: other, Err: no}}, &kafka.SomeRulesError{Results: []kafka.RuleResult{{Rule: aRule, Err: no}, {Rule: other, Err: no}}}, Refused, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &settings{rules: func(kafka.RuleChange) (kafka.RulesChanged, error) {
				return kafka.RulesChanged{Results: tt.results}, tt.err
			}}
			rec, trail := settingsRecorder(t, s)
			do, kind := rec.AddRules, kafka.OpAddRules
			if tt.delete {
				do, kind = rec.DeleteRules, kafka.OpDeleteRules
			}
			changed, err := do(t.Context(), kafka.RuleChange{Rules: []kafka.ACLRule{aRule}, Reason: " ticket 7 "})
			if err != tt.err || len(changed.Results) != len(tt.results) {
				t.Errorf("returned %+v, %v", changed, err)
			}
			rs := read(t, trail.Path())
			if len(rs) != 2 || rs[0].Kind != kind || rs[1].Kind != kind || rs[1].Outcome != tt.outcome || rs[1].Reason != "ticket 7" || rs[0].ID != rs[1].ID {
				t.Fatalf("%+v", rs)
			}
			if tt.err != nil && (rs[1].Problem == nil || rs[1].Problem.Text != tt.err.Error()) {
				t.Errorf("problem %+v", rs[1].Problem)
			}
			got := requests(t, trail)
			if want := `"rules":[` + aRuleJSON + `}],"reason":"ticket 7"`; settingPart(t, got[0]) != want {
				t.Errorf("intent\n got %s\nwant %s", settingPart(t, got[0]), want)
			}
			if want := tt.want + `,"reason":"ticket 7"`; tt.want != "" && settingPart(t, got[1]) != want {
				t.Errorf("outcome\n got %s\nwant %s", settingPart(t, got[1]), want)
			}
		})
	}
}

func TestRecordsOfQuotas(t *testing.T) {
	alice, app := kafka.NamedPart("alice"), kafka.NamedPart("<default>")
	value := func(v float64) *float64 { return &v }
	lost := &kafka.UnknownOutcomeError{Op: kafka.OpSetQuota, Err: errors.New("lost")}
	for _, tt := range []struct {
		name    string
		entity  kafka.Entity
		remove  bool
		changed kafka.QuotaChanged
		err     error
		outcome Outcome
		want    string
	}{
		{"set", kafka.Entity{User: alice}, false, kafka.QuotaChanged{After: value(1048576)}, nil, Done,
			`"quota":{"entity":[{"type":"user","name":"alice"}],"key":"producer_byte_rate","asked":"1048576","before":null,"after":"1048576"}`},
		{"changed", kafka.Entity{User: kafka.DefaultPart(), ClientID: app}, false, kafka.QuotaChanged{Before: value(math.NaN()), After: value(1048576)}, nil, Done,
			`"quota":{"entity":[{"type":"user","name":null},{"type":"client-id","name":"<default>"}],"key":"producer_byte_rate","asked":"1048576","before":"NaN","after":"1048576"}`},
		{"before unknown", kafka.Entity{User: kafka.NamedPart("")}, false, kafka.QuotaChanged{BeforeErr: errors.New("no right"), After: value(1048576)}, nil, Done,
			`"quota":{"entity":[{"type":"user","name":""}],"key":"producer_byte_rate","asked":"1048576","before":null,"before_unknown":true,"after":"1048576"}`},
		{"removed", kafka.Entity{ClientID: app}, true, kafka.QuotaChanged{Before: value(2.5)}, nil, Done,
			`"quota":{"entity":[{"type":"client-id","name":"<default>"}],"key":"producer_byte_rate","before":"2.5","after":null}`},
		{"lost", kafka.Entity{User: alice}, false, kafka.QuotaChanged{}, lost, Unknown,
			`"quota":{"entity":[{"type":"user","name":"alice"}],"key":"producer_byte_rate","asked":"1048576","before":null,"before_unknown":true,"after":null}`},
		{"refused", kafka.Entity{User: alice}, true, kafka.QuotaChanged{}, &kafka.RefusedError{Op: kafka.OpRemoveQuota, Code: 31}, Refused,
			`"quota":{"entity":[{"type":"user","name":"alice"}],"key":"producer_byte_rate","before":null,"before_unknown":true,"after":null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &settings{quotas: func(kafka.QuotaChange) (kafka.QuotaChanged, error) { return tt.changed, tt.err }}
			rec, trail := settingsRecorder(t, s)
			do, kind := rec.SetQuota, kafka.OpSetQuota
			if tt.remove {
				do, kind = rec.RemoveQuota, kafka.OpRemoveQuota
			}
			if _, err := do(t.Context(), kafka.QuotaChange{Entity: tt.entity, Key: kafka.QuotaProducerBytes, Value: 1048576, Reason: "load test"}); err != tt.err {
				t.Error(err)
			}
			rs := read(t, trail.Path())
			if len(rs) != 2 || rs[0].Kind != kind || rs[0].Phase != Intent || rs[1].Outcome != tt.outcome || rs[1].Reason != "load test" {
				t.Fatalf("%+v", rs)
			}
			if got := settingPart(t, requests(t, trail)[1]); got != tt.want+`,"reason":"load test"` {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestSettingsThatNeedAReason(t *testing.T) {
	s := &settings{rules: func(kafka.RuleChange) (kafka.RulesChanged, error) { return kafka.RulesChanged{}, nil }}
	rec, trail := settingsRecorder(t, s)
	for _, reason := range []string{"", " \t\n"} {
		_, del := rec.DeleteRules(t.Context(), kafka.RuleChange{Reason: reason})
		_, set := rec.SetQuota(t.Context(), kafka.QuotaChange{Reason: reason})
		_, remove := rec.RemoveQuota(t.Context(), kafka.QuotaChange{Reason: reason})
		texts := map[string]bool{}
		for _, err := range []error{del, set, remove} {
			if !as[*NoReasonError](err) {
				t.Fatal(err)
			}
			texts[err.Error()] = true
		}
		if len(texts) != 3 {
			t.Errorf("the texts do not differ: %v", texts)
		}
	}
	if _, err := os.Stat(trail.Path()); s.sent != 0 || err == nil {
		t.Errorf("%d changes were sent, file: %v", s.sent, err)
	}
	if _, err := rec.AddRules(t.Context(), kafka.RuleChange{Rules: []kafka.ACLRule{aRule}}); err != nil || s.sent != 1 {
		t.Errorf("adding needs no reason: %v", err)
	}
}

// An HMAC that was pasted into a field for a name does not stay in the trail.
func TestSettingsKeepNoHMAC(t *testing.T) {
	hmac := base64.StdEncoding.EncodeToString(hmac1())
	s := &settings{
		rules: func(c kafka.RuleChange) (kafka.RulesChanged, error) {
			err := &kafka.RemovedCountError{Rule: c.Rules[0], Removed: c.Rules[:1]}
			return kafka.RulesChanged{Results: []kafka.RuleResult{{Rule: c.Rules[0], Removed: c.Rules[:1], Err: err}, {Rule: c.Rules[1]}}}, &kafka.SomeRulesError{
				Results: []kafka.RuleResult{{Rule: c.Rules[0], Err: err}, {Rule: c.Rules[1]}}}
		},
		quotas: func(kafka.QuotaChange) (kafka.QuotaChanged, error) { return kafka.QuotaChanged{}, errors.New(hmac) },
	}
	rec, trail := settingsRecorder(t, s)
	bad := aRule
	bad.ResourceName, bad.Principal, bad.Host = hmac, "User:"+hmac, hmac
	_, _ = rec.DeleteRules(t.Context(), kafka.RuleChange{Rules: []kafka.ACLRule{bad, aRule}, Reason: hmac})
	_, _ = rec.SetQuota(t.Context(), kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart(hmac), ClientID: kafka.NamedPart(hmac)}, Key: hmac, Reason: "x"})
	all := strings.Join(lines(t, trail.Path()), "\n")
	if strings.Contains(all, hmac[:20]) {
		t.Errorf("the trail holds the HMAC: %s", all)
	}
	if strings.Count(all, leftOut) < 10 || !strings.Contains(all, "User:alice") {
		t.Errorf("left out: %s", all)
	}
}

func TestSettingsAreFoundByTheirUsers(t *testing.T) {
	s := &settings{
		rules: func(c kafka.RuleChange) (kafka.RulesChanged, error) {
			return kafka.RulesChanged{Results: []kafka.RuleResult{{Rule: c.Rules[0]}}}, nil
		},
		quotas: func(kafka.QuotaChange) (kafka.QuotaChanged, error) { return kafka.QuotaChanged{}, nil },
	}
	rec, trail := settingsRecorder(t, s)
	topic := aRule
	topic.ResourceType, topic.ResourceName, topic.Principal = kafka.ResourceTopic, "User:dave", "User:carol"
	for _, r := range []kafka.ACLRule{aRule, topic} {
		if _, err := rec.AddRules(t.Context(), kafka.RuleChange{Rules: []kafka.ACLRule{r}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range []kafka.Entity{{User: kafka.NamedPart("eve")}, {User: kafka.DefaultPart()}} {
		if _, err := rec.SetQuota(t.Context(), kafka.QuotaChange{Entity: e, Key: "k", Value: 1, Reason: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	entries, _, err := Entries(t.Context(), trail.Path())
	if err != nil {
		t.Fatal(err)
	}
	found := func(f Filter) (about string) {
		for _, e := range entries {
			if f.Match(e) {
				about += e.Record().About() + " "
			}
		}
		return about
	}
	for user, want := range map[string]string{"alice": "User:alice ", "User:bob": "User:alice ", "carol": "User:carol ", "dave": "", "eve": "User:eve ",
		"ops": "User:alice User:carol User:eve  "} {
		if got := found(Filter{User: user}); got != want {
			t.Errorf("%s: %q, want %q", user, got, want)
		}
	}
	if got := found(Filter{Kind: "add"}); got != "User:alice User:carol " {
		t.Errorf("by kind: %q", got)
	}
}
