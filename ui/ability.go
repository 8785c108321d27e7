package ui

import (
	"errors"

	"dtok/kafka"
)

// What works now, and why not. Controls stay visible; a disabled one says why.

// changesOff says why the environment or the cluster allows no changes.
func (m *Model) changesOff() string {
	switch {
	case m.opts.ReadOnly != "":
		return "read-only: " + safeText(m.opts.ReadOnly)
	case m.broker == nil:
		return "not connected"
	}
	if off := m.tokensOff(); off != nil {
		return safeText(off.Error())
	}
	return ""
}

// disabled says why a key does nothing now; "" when it works.
func (m *Model) disabled(act action) string {
	switch act {
	case actCreate, actRenew, actExpire:
		if reason := m.changesOff(); reason != "" {
			return reason
		}
	}
	switch act {
	case actTrail:
		if m.opts.Trail == nil {
			return "there is no audit trail here"
		}
	case actRecord:
		if _, ok := m.trail.current(); !ok {
			return "there is no record under the cursor"
		}
	case actRenew, actExpire, actSignIn, actCopyID, actDetails:
		if _, ok := m.currentToken(); !ok {
			return "there is no token under the cursor"
		}
	case actReload:
		if m.conn.cancel != nil && m.trail == nil {
			return "already connecting"
		}
	}
	return ""
}

// tokensOff says why token requests are off, as far as anyone has said yet.
func (m *Model) tokensOff() *kafka.OffError {
	if off := m.session().Off; off != nil {
		return off
	}
	if m.open != nil {
		if off := asOff(m.open.err); off != nil {
			return off
		}
	}
	return asOff(m.users.failed[kafka.FromTokens])
}

// asOff finds in err why token requests are off; nil when it is another error.
func asOff(err error) *kafka.OffError {
	var off *kafka.OffError
	if errors.As(err, &off) {
		return off
	}
	return nil
}
