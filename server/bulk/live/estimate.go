package live

import (
	"sync"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// estimates are those of the jobs at hand, whose lines are alike. The zero value is none.
type estimates struct {
	mu   sync.Mutex
	jobs map[string]*estimate
}

// mostEstimates is how many jobs are remembered.
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

// What is estimated before anything is known: a token for four bytes, by Google's page on tokens,
// and a short answer.
const (
	firstPerByte = 0.25
	firstOut     = 300
)

// estimate guesses the tokens of a line by those of the lines before. It is not the sum of much
// work: the limiter corrects it by what a call used.
type estimate struct {
	mu      sync.Mutex
	count   int
	perByte float64 // tokens in
	out     float64 // tokens out
}

// caution is how much more is estimated than what is likely, as too little shows only afterwards.
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

// memory is over how many lines the averages go.
const memory = 50

// learn notes what a line used.
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
