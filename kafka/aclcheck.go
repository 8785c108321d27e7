package kafka

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/segmentio/kafka-go/protocol"
)

// userRuleVersion is the first version of the three ACL requests with which a
// broker says that it knows User resources and the operations on tokens
// (KIP-373, Kafka 3.3). Before, CreateAcls answers 42.
const userRuleVersion = 3

// CheckAdd says why the rule cannot be added, nil when Kafka would store it.
// Kafka would refuse most of these, and some old brokers would store them and
// then fail in every check (a principal without a colon).
func (r ACLRule) CheckAdd() error {
	if err := r.checkExact(); err != nil {
		return err
	}
	switch {
	case !known(resourceNames, int8(r.ResourceType)), !known(operationNames, int8(r.Operation)):
		return fmt.Errorf("dtok does not know what %s on a resource of %s means, so it does not add such a rule", r.Operation, r.ResourceType)
	case r.ResourceName == "":
		return errors.New("the resource needs a name, or * for all")
	case r.ResourceType.FixedName() != "" && r.ResourceName != r.ResourceType.FixedName():
		return fmt.Errorf("the only name of a %s resource is %s", r.ResourceType, r.ResourceType.FixedName())
	case r.Host == "":
		return errors.New("the host is an IP address, or * for all hosts")
	}
	if _, err := ParsePrincipal(r.Principal); err != nil {
		return err
	}
	return nil
}

// checkExact holds what a rule needs to stand for itself alone, as a filter
// too: nothing in it may mean "any".
func (r ACLRule) checkExact() error {
	switch {
	case r.ResourceType <= anything:
		return errors.New("a rule is on one resource type")
	case !known(patternNames, int8(r.Pattern)):
		return errors.New("the pattern of a rule is LITERAL or PREFIXED")
	case r.Operation <= anything:
		return errors.New("a rule has one operation, or All")
	case !known(permissionNames, int8(r.Permission)):
		return errors.New("a rule is ALLOW or DENY")
	}
	return checkLengths(r.ResourceName, r.Principal, r.Host)
}

// Warnings say what is likely not meant by a rule that Kafka stores all the
// same: each is a whole sentence. That a rule is on the bare name of a user is
// NeverMatches' to say.
func (r ACLRule) Warnings() []string {
	var w []string
	if ops := r.ResourceType.Operations(); ops != nil && !r.Meaningful() {
		w = append(w, fmt.Sprintf("%s means nothing on a %s resource.", r.Operation, r.ResourceType))
	}
	if kind, name, _ := strings.Cut(r.Principal, ":"); name == everyName && kind != UserType {
		w = append(w, fmt.Sprintf("%s is nobody's wildcard: only User:* stands for everyone, of any type.", legible(r.Principal)))
	}
	if r.Host != everyHost && !isAddress(r.Host) {
		w = append(w, "Kafka compares the host with the client's IP address, so a host name never matches.")
	}
	return w
}

func isAddress(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	_, err := netip.ParsePrefix(host) // Kafka 4.4
	return err == nil
}

// OldRulesError says that the broker knows no such rules: User resources came
// with Kafka 3.3, and PREFIXED with Kafka 2.0. Nothing was sent.
type OldRulesError struct {
	// What is "User" or "PREFIXED".
	What string
	// Needs is the first Kafka version that has them.
	Needs string
	// Detected is a guess such as "Kafka 2.8", "" when nothing fits.
	Detected string
}

// Error is one sentence.
func (e *OldRulesError) Error() string {
	if e.What == PatternPrefixed.String() {
		return fmt.Sprintf("This broker knows no PREFIXED rules, which need Kafka %s or later%s.", e.Needs, detectedText(e.Detected))
	}
	return fmt.Sprintf("This broker knows no rules on %s resources, which need Kafka %s or later%s.", e.What, e.Needs, detectedText(e.Detected))
}

// Hint says what this means for tokens.
func (e *OldRulesError) Hint() string {
	if e.What == ResourceUser.String() {
		return "Before Kafka 3.3 users make tokens for themselves only, so no rule on them is needed."
	}
	return ""
}

// oldRules says why a broker cannot be asked about the rule with the request
// key, nil when it can.
func (o offers) oldRules(key protocol.ApiKey, r ACLRule) error {
	switch v := o.max(key); {
	case v < 0:
		return nil // not offered at all, which another error tells
	case v < userRuleVersion && (r.ResourceType == ResourceUser || r.Operation == OperationCreateTokens || r.Operation == OperationDescribeTokens):
		return &OldRulesError{What: ResourceUser.String(), Needs: "3.3", Detected: o.detected()}
	case v < 1 && r.Pattern == PatternPrefixed:
		// v0 has no field for it, so the broker would take the rule as LITERAL.
		return &OldRulesError{What: PatternPrefixed.String(), Needs: "2.0", Detected: o.detected()}
	}
	return nil
}
