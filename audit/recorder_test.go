package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"dtok/kafka"
)

func TestRecordsOfEachChange(t *testing.T) {
	trail := newTrail(t, "")
	rec := recorder(trail, working(), "prod-eu")
	ctx := context.Background()
	if _, err := rec.CreateToken(ctx, kafka.CreateRequest{
		Owner:       kafka.UserPrincipal("bob"),
		Renewers:    []kafka.Principal{kafka.UserPrincipal("ops"), kafka.UserPrincipal("carol")},
		MaxLifetime: kafka.PeriodOf(24 * time.Hour),
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := rec.RenewToken(ctx, kafka.RenewRequest{Token: token(), HMAC: kafka.NewSecret(hmac1())}); err != nil {
		t.Fatal(err)
	}
	if _, err := expire(rec, "  worker retired \n"); err != nil {
		t.Fatal(err)
	}
	const who = `"who":{"os_user":"ann","host":"bastion","ssh_client":"192.0.2.7","principal":"User:ops"},` +
		`"where":{"environment":"prod-eu","cluster_id":"c-1","address":"k1:9093"},`
	head := func(kind, rest string) string {
		return `{"schema":2,"id":"ID","time":"2026-01-02T12:00:00.000Z","kind":"` + kind + `",` + rest + who
	}
	want := []string{
		head("create token", `"phase":"intent",`) +
			`"token":{"owner":"User:bob","requester":"User:ops","renewers":["User:ops","User:carol"],"asked_ms":86400000}}`,
		head("create token", `"phase":"outcome","outcome":"done",`) +
			`"token":{"id":"t-1","owner":"User:bob","requester":"User:ops","renewers":["User:ops","User:carol"],"asked_ms":86400000,` +
			`"issued":"2026-01-02T11:00:00.000Z","expires":"2026-01-02T13:00:00.000Z","max_lifetime_ends":"2026-01-03T12:00:00.000Z"}}`,
		head("renew token", `"phase":"intent",`) +
			`"token":{"id":"t-1","owner":"User:alice","asked_ms":-1,"expires_before":"2026-01-02T13:00:00.000Z"}}`,
		head("renew token", `"phase":"outcome","outcome":"done",`) +
			`"token":{"id":"t-1","owner":"User:alice","asked_ms":-1,"expires_before":"2026-01-02T13:00:00.000Z",` +
			`"expires":"2026-01-02T14:00:00.000Z","max_lifetime_ends":"2026-01-03T12:00:00.000Z"}}`,
		head("expire token", `"phase":"intent",`) +
			`"token":{"id":"t-1","owner":"User:alice","expires_before":"2026-01-02T13:00:00.000Z"},"reason":"worker retired"}`,
		head("expire token", `"phase":"outcome","outcome":"done",`) +
			`"token":{"id":"t-1","owner":"User:alice","expires_before":"2026-01-02T13:00:00.000Z","stopped":"2026-01-02T12:00:00.000Z"},` +
			`"reason":"worker retired"}`,
	}
	all := lines(t, trail.Path())
	if first := `{"schema":2,"time":"2026-01-02T12:00:00.000Z","kind":"head",` +
		`"who":{"os_user":"ann","host":"bastion","ssh_client":"192.0.2.7"},"head":{"file":1}}`; unchained(all[0]) != first {
		t.Errorf("\n got %s\nwant %s", unchained(all[0]), first)
	}
	got := all[1:]
	if len(got) != len(want) {
		t.Fatalf("got %d lines, want %d", len(got), len(want))
	}
	ids := map[string]int{}
	for i, l := range got {
		id := decode(t, l).ID
		ids[id]++
		if l = strings.Replace(unchained(l), id, "ID", 1); l != want[i] {
			t.Errorf("line %d\n got %s\nwant %s", i, l, want[i])
		}
	}
	if len(ids) != 3 {
		t.Errorf("ids %v, want three pairs", ids)
	}
}

func TestOutcomes(t *testing.T) {
	boom := errors.New("boom")
	tests := []struct {
		err   error
		phase kafka.Phase
		want  Outcome
		code  kafka.Code
	}{
		{&kafka.UnknownOutcomeError{Op: kafka.OpRenewToken, Err: boom}, kafka.PhaseSent, Unknown, 0},
		{&kafka.UnknownOutcomeError{Err: &kafka.RefusedError{Code: 7}}, kafka.PhaseSent, Unknown, 7},
		{&kafka.RefusedError{Op: kafka.OpRenewToken, Code: 63, TokenID: "t-1"}, kafka.PhaseSent, Refused, 63},
		{fmt.Errorf("wrapped: %w", &kafka.RefusedError{Code: 99}), kafka.PhaseSent, Refused, 99},
		{&kafka.MismatchError{TokenID: "t-1"}, kafka.PhaseChecking, Refused, 0},
		{&kafka.GoneError{TokenID: "t-1"}, kafka.PhaseChecking, Refused, 0},
		{&kafka.OldBrokerError{}, kafka.PhaseChecking, Refused, 0},
		{&kafka.UnsupportedError{API: "CreateDelegationToken"}, kafka.PhaseChecking, Refused, 0},
		{&kafka.ReadOnlyError{Reason: "freeze"}, kafka.PhaseChecking, Refused, 0},
		{&kafka.OffError{Cause: kafka.OffNoSecretKey}, kafka.PhaseSent, Refused, 0},
		{&kafka.ConnectError{Err: boom}, kafka.PhaseChecking, Failed, 0},
		{&kafka.SignInError{Code: 58}, kafka.PhaseChecking, Failed, 58},
		{context.Canceled, kafka.PhaseChecking, Failed, 0},
		{context.DeadlineExceeded, kafka.PhaseWaiting, Failed, 0},
		{boom, kafka.PhaseSent, Unknown, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%T in %d", tt.err, tt.phase), func(t *testing.T) {
			trail, broker := newTrail(t, ""), working()
			broker.renew = func(_ context.Context, req kafka.RenewRequest) (kafka.Renewed, error) {
				req.Progress.Set(tt.phase)
				return kafka.Renewed{}, tt.err
			}
			_, err := recorder(trail, broker, "").RenewToken(context.Background(), kafka.RenewRequest{Token: token()})
			if err != tt.err {
				t.Errorf("returned %v, want the change's own error", err)
			}
			got := read(t, trail.Path())[1]
			if got.Outcome != tt.want || got.Problem.Code != tt.code || got.Problem.Text != tt.err.Error() {
				t.Errorf("got %s %+v, want %s code %d", got.Outcome, got.Problem, tt.want, tt.code)
			}
			if (tt.code != 0) != (got.Problem.Name != "") {
				t.Errorf("code %d has the name %q", tt.code, got.Problem.Name)
			}
			if !got.Token.Expires.IsZero() {
				t.Error("an expiry that nobody confirmed is recorded")
			}
		})
	}
}

func TestATokenOfTheWrongOwnerIsRecordedAsMade(t *testing.T) {
	trail, broker := newTrail(t, ""), working()
	broker.create = func(context.Context, kafka.CreateRequest) (kafka.Created, error) {
		return kafka.Created{}, &kafka.WrongOwnerError{
			Asked: kafka.UserPrincipal("alice"), Got: kafka.UserPrincipal("ops"), TokenID: "t-9", Expired: true,
		}
	}
	if _, err := create(recorder(trail, broker, "")); !as[*kafka.WrongOwnerError](err) {
		t.Fatal(err)
	}
	got := read(t, trail.Path())[1]
	if got.Outcome != Done || got.Problem == nil || got.Token.ID != "t-9" || got.Token.Owner != "User:ops" ||
		got.Token.AskedOwner != "User:alice" || !got.Token.ExpiredAtOnce {
		t.Errorf("got %+v", got)
	}
}

func TestTheOutcomeIsWrittenThoughTheCallerIsGone(t *testing.T) {
	trail, broker := newTrail(t, ""), working()
	ctx, cancel := context.WithCancel(context.Background())
	broker.create = func(context.Context, kafka.CreateRequest) (kafka.Created, error) {
		cancel()
		return kafka.Created{}, &kafka.UnknownOutcomeError{Op: kafka.OpCreateToken, Err: ctx.Err()}
	}
	_, err := recorder(trail, broker, "").CreateToken(ctx, kafka.CreateRequest{})
	if !as[*kafka.UnknownOutcomeError](err) {
		t.Fatal(err)
	}
	if got := summary(read(t, trail.Path())); got != "intent unknown" {
		t.Error(got)
	}
}

func TestAPanicIsRecordedAndGoesOn(t *testing.T) {
	trail, broker := newTrail(t, ""), working()
	broker.create = func(context.Context, kafka.CreateRequest) (kafka.Created, error) { panic("boom") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = create(recorder(trail, broker, ""))
	}()
	if got := summary(read(t, trail.Path())); got != "intent unknown" {
		t.Error(got)
	}
}

func TestAnExpiryNeedsAReason(t *testing.T) {
	for _, reason := range []string{"", "  \t\n", "\u3000"} {
		trail, broker := newTrail(t, ""), working()
		if _, err := expire(recorder(trail, broker, ""), reason); !as[*NoReasonError](err) {
			t.Errorf("reason %q: %v", reason, err)
		}
		if broker.sent != 0 {
			t.Errorf("reason %q: the change was sent", reason)
		}
	}
}

func TestTheHMACIsDestroyedWhenNothingIsSent(t *testing.T) {
	trail := newTrail(t, "")
	if err := os.MkdirAll(trail.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	renewal, expiry := kafka.NewSecret(hmac1()), kafka.NewSecret(hmac1())
	rec := recorder(trail, working(), "")
	_, err1 := rec.RenewToken(context.Background(), kafka.RenewRequest{Token: token(), HMAC: renewal})
	_, err2 := rec.ExpireToken(context.Background(), kafka.ExpireRequest{Token: token(), HMAC: expiry, Reason: "r"})
	if !as[*IntentError](err1) || !as[*IntentError](err2) || renewal.Len()+expiry.Len() != 0 {
		t.Errorf("%v, %v, %d bytes of the HMACs are left", err1, err2, renewal.Len()+expiry.Len())
	}
}
