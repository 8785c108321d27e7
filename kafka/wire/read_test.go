package wire_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/wire"
)

// Every prefix of a right answer is a wrong one, at every version.
func TestCutAnswersAreErrors(t *testing.T) {
	for v := int16(0); v <= 3; v++ {
		_, created := createResponse(v)
		_, described := describeResponse(v)
		whole := created.AppendTo(nil)
		for n := range whole {
			if _, err := wire.ReadCreate(v, whole[:n]); err == nil {
				t.Fatalf("create v%d cut to %d of %d bytes was accepted", v, n, len(whole))
			}
		}
		whole = described.AppendTo(nil)
		for n := range whole {
			if _, _, err := wire.ReadDescribe(v, whole[:n], newPrincipal, keepAll); err == nil {
				t.Fatalf("describe v%d cut to %d of %d bytes was accepted", v, n, len(whole))
			}
		}
	}
}

// Zeros are a null where none may be, and an answer that goes on is another one:
// neither may pass as a success, whose code is 0.
func TestAnswersWithoutSenseAreErrors(t *testing.T) {
	for v := int16(0); v <= 3; v++ {
		_, created := createResponse(v)
		_, described := describeResponse(v)
		zeros := make([]byte, 127)
		for name, body := range map[string][]byte{"zeros": zeros, "longer": append(created.AppendTo(nil), 0)} {
			if a, err := wire.ReadCreate(v, body); err == nil {
				t.Errorf("create v%d, %s: %+v", v, name, a)
			}
			if a, err := wire.ReadRenew(v%3, append(make([]byte, 15), 0)); err == nil {
				t.Errorf("renew v%d, longer: %+v", v%3, a)
			}
		}
		if _, _, err := wire.ReadDescribe(v, append(described.AppendTo(nil), 0), newPrincipal, keepAll); err == nil {
			t.Errorf("describe v%d, longer: accepted", v)
		}
	}
}

// What kafka-go's decoder would allocate without a look at the bytes left.
func TestAnnouncedLengthsAreNotBelieved(t *testing.T) {
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f} // 2^32-1 as an unsigned varint
	endless := bytes.Repeat([]byte{0xff}, 40)    // a varint without an end
	for name, body := range map[string][]byte{
		"array":         append([]byte{0, 0}, huge...),
		"array v0":      {0, 0, 0x7f, 0xff, 0xff, 0xff},
		"negative":      {0, 0, 0x80, 0, 0, 0},
		"endless":       append([]byte{0, 0}, endless...),
		"string":        append([]byte{0, 0, 2}, append(bytes.Clone(huge), make([]byte, 40)...)...),
		"empty":         {},
		"half a number": {0},
	} {
		for v := int16(0); v <= 3; v++ {
			allocated := testing.AllocsPerRun(1, func() {
				if _, _, err := wire.ReadDescribe(v, body, newPrincipal, keepAll); err == nil {
					// v0 reads other fields out of the same bytes; only a
					// wrong answer matters here.
					t.Logf("%s v%d is a valid answer", name, v)
				}
			})
			if allocated > 50 {
				t.Errorf("%s v%d: %v allocations", name, v, allocated)
			}
		}
	}
	if _, _, err := wire.Body(append([]byte{0, 0, 0, 1, 3}, huge...), true); err == nil {
		t.Error("a header with a tag longer than the frame was accepted")
	}
	if id, body, err := wire.Body([]byte{0, 0, 0, 9, 1, 0, 2, 'x', 'y', 'z'}, true); err != nil || id != 9 || string(body) != "z" {
		t.Errorf("a header with one tag: id %d, body %q, %v", id, body, err)
	}
}

func TestDescribeKeepsWhatItIsAskedFor(t *testing.T) {
	_, theirs := describeResponse(3)
	body := theirs.AppendTo(nil)
	made := 0
	ids, _, err := wire.ReadDescribe(3, body, func(kind, name string) string { made++; return kind + ":" + name },
		func(d wire.Described[string]) (string, bool) {
			if !bytes.Contains(body, d.HMAC) || &d.HMAC[0] != &body[bytes.Index(body, d.HMAC)] {
				t.Error("the HMAC is a copy")
			}
			return d.ID, d.Owner == "User:owner1"
		})
	if err != nil || fmt.Sprint(ids) != "[t-2 t-3]" {
		t.Errorf("kept %v, %v", ids, err)
	}
	if made != 6 { // owner0, owner1, ops, r0, r1, r2
		t.Errorf("%d principals were made, 6 are different", made)
	}
}

// big is an answer like the broker's for n tokens: 2 000 owners, one renewer.
func big(n int) []byte {
	r := kmsg.NewPtrDescribeDelegationTokenResponse()
	r.SetVersion(3)
	r.TokenDetails = make([]kmsg.DescribeDelegationTokenResponseTokenDetail, n)
	for i := range r.TokenDetails {
		d := &r.TokenDetails[i]
		d.PrincipalType, d.PrincipalName = "User", fmt.Sprintf("job-%04d", i%2000)
		d.TokenRequesterPrincipalType, d.TokenRequesterPrincipalName = "User", "ops"
		d.IssueTimestamp, d.ExpiryTimestamp, d.MaxTimestamp = 1764500000000, 1764586400000, 1765104800000
		d.TokenID, d.HMAC = fmt.Sprintf("tok%019d", i), hmac
		d.Renewers = []kmsg.DescribeDelegationTokenResponseTokenDetailRenewer{{PrincipalType: "User", PrincipalName: "ops"}}
	}
	return r.AppendTo(nil)
}

func BenchmarkReadDescribe(b *testing.B) {
	type row struct {
		id               string
		owner, requester *wire.Principal
		ms               [3]int64
		renewers         []*wire.Principal
	}
	for _, n := range []int{1000, 10000, 100000} {
		body := big(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				got, _, err := wire.ReadDescribe(3, body,
					func(kind, name string) *wire.Principal { return &wire.Principal{Type: kind, Name: name} },
					func(d wire.Described[*wire.Principal]) (row, bool) {
						return row{d.ID, d.Owner, d.Requester, [3]int64{d.IssuedMs, d.ExpiresMs, d.MaxMs}, d.Renewers}, true
					})
				if err != nil || len(got) != n {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

func FuzzReadDescribe(f *testing.F) {
	for v := int16(0); v <= 3; v++ {
		_, theirs := describeResponse(v)
		f.Add(v, theirs.AppendTo(nil))
	}
	f.Add(int16(3), []byte{0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Add(int16(0), []byte{0, 0, 0x7f, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, v int16, body []byte) {
		v &= 3
		tokens, code, err := wire.ReadDescribe(v, body, newPrincipal, keepAll)
		if err != nil {
			return
		}
		// What we accept, kmsg must read in the same way.
		oracle := kmsg.NewPtrDescribeDelegationTokenResponse()
		oracle.SetVersion(v)
		if err := oracle.ReadFrom(body); err != nil {
			t.Fatalf("kmsg refuses what we read as %d tokens: %v", len(tokens), err)
		}
		if code != oracle.ErrorCode || len(tokens) != len(oracle.TokenDetails) {
			t.Fatalf("code %d, %d tokens; kmsg code %d, %d tokens", code, len(tokens), oracle.ErrorCode, len(oracle.TokenDetails))
		}
		for i, tok := range tokens {
			k := oracle.TokenDetails[i]
			if tok.ID != k.TokenID || !bytes.Equal(tok.HMAC, k.HMAC) || tok.Owner.Name != k.PrincipalName ||
				tok.Requester.Name != k.TokenRequesterPrincipalName || len(tok.Renewers) != len(k.Renewers) ||
				tok.ExpiresMs != k.ExpiryTimestamp {
				t.Fatalf("token %d: %+v, kmsg %+v", i, tok, k)
			}
		}
	})
}

func FuzzReadAnswers(f *testing.F) {
	for v := int16(0); v <= 3; v++ {
		_, theirs := createResponse(v)
		f.Add(v, theirs.AppendTo(nil))
	}
	f.Fuzz(func(t *testing.T, v int16, body []byte) {
		v &= 3
		if a, err := wire.ReadCreate(v, body); err == nil {
			oracle := kmsg.NewPtrCreateDelegationTokenResponse()
			oracle.SetVersion(v)
			if err := oracle.ReadFrom(body); err != nil {
				t.Fatalf("kmsg refuses what we read: %v", err)
			}
			if a.TokenID != oracle.TokenID || !bytes.Equal(a.HMAC, oracle.HMAC) || a.OwnerName != oracle.PrincipalName {
				t.Fatalf("%+v, kmsg %+v", a, oracle)
			}
		}
		_, _ = wire.ReadRenew(v%3, body)
		_, _, _ = wire.Body(body, v >= 2)
	})
}

// BenchmarkKmsgUnsafe is what ReadDescribe is measured against.
func BenchmarkKmsgUnsafe(b *testing.B) {
	body := big(100000)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r := kmsg.NewPtrDescribeDelegationTokenResponse()
		r.SetVersion(3)
		if err := r.UnsafeReadFrom(body); err != nil {
			b.Fatal(err)
		}
	}
}
