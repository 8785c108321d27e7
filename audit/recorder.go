package audit

import (
	"context"
	"errors"
	"strings"

	"dtok/kafka"
)

// Recorder passes changes on and records each in a Trail, in the goroutine of
// its caller: the outcome is kept even when nobody is left to show it to.
//
// Its methods return an *IntentError when nothing was sent because it could not
// be recorded, and otherwise exactly what it stands before returns: an outcome that
// cannot be written does not turn a change that was done into a failed one (a
// new token's HMAC would be lost). The Trail keeps such an outcome and tells of
// it in Trouble.
type Recorder struct {
	trail *Trail
	next  kafka.Changer
	at    site
}

// NewRecorder stands before next. Session tells what is known by now of the
// connection that next uses; the environment is its name in dtok's
// configuration, "" where it has none.
func NewRecorder(trail *Trail, next kafka.Changer, session func() kafka.Session, environment string) *Recorder {
	return &Recorder{trail: trail, next: next, at: site{session, environment}}
}

// CreateToken records and passes on the making of a token.
func (r *Recorder) CreateToken(ctx context.Context, req kafka.CreateRequest) (kafka.Created, error) {
	if req.Progress == nil {
		req.Progress = new(kafka.Progress)
	}
	intent := r.intent(kafka.OpCreateToken)
	intent.Token = Token{
		Owner:       req.Owner.String(),
		Requester:   intent.Who.Principal,
		Renewers:    names(req.Renewers),
		AskedMillis: req.MaxLifetime.Wire(),
	}
	return record(ctx, r, intent, req.Progress,
		func() (kafka.Created, error) { return r.next.CreateToken(ctx, req) },
		func(r *Record, made kafka.Created) {
			t := &r.Token
			*t = Token{
				ID:              made.Token.ID,
				Owner:           made.Token.Owner.String(),
				Requester:       t.Requester,
				Renewers:        names(made.Token.Renewers),
				AskedMillis:     t.AskedMillis,
				Issued:          Time{made.Token.Issued},
				Expires:         Time{made.Token.Expires},
				MaxLifetimeEnds: Time{made.Token.MaxLifetimeEnds},
			}
			if !made.Token.Requester.IsZero() {
				t.Requester = made.Token.Requester.String()
			}
		})
}

// RenewToken records and passes on a renewal.
func (r *Recorder) RenewToken(ctx context.Context, req kafka.RenewRequest) (kafka.Renewed, error) {
	defer req.HMAC.Destroy() // also where the request never reaches the client
	if req.Progress == nil {
		req.Progress = new(kafka.Progress)
	}
	intent := r.intent(kafka.OpRenewToken)
	intent.Token = existing(req.Token)
	intent.Token.AskedMillis = req.Period.Wire()
	return record(ctx, r, intent, req.Progress,
		func() (kafka.Renewed, error) { return r.next.RenewToken(ctx, req) },
		func(r *Record, done kafka.Renewed) {
			t := &r.Token
			t.ExpiresBefore = Time{done.Before}
			t.Expires = Time{done.Token.Expires}
			t.MaxLifetimeEnds = Time{done.Token.MaxLifetimeEnds}
		})
}

// ExpireToken records and passes on the end of a token. It needs a reason that
// is more than blanks; without one it returns a *NoReasonError.
func (r *Recorder) ExpireToken(ctx context.Context, req kafka.ExpireRequest) (kafka.Expired, error) {
	defer req.HMAC.Destroy()
	if strings.TrimSpace(req.Reason) == "" {
		return kafka.Expired{}, &NoReasonError{Op: kafka.OpExpireToken}
	}
	if req.Progress == nil {
		req.Progress = new(kafka.Progress)
	}
	intent := r.intent(kafka.OpExpireToken)
	intent.Token = existing(req.Token)
	intent.Reason = strings.TrimSpace(req.Reason)
	return record(ctx, r, intent, req.Progress,
		func() (kafka.Expired, error) { return r.next.ExpireToken(ctx, req) },
		func(r *Record, done kafka.Expired) {
			r.Token.ExpiresBefore = Time{done.Before}
			r.Token.Stopped = Time{done.At}
		})
}

// record makes the records of one change, of whatever kind, in the order that
// makes the trail worth something: the intent is durable, then the change is
// sent, then its outcome is written. tell puts what the cluster confirmed into
// the outcome's record, which begins as a copy of the intent.
func record[R any](
	ctx context.Context, r *Recorder, intent Record, progress *kafka.Progress,
	send func() (R, error), tell func(*Record, R),
) (R, error) {
	if err := r.trail.begin(ctx, intent); err != nil {
		var none R
		return none, err
	}
	returned := false
	defer func() {
		if !returned { // a panic in send, which goes on from here
			r.trail.end(r.outcome(intent, Unknown, &Problem{Text: "dtok failed while the change was running"}))
		}
	}()
	result, err := send()
	returned = true

	outcome, problem := classify(err, progress.Phase())
	rec := r.outcome(intent, outcome, problem)
	if answered(err) {
		tell(&rec, result)
	}
	var wrong *kafka.WrongOwnerError
	if errors.As(err, &wrong) {
		rec.Token.ID = wrong.TokenID
		rec.Token.Owner, rec.Token.AskedOwner = wrong.Got.String(), wrong.Asked.String()
		rec.Token.ExpiredAtOnce = wrong.Expired
	}
	r.trail.end(rec)
	return result, err
}

// intent is the first record of a change.
func (r *Recorder) intent(kind kafka.Op) Record {
	rec := r.trail.begun(kind)
	rec.Phase = Intent
	return r.at.located(rec)
}

func (r *Recorder) outcome(intent Record, o Outcome, p *Problem) Record {
	rec := ended(intent, o, p)
	rec.Time = Time{r.trail.now()}
	return r.at.located(rec)
}

// site is the connection that requests go to.
type site struct {
	session     func() kafka.Session
	environment string
}

// located says where a request goes. The connection may learn its cluster's
// id while a change is running.
func (s site) located(rec Record) Record {
	now := s.session()
	rec.Who.Principal = now.Principal.String()
	rec.Where = Where{Environment: s.environment, ClusterID: now.ClusterID, Address: now.Address}
	return rec
}

// existing is what dtok knows of a token before it changes it.
func existing(t kafka.Token) Token {
	return Token{
		ID:            t.ID,
		Owner:         t.Owner.String(),
		ExpiresBefore: Time{t.Expires},
	}
}
