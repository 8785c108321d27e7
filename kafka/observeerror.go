package kafka

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"syscall"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// LogError is what a log for others may tell of an error: its types, and what
// the protocol has names for. The text of most errors stays out of it, because
// they name what a person has typed.
func LogError(err error) slog.Attr { return slog.GroupAttrs("error", errorAttrs(err)...) }

func errorAttrs(err error) []slog.Attr {
	attrs := []slog.Attr{slog.String("types", strings.Join(errorTypes(err), " "))}
	add := func(key, value string) { attrs = append(attrs, slog.String(key, value)) }
	if e, ok := errors.AsType[*UnknownOutcomeError](err); ok {
		add("outcome", "unknown")
		add("op", string(e.Op))
	}
	if e, ok := errors.AsType[*ConnectError](err); ok {
		add("stage", e.Stage)
		add("address", e.Address)
	}
	if e, ok := errors.AsType[*SignInError](err); ok {
		add("mechanism", e.Mechanism)
		add("kafka_error", kafkaName(e.Code))
		add("offered", strings.Join(e.Offered, " "))
		add("status", e.Status)
	}
	if e, ok := errors.AsType[*RefusedError](err); ok {
		add("op", string(e.Op))
		add("kafka_error", kafkaName(e.Code))
	}
	if e, ok := errors.AsType[*UnsupportedError](err); ok {
		add("api", e.API)
		broker := "not offered"
		if e.Offered {
			broker = fmt.Sprintf("broker from %d", e.BrokerMin)
		}
		add("versions", fmt.Sprintf("%s, dtok up to %d", broker, e.Max))
	}
	if e, ok := errors.AsType[*OffError](err); ok {
		add("tokens_off", e.Cause.logged())
	}
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		add("system", e.Error())
	}
	if text := connectionText(err); text != "" {
		add("text", text)
	}
	switch {
	case errors.Is(err, context.Canceled):
		add("ended", "cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		add("ended", "out of time")
	}
	return slices.DeleteFunc(attrs, func(a slog.Attr) bool { return a.Value.String() == "" })
}

// connectionText is the phrase for what was wrong with a connection, or with
// what it signs in with: of the two, neither knows what was typed. It is "" for
// every other error.
func connectionText(err error) string {
	if _, refused := errors.AsType[*SignInError](err); refused {
		return "" // it names the user
	}
	if e, ok := errors.AsType[*SourceError](err); ok {
		return e.Err.Error()
	}
	if e, ok := errors.AsType[*ConnectError](err); ok {
		return e.Err.Error()
	}
	if e, ok := errors.AsType[*stageError](err); ok {
		return e.err.Error()
	}
	if e, ok := errors.AsType[*FaultError](err); ok {
		return e.Error()
	}
	return ""
}

// errorTypes are the types along an error's chain, without those that only add
// words to another.
func errorTypes(err error) []string {
	var types []string
	for err != nil {
		switch name := fmt.Sprintf("%T", err); name {
		case "*fmt.wrapError", "*fmt.wrapErrors", "*errors.joinError", "kafka.causeError", "kafka.hintedCause":
		default:
			types = append(types, name)
		}
		more, joined := err.(interface{ Unwrap() []error })
		if !joined {
			err = errors.Unwrap(err)
			continue
		}
		for _, each := range more.Unwrap() {
			types = append(types, errorTypes(each)...)
		}
		return types
	}
	return types
}

// logged names the cause for a log.
func (c OffCause) logged() string {
	switch c {
	case OffNoAPI:
		return "no API"
	case OffOldMetadata:
		return "old metadata.version"
	case OffNoSecretKey:
		return "no secret key"
	case OffPlaintext:
		return "plaintext listener"
	case OffOneWayTLS:
		return "one-way TLS"
	case OffTokenSession:
		return "signed in with a token"
	}
	return "other"
}

// kafkaName is Kafka's name of any code, also of those that dtok does not tell
// apart.
func kafkaName(code Code) string {
	if known, ok := kerr.ErrorForCode(int16(code)).(*kerr.Error); ok && codeNames[code] == "" { //nolint:errorlint // never wrapped
		return fmt.Sprintf("%s (%d)", known.Message, code)
	}
	return code.String()
}

// codeOf is the first error code in an answer that kmsg has read.
func codeOf(answer kmsg.Response) Code {
	var codes []int16
	switch a := answer.(type) {
	case *kmsg.SASLHandshakeResponse:
		codes = []int16{a.ErrorCode}
	case *kmsg.SASLAuthenticateResponse:
		codes = []int16{a.ErrorCode}
	case *kmsg.DescribeACLsResponse:
		codes = []int16{a.ErrorCode}
	case *kmsg.DescribeClientQuotasResponse:
		codes = []int16{a.ErrorCode}
	case *kmsg.DescribeUserSCRAMCredentialsResponse:
		codes = []int16{a.ErrorCode}
	case *kmsg.CreateACLsResponse:
		for _, r := range a.Results {
			codes = append(codes, r.ErrorCode)
		}
	case *kmsg.DeleteACLsResponse:
		for _, r := range a.Results {
			codes = append(codes, r.ErrorCode)
		}
	case *kmsg.AlterClientQuotasResponse:
		for _, e := range a.Entries {
			codes = append(codes, e.ErrorCode)
		}
	}
	for _, code := range codes {
		if code != 0 {
			return Code(code)
		}
	}
	return CodeNone
}
