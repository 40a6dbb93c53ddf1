package tally

import (
	"github.com/gemwire/gemwire/server/bulk/line"
)

// Sum counts results. The zero value is an empty sum. It is not safe for concurrent use.
type Sum struct {
	Completed int64      `json:"completed,omitzero"`
	Failed    int64      `json:"failed,omitzero"`
	Usage     line.Usage `json:"usage,omitzero"`
	// Repeated is the number of calls that may have been made more than once. RepeatedCost is their
	// cost.
	Repeated     int64   `json:"repeated,omitzero"`
	RepeatedCost float64 `json:"repeated_cost,omitzero"`
	// Failures is the number of failed lines by [Kind].
	Failures map[string]int64 `json:"failures,omitempty"`
}

// kinds is the maximum number of failure kinds. Further kinds count as kindOther.
const (
	kinds     = 50
	kindOther = "other"
)

// Add counts a result of a line that may have been sent before.
func (s *Sum) Add(r *line.Result, before int) {
	s.Usage.Add(r.Usage)
	if before > 0 && r.Response != nil {
		s.Repeated += int64(before)
		s.RepeatedCost += float64(before) * r.Usage.Cost
	}
	if !r.Failed() {
		s.Completed++
		return
	}
	s.Failed++
	s.addFailures(Kind(r), 1)
}

// Lose takes back the outcome of a result that was lost. Its usage stays, because it was paid.
func (s *Sum) Lose(r *line.Result) {
	if !r.Failed() {
		s.Completed--
		return
	}
	s.Failed--
	if s.Failures[Kind(r)] > 0 {
		s.Failures[Kind(r)]--
	}
}

// Merge adds another sum.
func (s *Sum) Merge(other *Sum) {
	s.Completed += other.Completed
	s.Failed += other.Failed
	s.Usage.Add(other.Usage)
	s.Repeated += other.Repeated
	s.RepeatedCost += other.RepeatedCost
	for kind, n := range other.Failures {
		s.addFailures(kind, n)
	}
}

func (s *Sum) addFailures(kind string, n int64) {
	if s.Failures == nil {
		s.Failures = map[string]int64{}
	}
	if _, known := s.Failures[kind]; !known && len(s.Failures) >= kinds {
		kind = kindOther
	}
	s.Failures[kind] += n
}

// Done returns the number of results.
func (s *Sum) Done() int64 { return s.Completed + s.Failed }
