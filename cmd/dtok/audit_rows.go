package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"dtok/audit"
	"dtok/ui"
)

// rowOf is an entry of the trail as lists show it.
func rowOf(e audit.Entry) ui.TrailRow {
	r := e.Record()
	row := ui.TrailRow{
		Time: e.Time(), Kind: string(r.Kind), Outcome: e.Outcome(), User: userOf(r), Token: r.Token.ID,
		Principal: r.Who.Principal, Fault: e.Fault(),
	}
	if r.Schema == 0 {
		row.Kind = "unreadable"
		if e.Fault() == "" {
			row.Kind = "of a newer dtok"
		}
	}
	for _, l := range e.Lines {
		row.Lines = append(row.Lines, ui.TrailLine{File: l.File, Number: l.Number, Text: l.Text, Fault: l.Fault})
	}
	return row
}

// userOf is whom a record is about.
func userOf(r audit.Record) string {
	owner := r.About()
	if r.Read != nil {
		owner = cmp.Or(r.Read.Owner, "all")
	}
	if owner == "" && r.Quota != nil && slices.ContainsFunc(r.Quota.Entity, func(p audit.EntityPart) bool { return p.Type == "user" && p.Name == nil }) {
		return "default user" // as the dialog says
	}
	return strings.TrimPrefix(owner, "User:")
}

// trailOf reads the trail for the screens: what belongs to the environment, and
// what belongs to none, because it is about the trail or cannot be read.
func trailOf(path, environment string) func(context.Context) (ui.TrailList, error) {
	return func(ctx context.Context) (ui.TrailList, error) {
		if path == "" {
			return ui.TrailList{}, errors.New("there is no place for an audit trail: neither HOME nor XDG_STATE_HOME names a folder")
		}
		list := ui.TrailList{Path: path}
		entries, report, err := audit.Entries(ctx, path)
		var none *audit.NoTrailError
		if errors.As(err, &none) {
			list.Read = time.Now()
			return list, nil
		}
		if err != nil {
			return list, err
		}
		for _, e := range entries {
			r := e.Record()
			if r.Kind == audit.KindHead && e.Fault() == "" {
				continue // says nothing but that a file begins
			}
			if environment != "" && r.Where != (audit.Where{}) && r.Where.Environment != environment && e.Fault() == "" {
				continue
			}
			list.Rows = append(list.Rows, rowOf(e))
		}
		if over := len(list.Rows) - mostRows; over > 0 {
			list.Rows, list.Older = list.Rows[over:], over
		}
		for _, f := range report.Faults {
			list.Faults = append(list.Faults, f.String())
		}
		list.Read = time.Now()
		return list, nil
	}
}

// trailMark tells one state of a trail's file from the next by its length and
// the time of its last change.
func trailMark(path string) func() string {
	return func() string {
		info, err := os.Stat(path)
		if err != nil {
			return "" // not there yet, or not readable: what a reading says
		}
		return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
}

// mostRows bounds what the screen holds of a long trail; dtok audit lists all.
const mostRows = 20_000
