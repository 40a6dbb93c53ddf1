package bulk

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// doRange works at a range. It returns an error if the store refuses its writes. After any other
// error the range is taken again later.
func (w *workplace) doRange(ctx context.Context, message jetstream.Msg) error {
	leave, isNew := w.take(message)
	if !isNew {
		return nil
	}
	defer leave()
	keep := w.keep(message)
	defer keep()
	id, number, err := parseWork(message.Subject())
	if err != nil {
		return w.drop(message)
	}
	// When the worker stops, work that has begun is completed.
	outcome := w.tryRange(context.WithoutCancel(ctx), ctx.Done(), id, number)
	return w.settle(message, id, number, outcome)
}

// Outcomes of a range that are not failures.
var (
	errNoWork   = errors.New("bulk: there is no work left")
	errNotNow   = errors.New("bulk: the job is paused")
	errStopped  = errors.New("bulk: the worker is stopping")
	errOmission = errors.New("bulk: the executor has left lines without a result")
)

// notTakenError reports a range of a job that this worker does not take.
type notTakenError struct{ ranges int } // of the job

func (e *notTakenError) Error() string { return "bulk: this worker does not take the job" }

// rest is how long the range waits before it is offered again, to this worker or another. A worker
// is offered all ranges of a job, one after another. It must not be busy with giving them back, nor
// keep them from workers that take them.
func (e *notTakenError) rest() time.Duration {
	return min(max(restTime, time.Duration(e.ranges)*time.Second/notTakenRate), time.Minute)
}

// notTakenRate is the approximate number of a job's ranges that a worker gives back per second.
const notTakenRate = 50

// settle gives a range back, or removes it when it is done.
func (w *workplace) settle(message jetstream.Msg, id string, number int, outcome error) error {
	logger := w.logger.With("job", id, "range", number)
	var later *LaterError
	var notTaken *notTakenError
	var unwritten *StorageError
	switch {
	case outcome == nil || errors.Is(outcome, errNoWork):
		w.refused.Store(0)
		return w.drop(message)
	case errors.Is(outcome, engine.ErrConflict):
		logger.Info("bulk: the range was lost to another worker")
		return nil // which has the message too
	case errors.As(outcome, &unwritten) && unwritten.Full:
		logger.Error("bulk: the store is full", "error", outcome)
		return errors.Join(unwritten, message.NakWithDelay(time.Second))
	case unwritten != nil:
		if err := w.revive(unwritten); err != nil {
			return errors.Join(err, message.NakWithDelay(time.Second))
		}
	case errors.As(outcome, &later):
		logger.Info("bulk: the range has to wait", "seconds", later.After.Seconds(), "reason",
			later.Reason)
		return w.giveBack(message, later.After)
	case errors.Is(outcome, errStopped):
		return w.giveBack(message, 0)
	case errors.Is(outcome, errNotNow):
		return w.giveBack(message, restTime)
	case errors.As(outcome, &notTaken):
		return w.giveBack(message, notTaken.rest())
	}
	delay := backOff(message)
	logger.Warn("bulk: the range will be retried", "seconds", delay.Seconds(), "error", outcome)
	return w.giveBack(message, delay)
}

// restTime is the delay of a range that this worker cannot run now.
const restTime = 5 * time.Second

// backOff returns the delay of a failed range from the number of its deliveries.
func backOff(message jetstream.Msg) time.Duration {
	delay := time.Second
	if meta, err := message.Metadata(); err == nil {
		delay <<= min(meta.NumDelivered-1, 6)
	}
	return min(delay, time.Minute)
}

// drop removes a message from the store. If that fails, the range is taken again and found to be
// done.
func (w *workplace) drop(message jetstream.Msg) error {
	if err := message.Ack(); err != nil {
		w.logger.Debug("bulk: finished work was not reported to the store", "error", err)
	}
	return nil
}

// redelivery is the time that the store may need to deliver a message after its delay.
const redelivery = 20 * time.Millisecond

// giveBack returns a message to the queue after a minimum delay.
func (w *workplace) giveBack(message jetstream.Msg, delay time.Duration) error {
	if err := message.NakWithDelay(delay); err != nil { // with 0 at once
		w.logger.Debug("bulk: returned work was not reported to the store", "error", err)
	}
	if delay == 0 {
		w.service.notify(engine.SubjectWake, nil) // for whichever worker has time
		return nil
	}
	time.AfterFunc(delay+redelivery, w.wakeQueues)
	return nil
}

// tryRange runs the rest of a range.
func (w *workplace) tryRange(ctx context.Context, stop <-chan struct{}, id string,
	number int) error {
	s := w.service
	job, err := s.jobRecord(ctx, id)
	if errors.As(err, new(*NotFoundError)) {
		return errNoWork
	}
	if err != nil {
		return err
	}
	if s.settings.now().After(job.ExpiresAt) && job.State == InProgress {
		return errors.Join(errNoWork, s.expire(ctx, id))
	}
	executor, err := w.executor(job)
	if err != nil {
		return err
	}
	if number < 0 || number >= job.Ranges { // of a message that this package did not write
		return errNoWork
	}
	log, err := rangelog.Open(ctx, s.engine, job.log(), number)
	if err != nil {
		return err
	}
	if log.Sealed() {
		return errNoWork
	}
	all, err := s.readLines(ctx, job, number)
	if isDamage(err) {
		return w.abandon(ctx, job, number, log, err)
	}
	if err != nil {
		return err
	}
	if log.Damage() != nil {
		w.logger.Error("bulk: answers of a range are lost, and are requested again", "job", id,
			"range", number, "error", log.Damage())
	}
	h := s.newHolding(ctx, job, number, log)
	if left := without(all, log); len(left) > 0 {
		if err := w.execute(ctx, stop, executor, h, left); err != nil {
			return err
		}
	}
	if len(without(all, log)) > 0 {
		return errOmission
	}
	return s.finishRange(ctx, job, number, log)
}

// executor returns the worker's executor for a job.
func (w *workplace) executor(job *jobRecord) (Executor, error) {
	switch {
	case job.State != InProgress:
		return nil, errNoWork
	case job.Parking != nil:
		return nil, errNotNow
	}
	executor, has := w.worker.Executors[job.Executor]
	if takes := w.worker.Takes; !has || takes != nil && !takes(job.view(nil)) {
		return nil, &notTakenError{ranges: job.Ranges}
	}
	return executor, nil
}

// without returns the lines without a result.
func without(lines []line.Line, log *rangelog.Log) []line.Line {
	var left []line.Line
	for _, l := range lines {
		if !log.Has(l.Number) {
			left = append(left, l)
		}
	}
	return left
}

// newHolding returns a range at its beginning.
func (s *Service) newHolding(ctx context.Context, job *jobRecord, number int,
	log *rangelog.Log) *holding {
	return &holding{
		ctx: ctx, service: s, job: job, number: number, log: log, since: s.settings.now(),
		look: make(chan struct{}, 1), stopping: make(chan struct{}), cancel: func(error) {},
	}
}

// execute runs an executor. What it has written is on the disk when execute returns.
func (w *workplace) execute(ctx context.Context, stop <-chan struct{}, executor Executor,
	h *holding, lines []line.Line) error {
	if err := h.claim(ctx, executor, lines); err != nil {
		return err
	}
	h.left.Store(int64(len(lines)))
	running, cancel := context.WithCancelCause(ctx)
	h.cancel = cancel
	watched := w.watch(ctx, stop, h)
	item := &Item{
		Job: h.job.view(nil), Range: h.number, Lines: lines, Repeated: h.log.Repeats() > 0,
		keeper: itemKeeper{write: h.write, note: h.note, setNote: h.setNote,
			announce: h.announce, stopping: h.stopping},
	}
	running, ended := w.service.settings.observers.beginRange(running, item)
	err := executor.Run(running, item)
	watched()
	flushed := h.flush()
	cancel(nil)
	ended(endOfRange(err, flushed, h.isStopped()))
	if flushed != nil {
		return flushed
	}
	return w.concede(ctx, h, err)
}

// WarningPaused is the message of the log when a worker pauses a job.
const WarningPaused = "bulk: the job is paused"

// concede handles an executor that did not answer all lines.
func (w *workplace) concede(ctx context.Context, h *holding, err error) error {
	var later *LaterError
	if !errors.As(err, &later) {
		if err != nil && h.isStopped() {
			return errStopped
		}
		return err
	}
	if err := h.log.Release(ctx); err != nil {
		return err
	}
	if h.isStopped() {
		return errStopped
	}
	if later.Park {
		parking := Parking{Until: w.service.settings.now().Add(later.After), Reason: later.Reason}
		if _, err := w.service.Park(ctx, h.job.ID, parking); err != nil &&
			!errors.As(err, new(*StateError)) {
			return err
		}
		w.logger.Warn(WarningPaused, "job", h.job.ID, "reason", later.Reason)
	}
	return later
}

func (h *holding) isStopped() bool {
	select {
	case <-h.stopping:
		return true
	default:
		return false
	}
}

// watch stops an executor when the worker stops or the job no longer runs. It cancels the executor
// when the grace period is over. It ends with the returned function.
func (w *workplace) watch(ctx context.Context, stop <-chan struct{}, h *holding) (end func()) {
	w.mu.Lock()
	w.held[h] = struct{}{}
	w.mu.Unlock()
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		w.awaitStop(ctx, stop, ended, h)
	}()
	return func() {
		w.mu.Lock()
		delete(w.held, h)
		w.mu.Unlock()
		close(ended)
		<-done
	}
}

func (w *workplace) awaitStop(ctx context.Context, stop, ended <-chan struct{}, h *holding) {
	ticks := time.NewTicker(restTime)
	defer ticks.Stop()
	for runs := true; runs; {
		select {
		case <-ended:
			return
		case <-stop:
			runs = false
		case <-h.look:
			runs = w.service.stillRuns(ctx, h.job)
		case <-ticks.C: // for changes without a notification
			runs = w.service.stillRuns(ctx, h.job)
		}
	}
	h.stop()
	select {
	case <-ended:
	case <-time.After(w.worker.Grace):
		h.cancel(errStopped)
	}
}

// stillRuns reports whether a job is neither parked nor ended. It returns true if the store does
// not answer.
func (s *Service) stillRuns(ctx context.Context, job *jobRecord) bool {
	found, err := s.jobRecord(ctx, job.ID)
	return err != nil && !errors.As(err, new(*NotFoundError)) || err == nil && found.runs()
}

// finishRange counts a range as done, and ends the job after the last range.
func (s *Service) finishRange(ctx context.Context, job *jobRecord, number int,
	log *rangelog.Log) error {
	finish := func(b *tally.Board) error {
		if !b.Finish(number, log.Sum()) {
			return record.ErrUnchanged
		}
		return nil
	}
	board, err := s.boards.Change(ctx, boardID(job.ID, job.Generation), finish)
	if errors.Is(err, record.ErrNotFound) || isDamage(err) {
		if err := s.renewBoard(ctx, job); err != nil {
			return err
		}
		board, err = s.boards.Change(ctx, boardID(job.ID, job.Generation), finish)
	}
	if errors.Is(err, record.ErrNotFound) {
		return errNoWork // the job was deleted
	}
	if err != nil {
		return err
	}
	s.notify(engine.SubjectChange+job.ID, nil)
	if board.Ranges() == job.Ranges {
		return s.giveTask(ctx, taskFinish, job.ID)
	}
	return nil
}
