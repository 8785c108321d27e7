package kafka

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// AddCommand is the kafka-acls call that adds the same rule through bootstrap
// (HOST:PORT, several with commas), in the syntax of a POSIX shell. Where the
// tool cannot express the rule the error says why.
func (r ACLRule) AddCommand(bootstrap string) (string, error) {
	return r.command(bootstrap, "--add")
}

// RemoveCommand is the kafka-acls call that removes exactly this rule, after
// the tool's own question.
func (r ACLRule) RemoveCommand(bootstrap string) (string, error) {
	return r.command(bootstrap, "--remove")
}

// command follows AclCommand and its options as of Kafka 4.4.
func (r ACLRule) command(bootstrap, action string) (string, error) {
	resource, err := r.resourceOption()
	if err != nil {
		return "", err
	}
	if !r.Meaningful() {
		// AclCommand.validateOperation, for removing as well.
		return "", fmt.Errorf("kafka-acls takes no %s on a %s resource", r.Operation, r.ResourceType)
	}
	who, from := "--allow-principal", "--allow-host"
	switch r.Permission {
	case PermissionAllow:
	case PermissionDeny:
		who, from = "--deny-principal", "--deny-host"
	default:
		return "", fmt.Errorf("kafka-acls knows no %s", r.Permission)
	}
	if _, err := ParsePrincipal(r.Principal); err != nil {
		return "", errors.New("kafka-acls takes no principal that is not written Type:name")
	}
	// The tool drops blanks around most values, and nothing can keep them.
	for _, s := range []string{r.Principal, r.Host, r.ResourceName} {
		if s != javaTrim(s) {
			return "", fmt.Errorf("kafka-acls drops the blanks around %s", legible(s))
		}
		if s == "" {
			return "", errors.New("kafka-acls takes no empty name")
		}
	}
	args := []string{"kafka-acls.sh", "--bootstrap-server", bootstrap, "--command-config", "client.properties", action}
	args = append(args, resource...)
	args = append(args, who, r.Principal, from, r.Host, "--operation", r.Operation.String())
	for i, a := range args {
		args[i] = shellQuote(a)
	}
	return strings.Join(args, " "), nil
}

// resourceOption names the resource and its pattern type.
func (r ACLRule) resourceOption() ([]string, error) {
	if !known(patternNames, int8(r.Pattern)) {
		return nil, fmt.Errorf("kafka-acls knows no %s", r.Pattern)
	}
	option := ""
	switch r.ResourceType {
	case ResourceTopic:
		option = "--topic"
	case ResourceGroup:
		option = "--group"
	case ResourceTransactionalID:
		option = "--transactional-id"
	case ResourceDelegationToken:
		option = "--delegation-token"
	case ResourceUser:
		option = "--user-principal"
	case ResourceCluster:
		if r.ResourceName != ClusterName || r.Pattern != PatternLiteral {
			return nil, errors.New("kafka-acls knows the cluster by one name only, " + ClusterName)
		}
		return []string{"--cluster"}, nil
	default:
		return nil, fmt.Errorf("kafka-acls has no option for a resource of %s", r.ResourceType)
	}
	return []string{option, r.ResourceName, "--resource-pattern-type", strings.ToLower(r.Pattern.String())}, nil
}

// javaTrim is String.trim, which takes off everything up to the blank.
func javaTrim(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }

// shellQuote writes one argument for a shell. Control characters and bytes
// that are no text become escapes in $'…', which bash, zsh and ksh read: in
// their raw form they would not survive a copy from a terminal.
func shellQuote(s string) string {
	safe, visible := s != "", utf8.ValidString(s)
	for _, r := range s {
		switch {
		case r < ' ' || r >= 0x7f && r <= 0x9f:
			visible = false
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("-_.,:/@=+", r):
		default:
			safe = false
		}
	}
	switch {
	case !visible:
		return ansiQuote(s)
	case safe:
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ansiQuote is $'…' with every byte escaped that is not plain ASCII. Three
// octal digits cannot run into what follows them, as \x can.
func ansiQuote(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
