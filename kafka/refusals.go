package kafka

import "fmt"

// Error says what Kafka refused, and why, in our words: the token requests
// carry no text, and those of the ACL requests are dumps of the broker's
// internals.
func (e *RefusedError) Error() string {
	switch e.Op {
	case OpListACLs, OpListQuotas, OpListSCRAM:
		return e.sourceText()
	case OpAddRules, OpDeleteRules, OpSetQuota, OpRemoveQuota:
		return e.settingText()
	}
	switch e.Code {
	case CodeTokenAuthFailed:
		return "This connection's identity may not create tokens for that owner (CreateTokens on the user), which issuing a token for another user needs."
	case CodeTokenOwnerMismatch:
		return "This connection's identity is neither the owner of token " + e.TokenID + " nor one of its renewers; only they can renew or expire it."
	case CodeTokenExpired:
		return e.expiredText()
	case CodeTokenNotFound:
		return "The cluster does not know token " + e.TokenID + " any more, although this broker lists it."
	case CodeTokenAuthDisabled:
		return "The controllers of this cluster have no delegation.token.secret.key, so they neither create, renew nor expire tokens."
	case CodeInvalidPrincipal:
		return "Kafka accepts only principals of type User as renewers."
	case CodeUnsupportedVersion:
		return "The cluster's metadata.version is too old for delegation tokens: it needs 3.6-IV2."
	case CodeNotController:
		return "The broker could not pass the request on to the controller (NOT_CONTROLLER): the cluster may be migrating from ZooKeeper."
	}
	return fmt.Sprintf("The cluster refused to %s: %s.", e.Op, e.Code)
}

// expiredText is about code 66, which means something else for each request.
func (e *RefusedError) expiredText() string {
	switch e.Op {
	case OpRenewToken:
		return "Token " + e.TokenID + " has already expired; an expired token cannot be renewed."
	case OpExpireToken:
		return "Token " + e.TokenID + " is already expired; the broker removes it within its check interval."
	case OpTestSignIn:
		return "Token " + e.TokenID + " has expired: the sign-in itself still passes, and the broker closed the connection at the first request."
	}
	return "Token " + e.TokenID + " has expired."
}

func (e *RefusedError) sourceText() string {
	switch {
	case e.Code == CodeClusterAuth:
		return fmt.Sprintf("This connection's identity may not %s: it needs %s on the cluster.", e.Op, e.permission())
	case e.Code == CodeSecurityDisabled && e.Op == OpListACLs:
		return "This cluster has no authorizer, so there are no ACL rules: everyone may do everything."
	}
	return fmt.Sprintf("The broker refused to %s: %s.", e.Op, e.Code)
}

// permission is the operation on the Cluster resource that a request needs.
func (e *RefusedError) permission() string {
	switch e.Op {
	case OpListQuotas:
		return "DescribeConfigs"
	case OpAddRules, OpDeleteRules:
		return "Alter"
	case OpSetQuota, OpRemoveQuota:
		return "AlterConfigs"
	}
	return "Describe"
}

// Hint is what to do, "" when there is nothing.
func (e *RefusedError) Hint() string {
	switch e.Code {
	case CodeTokenAuthFailed:
		return fmt.Sprintf("Add an ACL rule for this connection's principal: allow CreateTokens on the User resource %s.", e.Owner)
	case CodeTokenOwnerMismatch:
		return "Super users are no exception, and neither is who asked for the token. Name this connection's principal among the renewers when a token is created."
	case CodeTokenExpired:
		if e.Op == OpRenewToken || e.Op == OpTestSignIn {
			return "Create a new token."
		}
	case CodeTokenNotFound:
		return "It may have been removed just now. If this happens for every token, the brokers and controllers do not share one delegation.token.secret.key."
	case CodeTokenAuthDisabled:
		return "Set delegation.token.secret.key on the controllers to the brokers' value and restart them."
	case CodeUnsupportedVersion:
		if !e.aboutTokens() {
			return ""
		}
		return "Once all brokers run Kafka 3.6 or later, raise metadata.version (kafka-features.sh upgrade)."
	case CodeClusterAuth:
		return fmt.Sprintf("Add an ACL rule for this connection's principal: allow %s on the Cluster resource kafka-cluster.", e.permission())
	}
	return ""
}
