// Package batch runs the batches of a fake server: many requests, which are answered when somebody
// asks for the results, so that nothing goes on in the background.
package batch

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// Line is one request of a batch.
type Line struct {
	// Key names the request in a file.
	Key string
	// Metadata names it otherwise; nil is none.
	Metadata jsontext.Value
	// Request is the body; nil for a line that holds none.
	Request jsontext.Value
}

// Result is what became of a request: one of the two.
type Result struct {
	Response jsontext.Value
	Error    jsontext.Value
}

// Job is what a batch is to do.
type Job struct {
	ID, Model string
	// Message is the name of its message, such as "GenerateContentBatch".
	Message     string
	DisplayName *string
	Lines       []Line
	// Duration is how long the batch takes.
	Duration time.Duration
	// Run answers one request, for somebody who waits as long as the context lasts.
	Run func(context.Context, Line) Result
	// FromFile says that the requests are from a file, so that the results go to one.
	FromFile bool
	// Trouble is what goes wrong with it.
	Trouble Trouble
	// Keep stores a file with results, and returns its name.
	Keep func(lines []byte) (name string)
}

// Trouble is what goes wrong with a batch. The zero value is nothing.
type Trouble struct {
	// Ends is the state in which the batch ends; "" is [geminiapi.BatchStateSucceeded].
	Ends geminiapi.BatchState
	// Reverses has the results come in the opposite order.
	Reverses bool
	// Loses has every so many-th result be missing, Doubles every so many-th be under the key of
	// the one before it.
	Loses, Doubles int
}

// Batch is a job on its way. It is safe for concurrent use, and made by [New].
type Batch struct {
	Job
	Created time.Time

	mu     sync.Mutex
	status Status
}

// Status is how far a batch is.
type Status struct {
	State          geminiapi.BatchState
	Updated, Ended time.Time
	Results        []Result
	Lines          []Line // that the results are of
	ResponsesFile  string
	Failed         int // of the results
}

// IsDone reports whether nothing more will happen.
func (s Status) IsDone() bool {
	return s.State != geminiapi.BatchStatePending && s.State != geminiapi.BatchStateRunning
}

// New returns a batch, which is pending, and the status that it has until it is asked for again.
func New(job Job) (*Batch, Status) {
	now := time.Now()
	status := Status{State: geminiapi.BatchStatePending, Updated: now}
	return &Batch{Job: job, Created: now, status: status}, status
}

// Status returns how far the batch is now. It is pending in the first half of its time, and runs in
// the second; when that is over the requests are answered, all of them or, when the context ends,
// none.
func (b *Batch) Status(ctx context.Context) Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	switch passed := now.Sub(b.Created); {
	case b.status.IsDone():
	case passed >= b.Duration:
		b.answer(ctx)
	case passed >= b.Duration/2 && b.status.State == geminiapi.BatchStatePending:
		b.status.State, b.status.Updated = geminiapi.BatchStateRunning, now
	}
	return b.status
}

// Cancel ends a batch that is not done.
func (b *Batch) Cancel() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.status.IsDone() {
		b.end(geminiapi.BatchStateCancelled)
	}
}

// answer answers all requests.
func (b *Batch) answer(ctx context.Context) {
	results, failed := make([]Result, len(b.Lines)), 0
	for i, line := range b.Lines {
		if results[i] = b.Run(ctx, line); results[i].Response == nil {
			failed++
		}
	}
	if ctx.Err() != nil {
		return
	}
	if b.Trouble.Ends == geminiapi.BatchStateFailed {
		b.end(geminiapi.BatchStateFailed)
		return
	}
	b.status.Lines, b.status.Results = b.Trouble.disturb(b.Lines, results)
	b.status.Failed = failed
	if b.FromFile {
		b.status.ResponsesFile = b.Keep(fileOf(b.status.Lines, b.status.Results))
	}
	b.end(cmp.Or(b.Trouble.Ends, geminiapi.BatchStateSucceeded))
}

// disturb returns the lines and results with what goes wrong with them.
func (t *Trouble) disturb(lines []Line, results []Result) ([]Line, []Result) {
	var outLines []Line
	var out []Result
	for i, line := range lines {
		if t.Loses > 0 && (i+1)%t.Loses == 0 {
			continue
		}
		if t.Doubles > 0 && i > 0 && (i+1)%t.Doubles == 0 {
			line.Key, line.Metadata = lines[i-1].Key, lines[i-1].Metadata
		}
		outLines, out = append(outLines, line), append(out, results[i])
	}
	if t.Reverses {
		slices.Reverse(outLines)
		slices.Reverse(out)
	}
	return outLines, out
}

func (b *Batch) end(state geminiapi.BatchState) {
	now := time.Now()
	b.status.State, b.status.Updated, b.status.Ended = state, now, now
}
