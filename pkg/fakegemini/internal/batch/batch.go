// Package batch runs the batches of a fake server. It answers the requests of a batch when a client
// asks for the results, so that nothing runs in the background.
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
	// Metadata is another name of the request; nil means no metadata.
	Metadata jsontext.Value
	// Request is the body; nil for a line without a request.
	Request jsontext.Value
}

// Result is the result of a request: a response or an error.
type Result struct {
	Response jsontext.Value
	Error    jsontext.Value
}

// Job is the work of a batch.
type Job struct {
	ID, Model string
	// Message is the name of its message, such as "GenerateContentBatch".
	Message     string
	DisplayName *string
	Lines       []Line
	// Duration is how long the batch takes.
	Duration time.Duration
	// Run answers one request, for a client that waits until the context ends.
	Run func(context.Context, Line) Result
	// FromFile is true if the requests are from a file, so that the results go to a file.
	FromFile bool
	// Trouble is the failure of the batch.
	Trouble Trouble
	// Keep stores a file with results, and returns its name.
	Keep func(lines []byte) (name string)
}

// Trouble is a failure of a batch. The zero value is no failure.
type Trouble struct {
	// Ends is the final state of the batch; "" is [geminiapi.BatchStateSucceeded].
	Ends geminiapi.BatchState
	// Reverses returns the results in the opposite order.
	Reverses bool
	// Loses omits every n-th result. Doubles puts every n-th result under the key of the result
	// before it.
	Loses, Doubles int
}

// Batch is a job in progress. It is safe for concurrent use. [New] makes a Batch.
type Batch struct {
	Job
	Created time.Time

	mu     sync.Mutex
	status Status
}

// Status is the progress of a batch.
type Status struct {
	State          geminiapi.BatchState
	Updated, Ended time.Time
	Results        []Result
	Lines          []Line // the lines of the results
	ResponsesFile  string
	Failed         int // the number of failed results
}

// IsDone reports whether the batch has reached its final state.
func (s Status) IsDone() bool {
	return s.State != geminiapi.BatchStatePending && s.State != geminiapi.BatchStateRunning
}

// New returns a pending batch, and its status until the first call of Status.
func New(job Job) (*Batch, Status) {
	now := time.Now()
	status := Status{State: geminiapi.BatchStatePending, Updated: now}
	return &Batch{Job: job, Created: now, status: status}, status
}

// Status returns the current progress of the batch. It is pending in the first half of its time,
// and runs in the second. After that Status answers all requests, or none if the context ends.
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

// Cancel cancels a batch that is not done.
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

// disturb applies the trouble to the lines and results.
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
