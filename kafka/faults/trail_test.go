package faults

import (
	"context"
	"errors"
	"fmt"
	"os"

	"dtok/audit"
	"dtok/kafka"
)

// trailText is the trail's file, nil where nothing was recorded.
func (e *ended) trailText() []byte {
	text, err := os.ReadFile(e.path)
	if err != nil {
		return nil
	}
	return text
}

// recorded: the trail is whole, and has one intent and one outcome of a change,
// one record of a reading, which say what the caller was told.
func (e *ended) recorded(ctx context.Context) error {
	if e.kind == "" {
		if text := e.trailText(); text != nil {
			return fmt.Errorf("there are records: %s", text)
		}
		return nil
	}
	entries, report, err := audit.Entries(ctx, e.path)
	if err != nil {
		return err
	}
	if len(report.Faults) > 0 || len(report.Notes) > 0 {
		return fmt.Errorf("%v %v", report.Faults, report.Notes)
	}
	var records []audit.Record
	for _, entry := range entries {
		for _, l := range entry.Lines {
			if !l.Known {
				return fmt.Errorf("a line is not known: %s", l.Text)
			}
			if l.Record.Kind != audit.KindHead {
				records = append(records, l.Record)
			}
		}
	}
	if len(e.changes) > 0 {
		if len(records) == 0 || records[0].Phase != audit.Intent {
			return errors.New("there is no intent")
		}
		if records[0].Outcome != "" || records[0].Kind != e.kind {
			return fmt.Errorf("the intent is %+v", records[0])
		}
		records = records[1:]
	}
	if len(records) != 1 {
		return fmt.Errorf("%d records instead of one outcome", len(records))
	}
	return e.outcome(records[0])
}

// outcome compares the record of the outcome with the claim.
func (e *ended) outcome(r audit.Record) error {
	want := map[claim]audit.Outcome{done: audit.Done, partial: audit.Done, other: audit.Done,
		refused: audit.Refused, failed: audit.Failed, unknown: audit.Unknown}[e.claim]
	if r.Phase != audit.Ended || r.Kind != e.kind || r.Outcome != want {
		return fmt.Errorf("the outcome is %s %s %q, the caller was told %s: %w", r.Phase, r.Kind, r.Outcome, e.claim, e.err)
	}
	if (r.Problem != nil) != (e.err != nil) {
		return fmt.Errorf("the problem is %+v, the caller was told %w", r.Problem, e.err)
	}
	if e.run.lied() || e.err != nil {
		return nil
	}
	switch result := e.result.(type) {
	case kafka.Created:
		if r.Token.ID != result.Token.ID || r.Token.Owner != result.Token.Owner.String() || !r.Token.Expires.Equal(result.Token.Expires) ||
			!r.Token.MaxLifetimeEnds.Equal(result.Token.MaxLifetimeEnds) {
			return fmt.Errorf("the record is about %+v", r.Token)
		}
	case kafka.Renewed:
		if r.Token.ID != result.Token.ID || !r.Token.Expires.Equal(result.Token.Expires) || !r.Token.ExpiresBefore.Equal(result.Before) {
			return fmt.Errorf("the record is about %+v", r.Token)
		}
	case kafka.Expired:
		if r.Token.ID != result.Token.ID || !r.Token.Stopped.Equal(result.At) {
			return fmt.Errorf("the record is about %+v", r.Token)
		}
	case kafka.RulesChanged:
		for _, rule := range r.Rules {
			if rule.After == nil || *rule.After != (e.kind == kafka.OpAddRules) {
				return fmt.Errorf("the record is about %+v", r.Rules)
			}
		}
	case kafka.QuotaChanged:
		if (r.Quota.After != nil) != (result.After != nil) {
			return fmt.Errorf("the record is about %+v", r.Quota)
		}
	}
	return nil
}
