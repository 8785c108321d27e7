package demo

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func describeScram(names ...string) *kmsg.DescribeUserSCRAMCredentialsRequest {
	req := kmsg.NewPtrDescribeUserSCRAMCredentialsRequest()
	req.Users = []kmsg.DescribeUserSCRAMCredentialsRequestUser{}
	for _, n := range names {
		req.Users = append(req.Users, kmsg.DescribeUserSCRAMCredentialsRequestUser{Name: n})
	}
	return req
}

func TestDescribeScramUsers(t *testing.T) {
	b, _ := bare(t, Cluster{})
	c := as(t, b, admin)
	null := kmsg.NewPtrDescribeUserSCRAMCredentialsRequest()
	for _, req := range []*kmsg.DescribeUserSCRAMCredentialsRequest{null, describeScram()} {
		r := do[*kmsg.DescribeUserSCRAMCredentialsResponse](c, req)
		if r.ErrorCode != 0 || text(r.ErrorMessage) != "" || len(r.Results) != len(Users()) {
			t.Fatalf("all: code %d, %d users", r.ErrorCode, len(r.Results))
		}
		if n := len(r.Results[0].CredentialInfos); n != 2 || r.Results[0].CredentialInfos[0].Iterations != 4096 {
			t.Errorf("%d mechanisms", n)
		}
	}
	r := do[*kmsg.DescribeUserSCRAMCredentialsResponse](c, describeScram("nouser"))
	if got := r.Results[0]; got.ErrorCode != 91 || text(got.ErrorMessage) != "Attempt to describe a user credential that does not exist: nouser" {
		t.Errorf("unknown user: %d %q", got.ErrorCode, text(got.ErrorMessage))
	}
	r = do[*kmsg.DescribeUserSCRAMCredentialsResponse](c, describeScram(alice, alice))
	if got := r.Results[0]; len(r.Results) != 1 || got.ErrorCode != 92 || text(got.ErrorMessage) != "Cannot describe SCRAM credentials for the same user twice in a single request: alice" {
		t.Errorf("twice: %d %q", got.ErrorCode, text(got.ErrorMessage))
	}
	r = do[*kmsg.DescribeUserSCRAMCredentialsResponse](as(t, b, alice), describeScram())
	if r.ErrorCode != 31 || text(r.ErrorMessage) != "(null)" || len(r.Results) != 0 {
		t.Errorf("without the right: %d %q", r.ErrorCode, text(r.ErrorMessage))
	}
	r = do[*kmsg.DescribeUserSCRAMCredentialsResponse](as(t, b, alice), describeScram(bob))
	if r.ErrorCode != 31 || len(r.Results) != 1 || r.Results[0].ErrorCode != 31 || r.Results[0].User != "" {
		t.Errorf("without the right, by name: %+v", r)
	}
}

// A null list without the right kills the connection, which stays open: what
// is sent after it is not answered either.
func TestDescribeScramUsersNullWithoutRight(t *testing.T) {
	b, _ := bare(t, Cluster{})
	c := as(t, b, alice)
	c.send(kmsg.NewPtrDescribeUserSCRAMCredentialsRequest())
	c.send(kmsg.NewPtrMetadataRequest())
	answered := make(chan error, 1)
	go func() {
		_, err := readFrame(c.in, 1<<20)
		answered <- err
	}()
	b.waitFor(t, func() bool { return b.Count(int16(kmsg.DescribeUserSCRAMCredentials)) == 1 })
	select {
	case err := <-answered:
		t.Fatalf("answered or closed: %v", err)
	default:
	}
	b.Close()
	if err := <-answered; err == nil {
		t.Error("answered at last")
	}
}

func TestAlterScramUsers(t *testing.T) {
	type del = kmsg.AlterUserSCRAMCredentialsRequestDeletion
	type up = kmsg.AlterUserSCRAMCredentialsRequestUpsertion
	b, _ := bare(t, Cluster{})
	c := as(t, b, admin)
	salted, err := pbkdf2.Key(sha256.New, "new-secret", []byte("salt"), 8192, 32)
	if err != nil {
		t.Fatal(err)
	}
	good := up{Name: "new", Mechanism: 1, Iterations: 8192, Salt: []byte("salt"), SaltedPassword: salted}
	edit := func(f func(*up)) []up { u := good; f(&u); return []up{u} }
	for _, tc := range []struct {
		name string
		dels []del
		ups  []up
		code int16
		text string
	}{
		{"new", nil, []up{good}, 0, "(null)"},
		{"delete", []del{{Name: bob, Mechanism: 2}}, nil, 0, "(null)"},
		{"delete again", []del{{Name: bob, Mechanism: 2}}, nil, 91, "Attempt to delete a user credential that does not exist"},
		{"no name", nil, edit(func(u *up) { u.Name = "" }), 93, "Username must not be empty"},
		{"too few", nil, edit(func(u *up) { u.Iterations = 4095 }), 93, "Too few iterations"},
		{"too many", nil, edit(func(u *up) { u.Iterations = 16385 }), 93, "Too many iterations"},
		{"mechanism 0", nil, edit(func(u *up) { u.Mechanism = 0 }), 33, "Unknown SCRAM mechanism"},
		{"mechanism 3", []del{{Name: alice, Mechanism: 3}}, nil, 33, "Unknown SCRAM mechanism"},
		{"twice", []del{{Name: "new", Mechanism: 1}}, []up{good}, 92, "A user credential cannot be altered twice in the same request"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := kmsg.NewPtrAlterUserSCRAMCredentialsRequest()
			req.Deletions, req.Upsertions = tc.dels, tc.ups
			r := do[*kmsg.AlterUserSCRAMCredentialsResponse](c, req)
			if len(r.Results) != 1 || r.Results[0].ErrorCode != tc.code || text(r.Results[0].ErrorMessage) != tc.text {
				t.Errorf("%+v", r.Results)
			}
			r = do[*kmsg.AlterUserSCRAMCredentialsResponse](as(t, b, alice), req)
			if len(r.Results) != 1 || r.Results[0].ErrorCode != 31 {
				t.Errorf("without the right: %+v", r.Results)
			}
		})
	}
	if code, _, _, _ := dial(t, b, SASLPlaintext).scram(scramSHA256, "new", "new-secret", ""); code != 0 {
		t.Errorf("sign-in with the new credential: code %d", code)
	}
	if code, _, step, _ := dial(t, b, SASLPlaintext).scram(scramSHA512, bob, "bob-secret", ""); code != 58 || step != 1 {
		t.Errorf("sign-in with the deleted credential: code %d at step %d", code, step)
	}
	info := do[*kmsg.DescribeUserSCRAMCredentialsResponse](c, describeScram("new")).Results[0].CredentialInfos
	if len(info) != 1 || info[0].Mechanism != 1 || info[0].Iterations != 8192 {
		t.Errorf("described: %+v", info)
	}
}
