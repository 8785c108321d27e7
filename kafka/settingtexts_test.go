package kafka

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// What a refusal says: the permission by its name, Kafka's text where it helps
// and never the broker's dump of its request.
func TestTextsOfRefusedSettings(t *testing.T) {
	for _, tc := range []struct {
		err        *RefusedError
		text, hint string
	}{
		{&RefusedError{Op: OpAddRules, Code: 31}, "This connection's identity may not add ACL rules: it needs Alter on the cluster.",
			"Add an ACL rule for this connection's principal: allow Alter on the Cluster resource kafka-cluster."},
		{&RefusedError{Op: OpRemoveQuota, Code: 31}, "This connection's identity may not remove quotas: it needs AlterConfigs on the cluster.",
			"Add an ACL rule for this connection's principal: allow AlterConfigs on the Cluster resource kafka-cluster."},
		{&RefusedError{Op: OpSetQuota, Code: 35, Text: "not yet."}, `The cluster refused to set quotas: UNSUPPORTED_VERSION (35), "not yet".`, ""},
		{&RefusedError{Op: OpDeleteRules, Code: 99}, "The cluster refused to delete ACL rules: error code 99.", ""},
		{&RefusedError{Op: OpListQuotas, Code: 35}, "The broker refused to list quotas: UNSUPPORTED_VERSION (35).", ""},
		{&RefusedError{Op: OpCreateToken, Code: 35}, "The cluster's metadata.version is too old for delegation tokens: it needs 3.6-IV2.",
			"Once all brokers run Kafka 3.6 or later, raise metadata.version (kafka-features.sh upgrade)."},
	} {
		if tc.err.Error() != tc.text || tc.err.Hint() != tc.hint {
			t.Errorf("%q, %q", tc.err, tc.err.Hint())
		}
	}
	dump := "Request Request(processor=5, connectionId=127.0.0.1:39094-1) needs ALTER permission."
	for _, code := range []Code{CodeClusterAuth, CodeSecurityDisabled} {
		if err := changeOutcome(OpAddRules, code, &dump); strings.Contains(err.Error(), "processor") || as[*RefusedError](t, err).Text != "" {
			t.Error(err)
		}
	}
}

func TestTextsOfRules(t *testing.T) {
	var groups []string
	for g := OfUser; g <= ruleGroups; g++ {
		groups = append(groups, g.String())
	}
	if diff := cmp.Diff([]string{"rules of this user", "rules for everyone", "rules on this user", "unknown group"}, groups); diff != "" {
		t.Error(diff)
	}
	if e := (&OldRulesError{What: "PREFIXED", Needs: "2.0"}); e.Error() != "This broker knows no PREFIXED rules, which need Kafka 2.0 or later." || e.Hint() != "" {
		t.Error(e)
	}
	some := &SomeRulesError{Op: OpAddRules, Results: []RuleResult{{Rule: createTokens}, {Err: &RefusedError{Op: OpAddRules, Code: 42}}}}
	if some.Hint() == "" || as[*RefusedError](t, some).Code != CodeInvalidRequest {
		t.Error(some)
	}
	cause := &RefusedError{Op: OpAddRules, Code: 31}
	replace := &ReplaceError{Err: cause}
	if replace.Hint() != cause.Hint() || !errors.Is(replace, cause) {
		t.Error(replace.Hint())
	}
	if e := (&ReplaceError{Wrong: createTokens, Err: errors.New("no connection")}); e.Error() != "no connection. The rule ALLOW User:bob CreateTokens on User User:alice was left as it is." || e.Hint() != "" {
		t.Error(e)
	}
	if err := nothingSent(cause); !strings.HasSuffix(err.Error(), "on the cluster. Nothing was sent.") || !errors.Is(err, cause) {
		t.Error(err)
	}
}

// A rule that the cluster found for a deletion and could not delete is not
// counted as removed.
func TestRuleThatIsFoundAndNotRemoved(t *testing.T) {
	results := []RuleResult{{Rule: createTokens}}
	m := matching(createTokens)
	m.ErrorCode, m.ErrorMessage = 42, kmsg.StringPtr("busy")
	removed(results, &kmsg.DeleteACLsResponse{Results: []kmsg.DeleteACLsResponseResult{{MatchingACLs: []kmsg.DeleteACLsResponseResultMatchingACL{m}}}})
	if e := as[*RefusedError](t, results[0].Err); e.Text != "busy" || results[0].Removed != nil {
		t.Errorf("%+v", results)
	}
}

func TestEntityWithPartsThatDtokDoesNotKnow(t *testing.T) {
	name := "a b"
	e := entityOf([]kmsg.DescribeClientQuotasResponseEntryEntity{{Type: "zone"}, {Type: "ip", Name: &name}, {Type: "user"}})
	if e != (Entity{User: DefaultPart(), Other: `ip="a b", zone=default`}) || e.Level() != 0 {
		t.Errorf("%+v", e)
	}
}
