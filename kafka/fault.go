package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
	"time"
)

// Fault is what was wrong with the other side of a connection.
type Fault int

// The faults that people can act on differently.
const (
	// FaultClosed: the connection was closed without an answer.
	FaultClosed Fault = iota + 1
	// FaultCut: it was closed in the middle of an answer.
	FaultCut
	// FaultSilent: no whole answer came in time.
	FaultSilent
	// FaultHTTP: the answer is HTTP.
	FaultHTTP
	// FaultTLS: the answer is TLS although plaintext was spoken.
	FaultTLS
	// FaultNoTLS: the answer to a TLS handshake is not TLS.
	FaultNoTLS
	// FaultTooBig: a longer answer was announced than Kafka sends.
	FaultTooBig
	// FaultGarbled: the answer is not what the protocol says.
	FaultGarbled
)

// FaultError is a fault of the connection as a phrase for people.
type FaultError struct {
	Fault Fault
	// Wait is how long was waited, for FaultSilent.
	Wait time.Duration
	// Size is the announced length in bytes, for FaultTooBig.
	Size int64
	// Err is the system's error, nil when there is none. It is not part of
	// the text.
	Err error
}

// Error is a phrase without a capital, fit to follow a colon.
func (e *FaultError) Error() string {
	switch e.Fault {
	case FaultClosed:
		return "the other side closed the connection without an answer"
	case FaultCut:
		return "the other side closed the connection in the middle of an answer"
	case FaultSilent:
		return fmt.Sprintf("no complete answer came within %s", e.Wait.Round(time.Millisecond))
	case FaultHTTP:
		return "the other side answers in HTTP: that port belongs to a web server, not to a Kafka listener"
	case FaultTLS:
		return "the listener speaks TLS, and this connection is in plaintext"
	case FaultNoTLS:
		return "the listener does not speak TLS"
	case FaultTooBig:
		return fmt.Sprintf("the other side announced an answer of %d bytes: that is not a Kafka listener", e.Size)
	}
	return "the answer does not follow the Kafka protocol"
}

// Hint is what to try, "" when there is nothing to say.
func (e *FaultError) Hint() string {
	switch e.Fault {
	case FaultTLS:
		return "Use the protocol SSL or SASL_SSL, or the listener's plaintext port."
	case FaultNoTLS:
		return "Use the protocol PLAINTEXT or SASL_PLAINTEXT, or the listener's TLS port."
	case FaultHTTP, FaultTooBig, FaultGarbled:
		return "Check the port of the bootstrap address."
	case FaultSilent:
		return "The broker is stuck or overloaded, or the port belongs to something else."
	}
	return ""
}

// Unwrap gives the system's error.
func (e *FaultError) Unwrap() error { return e.Err }

// lost reports whether err says that the connection is gone, so that a reading
// may be asked again on a new one. A silent broker is not asked again.
func lost(err error) bool {
	f, ok := errors.AsType[*FaultError](err)
	return ok && (f.Fault == FaultClosed || f.Fault == FaultCut)
}

// faultOf turns an error of reading or writing into what people can use. Once
// ctx is done the connection was closed by us, and ctx has the reason.
func faultOf(ctx context.Context, err error, wait time.Duration) error {
	if ctx.Err() != nil {
		cause := context.Cause(ctx)
		if errors.Is(cause, context.Canceled) {
			return causeError{"dtok stopped waiting for the answer", cause}
		}
		return cause
	}
	if _, ok := errors.AsType[*FaultError](err); ok {
		return err
	}
	remote, isRemote := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &FaultError{Fault: FaultSilent, Wait: wait, Err: err}
	case isRemote && remote.Op == "remote error":
		return alertCause(remote.Err, err)
	case isClosed(err):
		return &FaultError{Fault: FaultClosed, Err: err}
	}
	return causeError{"the connection failed: " + innermost(err).Error(), err}
}

func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNABORTED)
}

// causeError says in our words what a system's or library's error means.
type causeError struct {
	text string
	err  error
}

func (e causeError) Error() string { return e.text }
func (e causeError) Unwrap() error { return e.err }

// hintedCause also knows what to do about it.
type hintedCause struct {
	causeError
	hint string
}

// Hint says what to do.
func (e hintedCause) Hint() string { return e.hint }

// dialCause explains why no TCP connection came about, and at which stage.
func dialCause(err error, wait time.Duration) (stage string, cause error) {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return "look up", causeError{"the host name is not known", err}
		}
		return "look up", causeError{"the name server did not answer", err}
	}
	var netErr net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		err = causeError{"nothing listens on that port (connection refused)", err}
	case errors.As(err, &netErr) && netErr.Timeout():
		err = causeError{fmt.Sprintf("no answer within %s: the address may be wrong, or a firewall drops the packets", wait), err}
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		err = causeError{"there is no route to that address", err}
	default:
		err = causeError{innermost(err).Error(), err}
	}
	return "connect", err
}

// tlsCause explains a failed TLS handshake.
func tlsCause(ctx context.Context, err error, wait time.Duration) error {
	if record, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		if string(record.RecordHeader[:4]) == "HTTP" {
			return &FaultError{Fault: FaultHTTP, Err: err}
		}
		return &FaultError{Fault: FaultNoTLS, Err: err}
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return hintedCause{causeError{"the broker's certificate is not signed by an authority that is trusted here", err},
			"Trust the authority that signed it (ssl.truststore.location); dtok check names it."}
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return causeError{"the broker's certificate is for another host name: " + innermost(err).Error(), err}
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return causeError{"the broker's certificate is not accepted: " + innermost(err).Error(), err}
	}
	err = faultOf(ctx, err, wait)
	if f, ok := errors.AsType[*FaultError](err); ok && f.Fault == FaultClosed {
		return causeError{"the other side closed the connection during the TLS handshake, as a listener without TLS does", err}
	}
	return err
}

// alertCause explains a TLS alert. A broker that wants a client certificate
// sends it after the handshake in TLS 1.3, in place of the first answer.
// crypto/tls gives alerts a type of its own that it does not export; the texts
// are those of tls.AlertError.
func alertCause(alert, err error) error {
	const handshakeFailure, badCertificate, unsupported, unknown, unknownAuthority, required = 40, 42, 43, 46, 48, 116
	is := func(n uint8) bool { return alert.Error() == tls.AlertError(n).Error() }
	switch {
	case is(handshakeFailure):
		return hintedCause{causeError{"the broker wants a client certificate, or shares no cipher suite with this connection (" + alert.Error() + ")", err},
			"Check ssl.cipher.suites and ssl.enabled.protocols, and the client certificate (ssl.keystore.location)."}
	case slices.ContainsFunc([]uint8{badCertificate, unsupported, unknown, unknownAuthority, required}, is):
		return hintedCause{causeError{"the broker does not accept this connection's client certificate, or wants one and got none (" + alert.Error() + ")", err},
			certificateHint}
	}
	return causeError{"the broker broke the TLS connection off (" + alert.Error() + ")", err}
}

// innermost is the cause at the end of err's chain: the outer layers repeat
// addresses that the sentence around it already names.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
