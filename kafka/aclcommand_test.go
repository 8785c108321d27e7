package kafka

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestKafkaACLsCommand(t *testing.T) {
	const tool = "kafka-acls.sh --bootstrap-server b:9092 --command-config client.properties "
	for _, tc := range []struct {
		rule ACLRule
		want string
		err  string
	}{
		{rule(ResourceUser, "User:alice", "User:bob", OperationCreateTokens),
			"--user-principal User:alice --resource-pattern-type literal --allow-principal User:bob --allow-host '*' --operation CreateTokens", ""},
		{denied(prefixed(rule(ResourceTopic, "pay ment$", "User:CN=a,OU=b's", OperationAll))),
			`--topic 'pay ment$' --resource-pattern-type prefixed --deny-principal 'User:CN=a,OU=b'\''s' --deny-host '*' --operation All`, ""},
		{rule(ResourceCluster, "kafka-cluster", "User:*", OperationDescribe),
			"--cluster --allow-principal 'User:*' --allow-host '*' --operation Describe", ""},
		{rule(ResourceDelegationToken, "*", "User:bob", OperationDescribe),
			"--delegation-token '*' --resource-pattern-type literal --allow-principal User:bob --allow-host '*' --operation Describe", ""},
		{rule(ResourceGroup, "пять", "User:bob", OperationRead),
			"--group 'пять' --resource-pattern-type literal --allow-principal User:bob --allow-host '*' --operation Read", ""},
		{rule(ResourceTransactionalID, "a\nb\x1bc", "User:bob", OperationTwoPhaseCommit),
			`--transactional-id $'a\012b\033c' --resource-pattern-type literal --allow-principal User:bob --allow-host '*' --operation TwoPhaseCommit`, ""},
		{rule(ResourceTopic, "t", "User:bob", OperationCreateTokens), "", "takes no CreateTokens on a Topic"},
		{rule(99, "t", "User:bob", OperationRead), "", "type 99"},
		{rule(ResourceTopic, "t", "User:bob", 99), "", "operation 99"},
		{with(rule(ResourceTopic, "t", "User:bob", OperationRead), func(r *ACLRule) { r.Permission = 7 }), "", "permission 7"},
		{with(rule(ResourceTopic, "t", "User:bob", OperationRead), func(r *ACLRule) { r.Pattern = 7 }), "", "pattern 7"},
		{prefixed(rule(ResourceCluster, "kafka-cluster", "User:bob", OperationAlter)), "", "one name only"},
		{rule(ResourceTopic, " t", "User:bob", OperationRead), "", "drops the blanks"},
		{rule(ResourceTopic, "t", "User:bob ", OperationRead), "", "drops the blanks"},
		{rule(ResourceTopic, "t", "bob", OperationRead), "", "Type:name"},
		{rule(ResourceTopic, "", "User:bob", OperationRead), "", "empty name"},
	} {
		add, err := tc.rule.AddCommand("b:9092")
		if tc.err != "" {
			if err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: %q, %v", tc.rule, add, err)
			}
			continue
		}
		if err != nil || add != tool+"--add "+tc.want {
			t.Errorf("%s\ngot  %s\nwant %s\n%v", tc.rule, add, tool+"--add "+tc.want, err)
		}
		if remove, err := tc.rule.RemoveCommand("b:9092"); err != nil || remove != tool+"--remove "+tc.want {
			t.Errorf("%s\ngot  %s\n%v", tc.rule, remove, err)
		}
	}
}

// FuzzRuleText checks that a shell gives kafka-acls exactly the rule's own
// names, and that no text of a rule carries a control character.
func FuzzRuleText(f *testing.F) {
	f.Add("User:alice", "User:bob", "*", int8(7), int8(13))
	f.Add(`it's $HOME "x" \ ; rm -rf`, "User:CN=a,OU=b c", "10.0.0.1", int8(2), int8(3))
	f.Add("a\x00b\x7f\u0085\n9", "User:\xff\xfe", "h\t7", int8(2), int8(2))
	f.Add("-x", "User:--add", "-", int8(3), int8(3))
	f.Fuzz(func(t *testing.T, name, principal, host string, kind, op int8) {
		r := ACLRule{ResourceType(kind), name, PatternLiteral, principal, host, Operation(op), PermissionAllow}
		if text := r.String(); utf8.ValidString(name+principal+host) && strings.ContainsFunc(text, func(c rune) bool { return !strconv.IsPrint(c) }) {
			t.Errorf("%q", text)
		}
		_ = r.Warnings()
		_, _ = r.NeverMatches()
		_ = r.CheckAdd()
		line, err := r.AddCommand("b:9092")
		if err != nil {
			return
		}
		if strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			t.Errorf("control character in %q", line)
		}
		words, ok := shellWords(line)
		if !ok {
			t.Fatalf("not shell: %s", line)
		}
		at := func(option string) string { return words[slices.Index(words, option)+1] }
		if got := words[len(words)-6:]; got[0] != "--allow-principal" || got[1] != principal || got[2] != "--allow-host" || got[3] != host || got[5] != r.Operation.String() {
			t.Errorf("%q of %q", got, line)
		}
		if r.ResourceType != ResourceCluster && words[7] != name || at("--bootstrap-server") != "b:9092" {
			t.Errorf("%q", words)
		}
	})
}

// shellWords splits a command line by the rules of a shell for plain words,
// '…', backslashes outside of quotes and $'…' with octal escapes.
func shellWords(line string) (words []string, ok bool) {
	var word []byte
	started := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			if started {
				words, word, started = append(words, string(word)), nil, false
			}
		case c == '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word, started = append(word, line[i+1:i+1+end]...), true
			i += end + 1
		case c == '$' && strings.HasPrefix(line[i:], "$'"):
			started = true
			for i += 2; ; i++ {
				if i >= len(line) {
					return nil, false
				}
				if line[i] == '\'' {
					break
				}
				if line[i] != '\\' {
					word = append(word, line[i])
					continue
				}
				if n, err := strconv.ParseUint(line[i+1:min(i+4, len(line))], 8, 8); err == nil {
					word = append(word, byte(n))
					i += 3
					continue
				}
				i++
				word = append(word, line[i])
			}
		case c == '\\':
			i++
			word, started = append(word, line[i]), true
		case strings.IndexByte("$`\"|&;<>()*?[]#~!{}\n", c) >= 0:
			return nil, false
		default:
			word, started = append(word, c), true
		}
	}
	if started {
		words = append(words, string(word))
	}
	return words, true
}
