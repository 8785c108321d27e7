package kafka

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// creation is the CreateAcls request for the rules.
func creation(rules []ACLRule) encoded {
	req := kmsg.NewPtrCreateACLsRequest()
	for _, r := range rules {
		req.Creations = append(req.Creations, kmsg.CreateACLsRequestCreation{
			ResourceType: kmsg.ACLResourceType(r.ResourceType), ResourceName: r.ResourceName,
			ResourcePatternType: kmsg.ACLResourcePatternType(r.Pattern), Principal: r.Principal, Host: r.Host,
			Operation: kmsg.ACLOperation(r.Operation), PermissionType: kmsg.ACLPermissionType(r.Permission)})
	}
	return encoded{req}
}

// deletion is the DeleteAcls request whose filters name every field, so that
// each fits one rule alone: Kafka deletes whatever a filter fits.
func deletion(rules []ACLRule) encoded {
	req := kmsg.NewPtrDeleteACLsRequest()
	for _, r := range rules {
		req.Filters = append(req.Filters, kmsg.DeleteACLsRequestFilter{
			ResourceType: kmsg.ACLResourceType(r.ResourceType), ResourceName: &r.ResourceName,
			ResourcePatternType: kmsg.ACLResourcePatternType(r.Pattern), Principal: &r.Principal, Host: &r.Host,
			Operation: kmsg.ACLOperation(r.Operation), PermissionType: kmsg.ACLPermissionType(r.Permission)})
	}
	return encoded{req}
}

// existence is the DescribeAcls request that only the rule itself fits.
func existence(r ACLRule) encoded {
	req := kmsg.NewPtrDescribeACLsRequest()
	req.ResourceType, req.ResourceName = kmsg.ACLResourceType(r.ResourceType), &r.ResourceName
	req.ResourcePatternType, req.Principal, req.Host = kmsg.ACLResourcePatternType(r.Pattern), &r.Principal, &r.Host
	req.Operation, req.PermissionType = kmsg.ACLOperation(r.Operation), kmsg.ACLPermissionType(r.Permission)
	return encoded{req}
}

// added notes what the answer says of each rule.
func added(results []RuleResult, answer *kmsg.CreateACLsResponse) {
	if len(answer.Results) != len(results) {
		return
	}
	for i, a := range answer.Results {
		results[i].Err = changeOutcome(OpAddRules, Code(a.ErrorCode), a.ErrorMessage)
	}
}

// removed notes what the answer says of each rule. More than one removed rule,
// another one, or none, is an error, although the cluster saw none.
func removed(results []RuleResult, answer *kmsg.DeleteACLsResponse) {
	if len(answer.Results) != len(results) {
		return
	}
	for i := range results {
		r, a := &results[i], &answer.Results[i]
		r.Err = changeOutcome(OpDeleteRules, Code(a.ErrorCode), a.ErrorMessage)
		for _, m := range a.MatchingACLs {
			if err := changeOutcome(OpDeleteRules, Code(m.ErrorCode), m.ErrorMessage); err != nil {
				r.Err = err // found, and not removed
				continue
			}
			r.Removed = append(r.Removed, ACLRule{ResourceType: ResourceType(m.ResourceType), ResourceName: m.ResourceName,
				Pattern: PatternType(m.ResourcePatternType), Principal: m.Principal, Host: m.Host,
				Operation: Operation(m.Operation), Permission: Permission(m.PermissionType)})
		}
		if r.Err == nil && !slices.Equal(r.Removed, []ACLRule{r.Rule}) {
			r.Err = &RemovedCountError{Rule: r.Rule, Removed: r.Removed}
		}
	}
}

// changeOutcome is the error for the code of one changed thing, nil for none.
// 7 and -1 do not tell whether the controller has done it.
func changeOutcome(op Op, code Code, text *string) error {
	switch code {
	case CodeNone:
		return nil
	case CodeRequestTimedOut, CodeUnknownServer:
		return &UnknownOutcomeError{Op: op, Err: causeError{"the broker answered " + code.String(), nil}}
	}
	err := &RefusedError{Op: op, Code: code}
	// The text of 31 and 54 is the broker's internal request, with ports.
	if text != nil && code != CodeClusterAuth && code != CodeSecurityDisabled {
		err.Text = *text
	}
	return err
}

// problem is the error for all results together.
func (c RulesChanged) problem(op Op) error {
	var failed []error
	for _, r := range c.Results {
		if r.Err != nil {
			failed = append(failed, r.Err)
		}
	}
	switch {
	case len(failed) == 0:
		return nil
	case len(c.Results) == 1 || len(failed) == len(c.Results) && alike(failed):
		return failed[0]
	}
	return &SomeRulesError{Op: op, Results: c.Results}
}

func alike(errs []error) bool {
	return !slices.ContainsFunc(errs, func(err error) bool { return err.Error() != errs[0].Error() })
}

// RemovedCountError says that the cluster confirmed a deletion and removed not
// exactly the one rule that was meant.
type RemovedCountError struct {
	Rule    ACLRule
	Removed []ACLRule
}

// Error says how many were removed, and which.
func (e *RemovedCountError) Error() string {
	if len(e.Removed) == 0 {
		return fmt.Sprintf("The cluster removed no rule: %s was not there.", e.Rule)
	}
	if len(e.Removed) == 1 {
		return fmt.Sprintf("The cluster removed another rule than the one that was meant, %s: %s.", e.Rule, e.Removed[0])
	}
	var list []string
	for _, r := range e.Removed {
		list = append(list, r.String())
	}
	return fmt.Sprintf("The cluster removed %d rules instead of the one that was meant, %s: %s.", len(e.Removed), e.Rule, strings.Join(list, "; "))
}

// Hint says what may have happened.
func (e *RemovedCountError) Hint() string {
	if len(e.Removed) == 0 {
		return "Somebody else may have removed it just now. Read the list again."
	}
	return "Read the list again, and add what is missing."
}

// SomeRulesError says that a change of several rules came out differently for
// them.
type SomeRulesError struct {
	Op      Op
	Results []RuleResult
}

// Error has one sentence for each rule that failed.
func (e *SomeRulesError) Error() string {
	var done int
	var failed []string
	for _, r := range e.Results {
		if r.Err == nil {
			done++
			continue
		}
		failed = append(failed, fmt.Sprintf("%s: %v", r.Rule, r.Err))
	}
	return fmt.Sprintf("Of %d rules %d changed as asked. %s", len(e.Results), done, strings.Join(failed, " "))
}

// Hint says how to find out.
func (e *SomeRulesError) Hint() string { return "Read the list again and compare." }

// Unwrap gives the errors of the rules that failed.
func (e *SomeRulesError) Unwrap() []error {
	var errs []error
	for _, r := range e.Results {
		if r.Err != nil {
			errs = append(errs, r.Err)
		}
	}
	return errs
}
