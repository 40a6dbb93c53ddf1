package live

import (
	"sync"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// estimates are the estimates of the current jobs, whose lines are similar. The zero value is
// empty.
type estimates struct {
	mu   sync.Mutex
	jobs map[string]*estimate
}

// mostEstimates is the maximum number of remembered jobs.
const mostEstimates = 100

// of returns the estimate for a job.
func (e *estimates) of(job string) *estimate {
	e.mu.Lock()
	defer e.mu.Unlock()
	found := e.jobs[job]
	if found == nil {
		if e.jobs == nil || len(e.jobs) >= mostEstimates {
			e.jobs = map[string]*estimate{}
		}
		found = &estimate{perByte: firstPerByte, out: firstOut}
		e.jobs[job] = found
	}
	return found
}

// Estimates before anything is known: one token for four bytes, from Google's page on tokens, and a
// short answer.
const (
	firstPerByte = 0.25
	firstOut     = 300
)

// estimate estimates the tokens of a line from earlier lines. It is deliberately simple, because
// the limiter corrects it by the actual usage.
type estimate struct {
	mu      sync.Mutex
	count   int
	perByte float64 // tokens in
	out     float64 // tokens out
}

// caution is the factor by which estimates are raised, because too low an estimate shows only
// later.
const caution = 1.05

// of returns what a line may use.
func (e *estimate) of(l *line.Line) limit.Use {
	e.mu.Lock()
	defer e.mu.Unlock()
	return limit.Use{
		Requests: 1, TokensIn: 1 + int64(caution*e.perByte*float64(len(l.Body))),
		TokensOut: 1 + int64(caution*e.out),
	}
}

// memory is the number of lines in the averages.
const memory = 50

// learn records the usage of a line.
func (e *estimate) learn(l *line.Line, used line.Usage) {
	if used.InputTokens == 0 || len(l.Body) == 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count = min(e.count+1, memory)
	share := 1 / float64(e.count)
	e.perByte += share * (float64(used.InputTokens)/float64(len(l.Body)) - e.perByte)
	e.out += share * (float64(used.OutputTokens) - e.out)
}
