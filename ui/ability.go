package ui

import (
	"errors"
	"slices"

	"dtok/kafka"
)

// What works now, and why not. Controls stay visible; a disabled one says why.

// readOnly says why nothing at all can be changed.
func (m *Model) readOnly() string {
	switch {
	case m.envs.current().ReadOnly != "":
		return "read-only: " + safeText(m.envs.current().ReadOnly)
	case m.broker == nil:
		return "not connected"
	}
	return ""
}

// changesOff says why the environment or the cluster allows no changes.
func (m *Model) changesOff() string {
	if reason := m.readOnly(); reason != "" {
		return reason
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
	case actAddRule, actDeleteRule, actGrant, actRevoke, actFixRule, actSetQuota, actRemoveQuota:
		if reason := m.readOnly(); reason != "" {
			return reason
		}
	}
	switch act {
	case actGrant, actRevoke:
		if old := m.oldRules(); old != nil {
			return old.Error()
		}
	case actDeleteRule, actFixRule:
		row, ok := m.rules.current()
		switch {
		case !ok:
			return "there is no ACL rule under the cursor"
		case act == actFixRule && !row.never:
			return "the rule under the cursor needs no fix: only rules on a bare name never match"
		}
	case actRemoveQuota:
		if _, ok := m.quotas.current(); !ok {
			return "there is no quota under the cursor"
		}
	case actDiagnose:
		switch {
		case m.broker != nil:
			return "the connection stands; dtok check walks it from the shell"
		case m.conn.cancel != nil:
			return "still busy; esc gives up"
		case m.envs.current().Check == nil:
			return "there is nothing to diagnose here"
		}
	case actTrail:
		if m.envs.current().Trail == nil {
			return "there is no audit trail here"
		}
	case actRecord:
		if _, ok := m.trail.current(); !ok {
			return "there is no record under the cursor"
		}
	case actDetails:
		if m.at == onRules {
			if _, ok := m.rules.current(); !ok {
				return "there is no ACL rule under the cursor"
			}
			return ""
		}
		fallthrough
	case actRenew, actExpire, actSignIn, actCopyID:
		if m.card != nil {
			return ""
		}
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

// oldRules says that the broker knows no rules on User resources, as far as the
// page's rules have been read; nil when it does.
func (m *Model) oldRules() *kafka.OldRulesError {
	var old *kafka.OldRulesError
	if errors.As(m.rules.known.Failed[kafka.OnUser], &old) {
		return old
	}
	return nil
}

// ruleTypes are the resource types on which the broker takes rules.
func (m *Model) ruleTypes() []kafka.ResourceType {
	if m.oldRules() == nil {
		return kafka.ResourceTypes()
	}
	return slices.DeleteFunc(kafka.ResourceTypes(), func(t kafka.ResourceType) bool { return t == kafka.ResourceUser })
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
