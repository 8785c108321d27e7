package kafka

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// String is the step as a line for people, with its hint on a second one.
func (s Step) String() string {
	detail := s.Detail
	if s.Address != "" {
		detail = s.Address + ": " + detail
	}
	line := fmt.Sprintf("%-7s  %-15s  %8s  %s", s.Verdict, s.Name, duration(s.Took), detail)
	if s.Hint != "" {
		line += "\n" + strings.Repeat(" ", 28) + s.Hint
	}
	return line
}

// duration is in milliseconds with as many digits as mean something, "" for 0.
func duration(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d <= 0:
		return ""
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// String is all steps, a line each.
func (d Diagnosis) String() string {
	lines := make([]string, len(d))
	for i, s := range d {
		lines[i] = s.String()
	}
	return strings.Join(lines, "\n")
}

// MarshalJSON gives the time in milliseconds, as "ms".
func (s Step) MarshalJSON() ([]byte, error) {
	type plain Step
	return json.Marshal(struct {
		plain
		Milliseconds float64 `json:"ms"`
	}{plain(s), float64(s.Took.Microseconds()) / 1000})
}
