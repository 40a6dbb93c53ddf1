package bulk

import (
	"bytes"
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// holding is a range in progress. It collects what an [Item] writes for a short time, and appends
// it to the log of the range.
type holding struct {
	ctx     context.Context // for writes, also after the executor was cancelled
	service *Service
	job     *jobRecord
	number  int
	since   time.Time    // when the worker took it
	left    atomic.Int64 // lines without a result

	look     chan struct{} // signalled when the job may not run any more
	stopping chan struct{} // closed when no more calls should begin
	stopOnce sync.Once
	cancel   context.CancelCauseFunc // of the context of the executor

	mu      sync.Mutex
	pending []line.Result
	bytes   int
	timer   *time.Timer // runs while something is pending
	err     error       // of the first write that failed

	announced int // number of the last line that may be sent

	writing sync.Mutex // one writes at a time; locked before mu
	log     *rangelog.Log
}

// Results are written together when they reach this size, or when the first of them reaches this
// age.
const (
	flushBytes = 128 << 10
	flushDelay = 100 * time.Millisecond
)

// stop stops further calls.
func (h *holding) stop() { h.stopOnce.Do(func() { close(h.stopping) }) }

// write collects a result.
func (h *holding) write(_ context.Context, result line.Result) error {
	h.mu.Lock()
	if h.err != nil {
		defer h.mu.Unlock()
		return h.err
	}
	h.pending = append(h.pending, result)
	h.left.Add(-1)
	h.bytes += len(result.CustomID)
	if result.Response != nil {
		h.bytes += len(result.Response.Body)
	}
	isFull := h.bytes >= flushBytes
	if h.timer == nil && !isFull {
		h.timer = time.AfterFunc(flushDelay, func() { _ = h.flush() })
	}
	h.mu.Unlock()
	if isFull {
		return h.flush()
	}
	return nil
}

// flush writes the collected results. After an error it writes nothing more, and the executor
// receives a stop signal.
func (h *holding) flush() error {
	h.writing.Lock()
	defer h.writing.Unlock()
	results, err := h.take()
	if len(results) == 0 || err != nil {
		return err
	}
	if err := h.log.Append(h.ctx, results); err != nil {
		return h.fail(err)
	}
	h.service.settings.observers.resultsKept(h.job, results)
	h.publishProgress()
	return nil
}

// take returns what was collected.
func (h *holding) take() ([]line.Result, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer != nil {
		h.timer.Stop()
	}
	results := h.pending
	h.pending, h.bytes, h.timer = nil, 0, nil
	return results, h.err
}

// fail records the first error.
func (h *holding) fail(err error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = err
		h.stop()
		h.cancel(err)
	}
	return h.err
}

// note returns the note of the range.
func (h *holding) note() []byte {
	h.writing.Lock()
	defer h.writing.Unlock()
	return h.log.Note()
}

// maxNote is the maximum length of a note.
const maxNote = 64 << 10

var errLongNote = errors.New("bulk: the note of a range is larger than 64 KiB")

// setNote replaces the note of the range, and counts the discarded usage.
func (h *holding) setNote(_ context.Context, note []byte, discarded line.Usage) error {
	if len(note) > maxNote {
		return errLongNote
	}
	h.writing.Lock()
	defer h.writing.Unlock()
	if err := h.log.SetNote(h.ctx, bytes.Clone(note), discarded); err != nil {
		return h.fail(err)
	}
	return nil
}

// announce records that lines up to a number may be sent.
func (h *holding) announce(number int) error {
	if number <= h.announced {
		return nil
	}
	h.writing.Lock()
	defer h.writing.Unlock()
	if err := h.log.Announce(h.ctx, number); err != nil {
		return h.fail(err)
	}
	h.announced = number
	return nil
}

// claim takes the range for an executor.
func (h *holding) claim(ctx context.Context, executor Executor, lines []line.Line) error {
	announcer, ok := executor.(Announcer)
	if !ok {
		h.announced = math.MaxInt
		return h.log.Claim(ctx)
	}
	if window := min(announcer.Window(h.log.Note()), len(lines)); window > 0 {
		h.announced = lines[window-1].Number
	}
	return h.log.ClaimUpTo(ctx, h.announced)
}

// publishProgress sends the progress of the range to watchers of the job.
func (h *holding) publishProgress() {
	data, err := json.Marshal(rangeProgress{Range: h.number, Sum: *h.log.Sum()})
	if err == nil {
		h.service.notify(engine.SubjectProgress+h.job.ID, data)
	}
}
