// Package batch runs the batches of a fake server: many requests, which are answered when somebody asks for the
// results, so that nothing goes on in the background.
package batch

import (
	"context"
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
	// Keep stores a file with results, and returns its name.
	Keep func(lines []byte) (name string)
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

// Status returns how far the batch is now. It is pending in the first half of its time, and runs in the second; when
// that is over the requests are answered, all of them or, when the context ends, none.
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
	b.status.Results, b.status.Failed = results, failed
	if b.FromFile {
		b.status.ResponsesFile = b.Keep(b.lines(results))
	}
	b.end(geminiapi.BatchStateSucceeded)
}

func (b *Batch) end(state geminiapi.BatchState) {
	now := time.Now()
	b.status.State, b.status.Updated, b.status.Ended = state, now, now
}
