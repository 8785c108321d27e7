package kafka

import (
	"errors"
	"strings"
)

// UserType is the only principal type that Kafka accepts for renewers and the
// type of every principal that its own authenticators make.
const UserType = "User"

// Principal names who a connection acts as. Both parts are case-sensitive and
// kept verbatim: a name may hold colons, commas, equals signs and spaces
// (User:CN=alice,OU=ops). The zero Principal means "not known".
type Principal struct {
	Type string
	Name string
}

// UserPrincipal returns the principal User:name.
func UserPrincipal(name string) Principal { return Principal{Type: UserType, Name: name} }

// IsZero reports whether p names nobody.
func (p Principal) IsZero() bool { return p == Principal{} }

// String is Kafka's own form, Type:Name, which is also the name of the User
// resource in ACL rules (KafkaPrincipal.toString). It is "" for the zero value.
func (p Principal) String() string {
	if p.IsZero() {
		return ""
	}
	return p.Type + ":" + p.Name
}

// Label is the form for people: the bare name for type User, Type:Name for
// every other type, and for a user whose bare name ParseUser would read
// otherwise.
func (p Principal) Label() string {
	if p.Type != UserType {
		return p.String()
	}
	if strings.Contains(p.Name, ":") || p.Name != strings.TrimSpace(p.Name) {
		if read, err := ParseUser(p.Name); err != nil || read != p {
			return p.String()
		}
	}
	return p.Name
}

// ParsePrincipal splits Type:Name at the first colon, as Kafka does
// (SecurityUtils.parseKafkaPrincipal). Both parts must be there.
func ParsePrincipal(s string) (Principal, error) {
	kind, name, ok := strings.Cut(s, ":")
	if !ok || kind == "" || name == "" {
		return Principal{}, errors.New("a principal is written Type:name, for example User:alice")
	}
	return Principal{Type: kind, Name: name}, nil
}

// ParseUser reads what a person types to name a user or a renewer: a bare name
// or User:name, with blanks around it dropped. Everything that does not begin
// with exactly "User:" is a name (spiffe://ns/sa), except where it looks like a
// principal of another type (Group:ops) or a misspelt one (user:carol), which
// Kafka would refuse with INVALID_PRINCIPAL_TYPE; these get an error that says
// what to type instead.
func ParseUser(s string) (Principal, error) {
	s = strings.TrimSpace(s)
	if name, ok := strings.CutPrefix(s, UserType+":"); ok {
		if name == "" {
			return Principal{}, errors.New("a name is missing after User:")
		}
		return UserPrincipal(name), nil
	}
	if s == "" {
		return Principal{}, errors.New("type a name, for example carol or User:carol")
	}
	kind, rest, ok := strings.Cut(s, ":")
	switch {
	case !ok || strings.HasPrefix(rest, "//"):
		return UserPrincipal(s), nil
	case strings.EqualFold(kind, UserType):
		return Principal{}, errors.New("the type is written User, with a capital U: User:" + rest)
	case strings.EqualFold(kind, "Group"), strings.HasSuffix(kind, "Principal"):
		return Principal{}, errors.New("only principals of type User can be named here, not " + kind +
			"; for a user whose name really begins so, type User:" + s)
	}
	return UserPrincipal(s), nil
}
