package bulk

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// Names of gemwire's executors.
const (
	ExecutorLive        = "live"
	ExecutorGeminiBatch = "gemini_batch"
)

// Executor answers the lines of ranges. It must be safe for concurrent use.
type Executor interface {
	// Run answers the lines of an item, and writes the result of each with [Item.Write]. It returns
	// nil if all results are written, and a *LaterError if the other lines have to wait. After any
	// other error the item is retried after a back-off.
	//
	// The context ends when the job is cancelled, or when the worker stops and its grace period is
	// over. Before that, [Item.Stopping] signals that no more calls should begin.
	Run(ctx context.Context, item *Item) error
}

// Sweeper is an executor with work outside of the process, such as batches at a vendor. It must end
// the work of cancelled jobs. A worker calls Sweep from time to time.
type Sweeper interface {
	Executor
	Sweep(ctx context.Context, service *Service) error
}

// Announcer is an executor that calls [Item.Announce] before it sends lines. After the death of its
// worker, only the announced lines without a result count as repeated.
type Announcer interface {
	Executor
	// Window is the number of lines that count as announced at the beginning of a run, for a range
	// with a note.
	Window(note []byte) int
}

// LaterError reports that the lines of an item without a result have to wait. No call for them is
// in flight.
type LaterError struct {
	// After is the minimum time to wait.
	After time.Duration
	// Park pauses the whole job and not only this item, for example until a daily quota is renewed.
	Park bool
	// Reason is for people.
	Reason string
}

// Error returns the wait and the reason.
func (e *LaterError) Error() string {
	return fmt.Sprintf("bulk: continue in %s: %s", e.After, e.Reason)
}

// Item is a range of a job that an executor is working at.
type Item struct {
	// Job is the item's job. Its counts may be out of date.
	Job *Job
	// Range is the number of the range, from 0.
	Range int
	// Lines are the lines without a result, in the order of the input.
	Lines []line.Line
	// Repeated reports that a worker that died may have sent these lines before.
	Repeated bool

	keeper itemKeeper
}

// itemKeeper stores the results and the note of an item.
type itemKeeper struct {
	write    func(context.Context, line.Result) error
	note     func() []byte
	announce func(number int) error
	setNote  func(ctx context.Context, note []byte, discarded line.Usage) error
	stopping <-chan struct{}
}

// NewItem makes an item without a [Service], for tests of executors. Results go to write, and the
// note is held in memory. The item stops when stopping is closed; nil never stops it.
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
		announce: func(int) error { return nil },
		setNote: func(_ context.Context, note []byte,
			_ line.Usage) error {
			kept.Store(&note)
			return nil
		},
		stopping: stopping,
	}}
}

// Write stores the result of a line. Results are collected for a short time and written together.
// An item is done when all results are on the disk. After an error Run should return: another
// worker has the item now, or it cannot be written. Write is safe for concurrent use.
func (i *Item) Write(ctx context.Context, result line.Result) error {
	return i.keeper.write(ctx, result)
}

// Announce records, on the disk, that lines up to a number may be sent from now on; see
// [Announcer]. It must not be called concurrently.
func (i *Item) Announce(number int) error { return i.keeper.announce(number) }

// Note returns the range's last note from [Item.SetNote], from any worker, or nil.
func (i *Item) Note() []byte { return i.keeper.note() }

// SetNote stores up to 64 KiB with the range, such as the name of a batch at Gemini. The note is on
// the disk when SetNote returns.
func (i *Item) SetNote(ctx context.Context, note []byte) error {
	return i.keeper.setNote(ctx, note, line.Usage{})
}

// Discard stores a note as [Item.SetNote] does. It also adds usage to the job that belongs to no
// line, such as the usage of an answer that matches no line. It writes both or neither, so that a
// worker that continues from the note counts nothing twice.
func (i *Item) Discard(ctx context.Context, note []byte, discarded line.Usage) error {
	return i.keeper.setNote(ctx, note, discarded)
}

// Stopping returns a channel that is closed when no more calls should begin: the worker stops, or
// the job was cancelled or parked. An executor that then waits for its calls in flight and returns
// a [LaterError] repeats no call.
func (i *Item) Stopping() <-chan struct{} { return i.keeper.stopping }

// Worker is the configuration of [Service.Work].
type Worker struct {
	// Executors are the executors by name. Without any, Work does only the other tasks: it checks
	// inputs, and ends, expires and deletes jobs.
	Executors map[string]Executor
	// Takes reports whether the worker takes ranges of a job. Nil takes the ranges of all jobs. It
	// is called for each range.
	Takes func(*Job) bool
	// Job is the only job whose ranges the worker takes, or "" for all jobs without a queue of
	// their own; see [Submission].
	Job string
	// Items is the number of ranges at a time (default 4).
	Items int
	// Grace is how long calls in flight may take after the context of Work has ended (default 10
	// seconds).
	Grace time.Duration
	// Name is the name of the worker for [Service.Workers]. The default is the name of the host and
	// the id of the process, for example "host-1:4711".
	Name string
}

// The defaults of [Worker].
const (
	DefaultItems = 4
	DefaultGrace = 10 * time.Second
)
