package generator

import (
	"slices"
	"time"
)

// Result is the result of a load.
type Result struct {
	// Elapsed is from the start to the last answer.
	Elapsed time.Duration
	// Late is the delay between the time at which an answered request was due and its sending.
	// First is the time until the first piece of its answer, Latency the time until the end. Both
	// start when the request was due.
	Late, First, Latency Durations
	// Statuses counts the answers.
	Statuses map[int]int
	// Failures are requests without a proper answer, Errors why.
	Failures int
	Errors   []error
	// Unsent are requests for which no connection was free, Left those that were left on purpose.
	Unsent, Left int
	// Marks are the numbered pieces that came, Lost those that did not, Misplaced those that came
	// twice or too late.
	Marks, Lost, Misplaced int
}

func newResult() Result { return Result{Statuses: map[int]int{}} }

// PerSecond returns how many answers of status 200 came in a second.
func (r *Result) PerSecond() float64 { return float64(r.Statuses[200]) / r.Elapsed.Seconds() }

func (r *Result) add(part *Result) {
	r.Late = append(r.Late, part.Late...)
	r.First = append(r.First, part.First...)
	r.Latency = append(r.Latency, part.Latency...)
	for status, count := range part.Statuses {
		r.Statuses[status] += count
	}
	r.Errors = append(r.Errors, part.Errors...)
	r.Failures += part.Failures
	r.Left += part.Left
	r.Marks += part.Marks
	r.Lost += part.Lost
	r.Misplaced += part.Misplaced
}

// Durations are durations of many requests, in any order.
type Durations []time.Duration

// Quantile returns the duration that so much of all are not above: 0.5 is the median. It sorts
// them.
func (d Durations) Quantile(q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[min(int(q*float64(len(d))), len(d)-1)]
}
