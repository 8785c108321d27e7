package audit

import (
	"context"
	"slices"

	"dtok/kafka"
)

// Reader makes the requests that change nothing. kafka.Client is one.
type Reader interface {
	Users(context.Context) (kafka.UserList, error)
	Tokens(context.Context, kafka.Principal) (kafka.TokenList, error)
	TestSignIn(context.Context, kafka.Token, *kafka.Secret) (kafka.SignIn, error)
	Rules(context.Context, kafka.Principal) (kafka.RuleList, error)
	Quotas(context.Context, kafka.Principal) (kafka.QuotaList, error)
}

// Reads passes readings on and records each in a Trail once it has ended: who
// was shown which tokens. A reading that cannot be recorded goes on all the
// same, because it changes nothing; the Trail tells of it in Trouble, and how
// many were missed is recorded as soon as it can be.
type Reads struct {
	trail *Trail
	next  Reader
	at    site
}

// NewReads stands before next; session and environment are as for NewRecorder.
func NewReads(trail *Trail, next Reader, session func() kafka.Session, environment string) *Reads {
	return &Reads{trail: trail, next: next, at: site{session, environment}}
}

// readPartTokens bounds the length of a line: a reading may give back 100 000
// tokens.
const readPartTokens = 500

// Users records and passes on a reading of all users with their tokens.
func (r *Reads) Users(ctx context.Context) (kafka.UserList, error) {
	list, err := r.next.Users(ctx)
	read := ReadPart{Users: len(list.Users)}
	for from := kafka.FromTokens; from <= kafka.FromSCRAM; from++ {
		if list.Failed[from] != nil {
			read.Failed = append(read.Failed, from.String())
		}
	}
	r.record(KindListUsers, Token{}, &read, list.Tokens, err)
	return list, err
}

// Tokens records and passes on a reading of an owner's tokens, or of all.
func (r *Reads) Tokens(ctx context.Context, owner kafka.Principal) (kafka.TokenList, error) {
	list, err := r.next.Tokens(ctx, owner)
	read := ReadPart{}
	if !owner.IsZero() {
		read.Owner = owner.String()
	}
	r.record(kafka.OpListTokens, Token{}, &read, list.Tokens, err)
	return list, err
}

// Rules passes on a reading of ACL rules. They are no credentials, so who read
// them is not recorded.
func (r *Reads) Rules(ctx context.Context, user kafka.Principal) (kafka.RuleList, error) {
	return r.next.Rules(ctx, user)
}

// Quotas passes on a reading of quotas, unrecorded like that of rules.
func (r *Reads) Quotas(ctx context.Context, user kafka.Principal) (kafka.QuotaList, error) {
	return r.next.Quotas(ctx, user)
}

// TestSignIn records and passes on a sign-in test. It says which token was
// used, and nothing of the HMAC.
func (r *Reads) TestSignIn(ctx context.Context, t kafka.Token, hmac *kafka.Secret) (kafka.SignIn, error) {
	signIn, err := r.next.TestSignIn(ctx, t, hmac)
	r.record(kafka.OpTestSignIn, existing(t), nil, nil, err)
	return signIn, err
}

// record writes what a reading gave back, in one piece. A reading has no
// intent: if dtok is killed in the middle of it, nobody saw anything.
func (r *Reads) record(kind kafka.Op, token Token, read *ReadPart, tokens []kafka.Token, err error) {
	rec := r.at.located(r.trail.begun(kind))
	rec.Phase, rec.Token = Ended, token
	// Nothing was sent that could have changed anything, so that no reading
	// is "unknown": without an answer it has failed.
	rec.Outcome, rec.Problem = classify(err, kafka.PhaseChecking)
	if kind == kafka.OpTestSignIn && as[*kafka.SignInError](err) {
		rec.Outcome = Refused // elsewhere a refused sign-in is only in the way
	}
	if read == nil {
		r.trail.read([]Record{rec})
		return
	}
	read.Count = len(tokens)
	read.Parts = max((len(tokens)+readPartTokens-1)/readPartTokens, 1)
	var parts []Record
	for chunk := range slices.Chunk(tokens, readPartTokens) {
		parts = append(parts, part(rec, *read, len(parts)+1, chunk))
	}
	if len(parts) == 0 {
		parts = append(parts, part(rec, *read, 1, nil))
	}
	r.trail.read(parts)
}

func part(rec Record, read ReadPart, number int, tokens []kafka.Token) Record {
	read.Part, read.Tokens = number, make([]ReadToken, len(tokens))
	for i, t := range tokens {
		read.Tokens[i] = ReadToken{
			ID: t.ID, Owner: t.Owner.String(), Renewers: names(t.Renewers),
			Issued: Time{t.Issued}, Expires: Time{t.Expires}, MaxLifetimeEnds: Time{t.MaxLifetimeEnds},
		}
		if !t.Requester.IsZero() {
			read.Tokens[i].Requester = t.Requester.String()
		}
	}
	rec.Read = &read
	return rec
}
