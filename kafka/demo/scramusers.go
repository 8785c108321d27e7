package demo

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// Codes of the SCRAM user requests that nothing else needs.
const (
	codeDuplicateResource      = 92
	codeUnacceptableCredential = 93
)

const maxIterations = 16384

// describeScramUsers answers DescribeUserScramCredentials. A null list from a
// caller without the right makes Kafka 4.4 fail while it builds the error: no
// answer comes, and the connection is dead though open (seen). That is what
// the second result false and c.dead say.
func (c *connection) describeScramUsers(req *kmsg.DescribeUserSCRAMCredentialsRequest) (kmsg.Response, bool) {
	resp := req.ResponseKind().(*kmsg.DescribeUserSCRAMCredentialsResponse)
	keep := true
	c.cluster.view(func(s *state, _ int64) {
		if !c.may(s, describe, clusterResource, clusterName) {
			if req.Users == nil && !c.cluster.setup.release.zookeeper {
				c.dead, keep = true, false
				return
			}
			resp.ErrorCode, resp.ErrorMessage = int16(kafka.CodeClusterAuth), nil
			for range req.Users {
				result := kmsg.NewDescribeUserSCRAMCredentialsResponseResult()
				result.ErrorCode, result.ErrorMessage = int16(kafka.CodeClusterAuth), nil
				resp.Results = append(resp.Results, result)
			}
			return
		}
		resp.ErrorMessage = c.success()
		if len(req.Users) == 0 {
			resp.Results = c.allScramUsers(s)
			return
		}
		times := map[string]int{}
		for _, u := range req.Users {
			times[u.Name]++
		}
		for user, n := range times {
			resp.Results = append(resp.Results, c.scramUser(s, user, n > 1))
		}
	})
	return resp, keep
}

func (c *connection) allScramUsers(s *state) []kmsg.DescribeUserSCRAMCredentialsResponseResult {
	names := map[string]bool{}
	for key := range s.scram {
		names[key.user] = true
	}
	out := make([]kmsg.DescribeUserSCRAMCredentialsResponseResult, 0, len(names))
	for user := range names {
		out = append(out, c.scramUser(s, user, false))
	}
	return out
}

// scramUser is one result: mechanisms and iterations, nothing secret.
func (c *connection) scramUser(s *state, user string, twice bool) kmsg.DescribeUserSCRAMCredentialsResponseResult {
	result := kmsg.NewDescribeUserSCRAMCredentialsResponseResult()
	result.User = user
	fail := func(code int16, text string) kmsg.DescribeUserSCRAMCredentialsResponseResult {
		result.ErrorCode, result.ErrorMessage = code, &text
		return result
	}
	if twice {
		return fail(codeDuplicateResource, "Cannot describe SCRAM credentials for the same user twice in a single request: "+user)
	}
	for _, m := range []scramMechanism{scramSHA256, scramSHA512} {
		if cred, ok := s.scram[credentialKey{user, m}]; ok {
			info := kmsg.NewDescribeUserSCRAMCredentialsResponseResultCredentialInfo()
			info.Mechanism, info.Iterations = int8(m), int32(cred.iterations)
			result.CredentialInfos = append(result.CredentialInfos, info)
		}
	}
	if result.CredentialInfos == nil {
		return fail(int16(kafka.CodeResourceNotFound), "Attempt to describe a user credential that does not exist: "+user)
	}
	result.ErrorMessage = c.success()
	return result
}

// alterScramUsers answers AlterUserScramCredentials (ScramControlManager).
func (c *connection) alterScramUsers(req *kmsg.AlterUserSCRAMCredentialsRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.AlterUserSCRAMCredentialsResponse)
	c.cluster.view(func(s *state, now int64) {
		alteration := newScramAlteration(req)
		switch {
		case !c.may(s, alter, clusterResource, clusterName):
			alteration.failAll(int16(kafka.CodeClusterAuth), c.needs("ALTER"))
		case !c.cluster.setup.scramSupported():
			text := "The current metadata.version does not support SCRAM"
			alteration.failAll(int16(kafka.CodeUnsupportedVersion), &text)
		default:
			alteration.check(&c.cluster.written)
		}
		for _, user := range alteration.users {
			result := kmsg.NewAlterUserSCRAMCredentialsResponseResult()
			result.User, result.ErrorMessage = user, nil
			if f, bad := alteration.faults[user]; bad {
				result.ErrorCode, result.ErrorMessage = f.code, f.message
			} else {
				c.cluster.write(now, alteration.changes[user])
			}
			resp.Results = append(resp.Results, result)
		}
	})
	return resp
}

// scramAlteration sorts out an AlterUserScramCredentials request user by user.
type scramAlteration struct {
	req     *kmsg.AlterUserSCRAMCredentialsRequest
	users   []string // each once, in order of appearance
	changes map[string]record
	faults  map[string]scramFault
}

type scramFault struct {
	code    int16
	message *string
}

func newScramAlteration(req *kmsg.AlterUserSCRAMCredentialsRequest) *scramAlteration {
	a := &scramAlteration{req: req, changes: map[string]record{}, faults: map[string]scramFault{}}
	named := map[string]bool{}
	for _, name := range a.names() {
		if !named[name] {
			named[name] = true
			a.users = append(a.users, name)
		}
	}
	return a
}

func (a *scramAlteration) names() []string {
	var names []string
	for _, d := range a.req.Deletions {
		names = append(names, d.Name)
	}
	for _, u := range a.req.Upsertions {
		names = append(names, u.Name)
	}
	return names
}

func (a *scramAlteration) fail(user string, code int16, text string) {
	if _, already := a.faults[user]; !already {
		a.faults[user] = scramFault{code, &text}
	}
}

func (a *scramAlteration) failAll(code int16, message *string) {
	for _, u := range a.users {
		a.faults[u] = scramFault{code, message}
	}
}

func (a *scramAlteration) check(s *state) {
	for _, d := range a.req.Deletions {
		key := credentialKey{d.Name, scramMechanism(d.Mechanism)}
		switch {
		case a.refused(d.Name, d.Mechanism):
		case s.scram[key] == nil:
			a.fail(d.Name, int16(kafka.CodeResourceNotFound), "Attempt to delete a user credential that does not exist")
		default:
			a.change(d.Name, func(s *state) { delete(s.scram, key) })
		}
	}
	for _, u := range a.req.Upsertions {
		key := credentialKey{u.Name, scramMechanism(u.Mechanism)}
		switch {
		case a.refused(u.Name, u.Mechanism):
		case u.Iterations < minIterations:
			a.fail(u.Name, codeUnacceptableCredential, "Too few iterations")
		case u.Iterations > maxIterations:
			a.fail(u.Name, codeUnacceptableCredential, "Too many iterations")
		default:
			cred := saltedCredential(key.mechanism, u.Salt, int(u.Iterations), u.SaltedPassword)
			a.change(u.Name, func(s *state) { s.scram[key] = cred })
		}
	}
}

// refused makes the checks that deletions and upsertions share.
func (a *scramAlteration) refused(user string, mechanism int8) bool {
	switch {
	case a.changes[user] != nil:
		a.fail(user, codeDuplicateResource, "A user credential cannot be altered twice in the same request")
	case user == "":
		a.fail(user, codeUnacceptableCredential, "Username must not be empty")
	case scramMechanism(mechanism) != scramSHA256 && scramMechanism(mechanism) != scramSHA512:
		a.fail(user, int16(kafka.CodeUnsupportedMech), "Unknown SCRAM mechanism")
	}
	_, bad := a.faults[user]
	return bad
}

func (a *scramAlteration) change(user string, r record) { a.changes[user] = r }
