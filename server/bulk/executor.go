package bulk

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// The names of the executors that gemwire has.
const (
	ExecutorLive        = "live"
	ExecutorGeminiBatch = "gemini_batch"
)

// Executor answers the lines of ranges. It is used by several goroutines.
type Executor interface {
	// Run answers the lines of an item, and writes the result of each by [Item.Write]. It returns
	// nil when all are written, a *LaterError when the others have to wait, and another error when
	// the item is to be tried again, after a back-off.
	//
	// The context ends when the job is cancelled, or the worker is told to stop and its grace is
	// over. Before that [Item.Stopping] tells that no more calls should begin.
	Run(ctx context.Context, item *Item) error
}

// Sweeper is an executor that has work go on elsewhere, such as batches at a vendor, and has to end
// that of jobs that were cancelled. A worker calls Sweep now and then.
type Sweeper interface {
	Executor
	Sweep(ctx context.Context, service *Service) error
}

// LaterError says that the lines of an item without a result have to wait. No call for them is
// under way.
type LaterError struct {
	// After is how long, at least.
	After time.Duration
	// Park has the whole job rest, not this item alone, for instance until a quota of the day is
	// new.
	Park bool
	// Reason is for people.
	Reason string
}

// Error says how long, and why.
func (e *LaterError) Error() string {
	return fmt.Sprintf("bulk: to be continued in %s: %s", e.After, e.Reason)
}

// Item is a range of a job in the hands of an executor.
type Item struct {
	// Job is what the item is of. Its counts are old.
	Job *Job
	// Range is the number of the range, from 0.
	Range int
	// Lines are those without a result, in the order of the input.
	Lines []line.Line
	// Repeated reports whether the lines may have been asked before, by a worker that died.
	Repeated bool

	keeper itemKeeper
}

// itemKeeper keeps what an item is told.
type itemKeeper struct {
	write    func(context.Context, line.Result) error
	note     func() []byte
	setNote  func(ctx context.Context, note []byte, discarded line.Usage) error
	stopping <-chan struct{}
}

// NewItem makes an item outside of a [Service], for tests of executors: results go to write, and
// the note is kept in memory. It stops when stopping is closed, never with nil.
func NewItem(job *Job, number int, lines []line.Line, stopping <-chan struct{},
	write func(context.Context, line.Result) error) *Item {
	var kept atomic.Pointer[[]byte]
	return &Item{Job: job, Range: number, Lines: lines, keeper: itemKeeper{
		write: write,
		note: func() []byte {
			if note := kept.Load(); note != nil {
				return *note
			}
			return nil
		},
		setNote: func(_ context.Context, note []byte,
			_ line.Usage) error {
			kept.Store(&note)
			return nil
		},
		stopping: stopping,
	}}
}

// Write keeps the result of a line. Results are collected for a moment and written together; an
// item is done when all are on the disk. It returns an error when the item was lost to another
// worker, or cannot be written: then Run should return. Several goroutines may write.
func (i *Item) Write(ctx context.Context, result line.Result) error {
	return i.keeper.write(ctx, result)
}

// Note returns what [Item.SetNote] wrote last for the range, in whichever worker; nil for nothing.
func (i *Item) Note() []byte { return i.keeper.note() }

// SetNote keeps up to 64 KiB with the range, such as the name of a batch at Gemini. It is on the
// disk when SetNote returns.
func (i *Item) SetNote(ctx context.Context, note []byte) error {
	return i.keeper.setNote(ctx, note, line.Usage{})
}

// Discard does what [Item.SetNote] does, and counts for the job what answers have used that no line
// has, such as those of a batch that cannot be told apart: both or neither, so that who goes on by
// the note counts nothing twice.
func (i *Item) Discard(ctx context.Context, note []byte, discarded line.Usage) error {
	return i.keeper.setNote(ctx, note, discarded)
}

// Stopping is closed when no more calls should begin: the worker stops, or the job was cancelled or
// parked. Who then waits for the calls under way and returns a [LaterError] repeats none.
func (i *Item) Stopping() <-chan struct{} { return i.keeper.stopping }

// Worker is who does the work of [Service.Work].
type Worker struct {
	// Executors run the items of jobs by their names. Without any, work is what has to be done
	// around them: inputs are checked, jobs ended, expired, and deleted.
	Executors map[string]Executor
	// Takes reports whether the worker takes ranges of a job; nil takes those of all. It is asked
	// for each range.
	Takes func(*Job) bool
	// Items is how many run at the same time, by default 4.
	Items int
	// Grace is how long calls under way may take when the context of Work has ended, by default 10
	// seconds.
	Grace time.Duration
}

// The defaults of [Worker].
const (
	DefaultItems = 4
	DefaultGrace = 10 * time.Second
)
