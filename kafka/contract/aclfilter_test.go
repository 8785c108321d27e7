package contract

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

func aclFilterCases() []contractCase {
	return []contractCase{
		{"ACL filters: name and pattern", aclFilterPattern, since("2.0")},
		{"ACL filters: principal, host, operation, permission, resource type", aclFilterFields, always},
		{"ACL filters: the same rules are deleted as are listed", aclFilterDeletes, since("2.0")},
	}
}

func aclFilterPattern(e *env) {
	admin := e.admin()
	team := e.fresh("team")
	principal := "User:" + e.fresh("u")
	literal := topicRule(principal, team+"-job", kmsg.ACLOperationRead)
	prefix := topicRule(principal, team, kmsg.ACLOperationRead)
	prefix.prefixed = true
	prefixWhole := literal
	prefixWhole.prefixed = true
	star := topicRule(principal, "*", kmsg.ACLOperationRead)
	other := topicRule(principal, team+"-other", kmsg.ACLOperationRead)
	all := []rule{literal, prefix, prefixWhole, star, other}
	admin.addRules(all...)
	of := func(name string, pattern kmsg.ACLResourcePatternType) filter {
		f := filter{principal: &principal, pattern: pattern}
		if name != "" {
			f.name = &name
		}
		return f
	}
	e.await("the rules are listed", arrival, func() bool { return len(admin.rules(of("", 0))) == len(all) })
	const anyPattern, match, lit, pre = kmsg.ACLResourcePatternTypeAny, kmsg.ACLResourcePatternTypeMatch,
		kmsg.ACLResourcePatternTypeLiteral, kmsg.ACLResourcePatternTypePrefixed
	for _, test := range []struct {
		what   string
		filter filter
		want   []rule
	}{
		{"literal", of(team+"-job", lit), []rule{literal}},
		{"prefixed", of(team+"-job", pre), []rule{prefixWhole}},
		{"any", of(team+"-job", anyPattern), []rule{literal, prefixWhole}},
		{"match", of(team+"-job", match), []rule{literal, prefix, prefixWhole, star}},
		{"match of the prefix", of(team, match), []rule{prefix, star}},
		{"match of a star", of("*", match), []rule{star}},
		{"literal star", of("*", lit), []rule{star}},
		{"prefixed without a name", of("", pre), []rule{prefix, prefixWhole}},
		{"literal without a name", of("", lit), []rule{literal, star, other}},
		{"match without a name", of("", match), all},
		{"no such name", of(e.fresh("x"), anyPattern), []rule{}},
	} {
		equal(e, test.what, admin.rules(test.filter), ordered(append([]rule{}, test.want...)))
	}
	admin.deleteMatching(of("", 0))
}

func aclFilterFields(e *env) {
	admin := e.admin()
	name := e.fresh("t")
	a, b := "User:"+e.fresh("a"), "User:"+e.fresh("b")
	read := topicRule(a, name, kmsg.ACLOperationRead)
	hosted := read
	hosted.host = "192.0.2.1"
	denied := read
	denied.deny = true
	everybody := topicRule("User:*", name, kmsg.ACLOperationAll)
	others := topicRule(b, name, kmsg.ACLOperationWrite)
	group := read
	group.resource = kmsg.ACLResourceTypeGroup
	all := []rule{read, hosted, denied, everybody, others, group}
	admin.addRules(all...)
	str := func(s string) *string { return &s }
	of := func(change func(*filter)) filter { f := filter{name: &name}; change(&f); return f }
	e.await("the rules are listed", arrival, func() bool { return len(admin.rules(filter{name: &name})) == len(all) })
	for _, test := range []struct {
		what   string
		filter filter
		want   []rule
	}{
		{"principal", of(func(f *filter) { f.principal = &a }), []rule{read, hosted, denied, group}},
		{"principal User:* is a principal like any other", of(func(f *filter) { f.principal = str("User:*") }), []rule{everybody}},
		{"principal in part", of(func(f *filter) { f.principal = str(a[:8]) }), []rule{}},
		{"host", of(func(f *filter) { f.host = str("192.0.2.1") }), []rule{hosted}},
		{"host star", of(func(f *filter) { f.host = str("*") }), []rule{read, denied, everybody, others, group}},
		{"operation", of(func(f *filter) { f.operation = kmsg.ACLOperationRead }), []rule{read, hosted, denied, group}},
		{"operation all is one like any other", of(func(f *filter) { f.operation = kmsg.ACLOperationAll }), []rule{everybody}},
		{"permission", of(func(f *filter) { f.allowed = kmsg.ACLPermissionTypeDeny }), []rule{denied}},
		{"resource type", of(func(f *filter) { f.resource = kmsg.ACLResourceTypeGroup }), []rule{group}},
	} {
		equal(e, test.what, admin.rules(test.filter), ordered(append([]rule{}, test.want...)))
	}
	admin.deleteMatching(filter{name: &name})
}

func aclFilterDeletes(e *env) {
	admin := e.admin()
	name := e.fresh("t")
	read := topicRule("User:"+e.fresh("a"), name, kmsg.ACLOperationRead)
	prefix := read
	prefix.prefixed = true
	write := topicRule("User:"+e.fresh("b"), name, kmsg.ACLOperationWrite)
	admin.addRules(read, prefix, write)
	e.await("the rules are listed", arrival, func() bool { return len(admin.rules(filter{name: &name})) == 3 })
	nothing := e.fresh("x")
	equal(e, "filter by filter", admin.deleteMatching(
		filter{name: &name, pattern: kmsg.ACLResourcePatternTypePrefixed}, filter{name: &nothing}, exactly(write),
	), [][]rule{{prefix}, {}, {write}})
	e.await("one is left", arrival, func() bool { return len(admin.rules(filter{name: &name})) == 1 })
	equal(e, "what is left", admin.rules(filter{name: &name}), []rule{read})
	equal(e, "by match", admin.deleteMatching(filter{name: &name, pattern: kmsg.ACLResourcePatternTypeMatch, principal: &read.principal}), [][]rule{{read}})
}
