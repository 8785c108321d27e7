package kafka

import (
	"fmt"
	"strings"
)

// settingText is about a refused change of ACL rules or quotas. Kafka's own
// text is quoted where it says more than its code.
func (e *RefusedError) settingText() string {
	switch e.Code {
	case CodeClusterAuth:
		return fmt.Sprintf("This connection's identity may not %s: it needs %s on the cluster.", e.subject(), e.permission())
	case CodeSecurityDisabled:
		return "This cluster has no authorizer, so there are no ACL rules: everyone may do everything."
	case CodeNotController:
		return "The broker could not pass the request on to the controller (NOT_CONTROLLER): the cluster may be migrating from ZooKeeper."
	}
	s := fmt.Sprintf("The cluster refused to %s: %s", e.subject(), e.Code)
	if e.Text != "" {
		s += fmt.Sprintf(", %q", strings.TrimSuffix(e.Text, "."))
	}
	return s + "."
}

// subject is what was to be done, with an article.
func (e *RefusedError) subject() string {
	switch e.Op {
	case OpAddRules:
		return "add ACL rules"
	case OpDeleteRules:
		return "delete ACL rules"
	case OpSetQuota:
		return "set quotas"
	case OpRemoveQuota:
		return "remove quotas"
	}
	return string(e.Op)
}

// aboutTokens tells the token requests from those for rules, quotas and users.
func (e *RefusedError) aboutTokens() bool {
	switch e.Op {
	case OpListTokens, OpCreateToken, OpRenewToken, OpExpireToken, OpTestSignIn:
		return true
	}
	return false
}
