package faults

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// frame is a message in a stream, as far as it is there.
type frame struct {
	at, size int // of the whole frame, with its length
	whole    bool
	body     []byte // without the length
}

// framesOf cuts a stream into frames. A length that makes no sense ends it.
func framesOf(b []byte) []frame {
	var out []frame
	for at := 0; at < len(b); {
		f := frame{at: at, size: len(b) - at}
		if len(b)-at >= 4 {
			n := int(int32(binary.BigEndian.Uint32(b[at:])))
			if n >= 0 && n <= len(b)-at-4 {
				f.size, f.whole = n+4, true
			}
			f.body = b[at+4 : at+f.size]
		}
		out = append(out, f)
		at += f.size
	}
	return out
}

// asked is a request that a client began to send.
type asked struct {
	frame
	key, version int16
	correlation  int32
	req          kmsg.Request // nil when it is not whole
}

// requestsOf reads a stream of requests.
func requestsOf(b []byte) []asked {
	var out []asked
	for _, f := range framesOf(b) {
		r := asked{frame: f, key: -1}
		head := kbin.Reader{Src: f.body}
		key, version, correlation := head.Int16(), head.Int16(), head.Int32()
		if head.Ok() {
			r.key, r.version, r.correlation = key, version, correlation
		}
		if req := kmsg.RequestForKey(key); head.Ok() && f.whole && req != nil {
			req.SetVersion(version)
			head.NullableString()
			if req.IsFlexible() {
				kmsg.SkipTags(&head)
			}
			if head.Ok() && req.ReadFrom(head.Src) == nil {
				r.req = req
			}
		}
		out = append(out, r)
	}
	return out
}

// isChange reports whether the request changes the cluster. What is not whole
// counts as one: its key may be all that is there.
func (a asked) isChange() bool {
	quotas, ok := a.req.(*kmsg.AlterClientQuotasRequest)
	return isChangeKey(a.key) && !(ok && quotas.ValidateOnly)
}

func isChangeKey(key int16) bool {
	switch kmsg.Key(key) {
	case kmsg.CreateDelegationToken, kmsg.RenewDelegationToken, kmsg.ExpireDelegationToken,
		kmsg.CreateACLs, kmsg.DeleteACLs, kmsg.AlterClientQuotas:
		return true
	}
	return false
}

// answerTo is the answer to a request, nil when none arrived that franz-go
// reads.
func answerTo(a asked, b []byte) kmsg.Response {
	for _, f := range framesOf(b) {
		if !f.whole || len(f.body) < 4 || int32(binary.BigEndian.Uint32(f.body)) != a.correlation {
			continue
		}
		resp := kmsg.ResponseForKey(a.key)
		if resp == nil {
			return nil
		}
		resp.SetVersion(a.version)
		body := kbin.Reader{Src: f.body[4:]}
		if resp.IsFlexible() && kmsg.Key(a.key) != kmsg.ApiVersions {
			kmsg.SkipTags(&body)
		}
		if !body.Ok() || resp.ReadFrom(body.Src) != nil {
			return nil
		}
		return resp
	}
	return nil
}

// codesOf are the error codes of the answer to a change.
func codesOf(resp kmsg.Response) []int16 {
	var out []int16
	switch r := resp.(type) {
	case *kmsg.CreateDelegationTokenResponse:
		out = append(out, r.ErrorCode)
	case *kmsg.RenewDelegationTokenResponse:
		out = append(out, r.ErrorCode)
	case *kmsg.ExpireDelegationTokenResponse:
		out = append(out, r.ErrorCode)
	case *kmsg.CreateACLsResponse:
		for _, e := range r.Results {
			out = append(out, e.ErrorCode)
		}
	case *kmsg.DeleteACLsResponse:
		for _, e := range r.Results {
			out = append(out, e.ErrorCode)
			for _, m := range e.MatchingACLs {
				out = append(out, m.ErrorCode)
			}
		}
	case *kmsg.AlterClientQuotasResponse:
		for _, e := range r.Entries {
			out = append(out, e.ErrorCode)
		}
	}
	return out
}
