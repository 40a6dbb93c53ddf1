package bulk

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Work does the work of all jobs until the context ends. Then it returns nil when no work is in
// flight. It returns a *StorageError if the store is full or has failed; a new call continues when
// there is room. It also returns an *[OlderStoreError]. It waits for servers that are temporarily
// not reachable.
func (s *Service) Work(ctx context.Context, worker Worker) error {
	if err := s.engine.Revive(ctx); err != nil {
		return endOfWork(err)
	}
	w, err := s.newWorkplace(ctx, worker)
	if err != nil {
		return endOfWork(err)
	}
	stop, err := w.listen()
	if err != nil {
		return err
	}
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return w.takeAll(ctx, w.tasks, maxTasks, w.doTask) })
	group.Go(func() error { return w.sweepNowAndThen(ctx) })
	if len(worker.Executors) > 0 {
		group.Go(func() error { return w.takeAll(ctx, w.ranges, w.worker.Items, w.doRange) })
	}
	return endOfWork(group.Wait())
}

// endOfWork returns nil if the work was stopped.
func endOfWork(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// workplace is a running worker.
type workplace struct {
	service *Service
	worker  Worker
	logger  *slog.Logger
	ranges  queue
	tasks   queue

	mu    sync.Mutex
	held  map[*holding]struct{} // ranges in flight
	taken map[string]uint64     // sequences of the messages in hand, by their subjects

	refused atomic.Int64 // tasks and ranges in a row whose writes the store has refused
}

func (s *Service) newWorkplace(ctx context.Context, worker Worker) (*workplace, error) {
	if worker.Items <= 0 {
		worker.Items = DefaultItems
	}
	if worker.Grace <= 0 {
		worker.Grace = DefaultGrace
	}
	if worker.Name == "" {
		worker.Name = defaultName()
	}
	w := &workplace{
		service: s, worker: worker, logger: s.settings.logger,
		ranges: newQueue(), tasks: newQueue(), held: map[*holding]struct{}{},
		taken: map[string]uint64{},
	}
	own, err := s.ownQueue(ctx, worker.Job)
	if err != nil {
		return nil, err
	}
	names := []string{engine.ConsumerTasks}
	if own != nil {
		w.ranges.consumers = append(w.ranges.consumers, own)
	} else {
		names = append(names, engine.ConsumerHigh, engine.ConsumerNormal, engine.ConsumerLow)
	}
	for _, name := range names {
		consumer, err := s.engine.Work.Consumer(ctx, name)
		if err != nil {
			return nil, err
		}
		if name == engine.ConsumerTasks {
			w.tasks.consumers = append(w.tasks.consumers, consumer)
		} else {
			w.ranges.consumers = append(w.ranges.consumers, consumer)
		}
	}
	return w, nil
}

// ownQueue returns the consumer of a job with a queue of its own, and nil for any other.
func (s *Service) ownQueue(ctx context.Context, id string) (jetstream.Consumer, error) {
	if id == "" {
		return nil, nil
	}
	job, err := s.jobRecord(ctx, id)
	if err != nil || !job.Own || job.State.Ended() {
		return nil, ignoreNotFound(err)
	}
	return s.engine.OwnConsumer(ctx, id)
}

// queue is a worker's source of messages. Its zero value is not ready, see [newQueue].
type queue struct {
	consumers []jetstream.Consumer // the ones of a higher priority first
	news      chan struct{}        // has an element when a message may be there
}

func newQueue() queue { return queue{news: make(chan struct{}, 1)} }

// wakeQueues wakes both queues.
func (w *workplace) wakeQueues() {
	for _, news := range []chan struct{}{w.ranges.news, w.tasks.news} {
		select {
		case news <- struct{}{}:
		default: // it has to look anyway
		}
	}
}

// listen receives notices of new work, and of cancelled or parked jobs.
func (w *workplace) listen() (stop func(), err error) {
	awake, err := w.service.engine.Listen(engine.SubjectWake, func(string, []byte) { w.wakeQueues() })
	if err != nil {
		return nil, err
	}
	changed, err := w.service.engine.Listen(engine.SubjectChange+"*",
		func(subject string, _ []byte) {
			w.lookAgain(subject[len(engine.SubjectChange):])
		})
	if err != nil {
		awake()
		return nil, err
	}
	resumed, err := w.service.engine.Listen(engine.SubjectResume,
		func(string, []byte) { w.forgetPauses() })
	if err != nil {
		awake()
		changed()
		return nil, err
	}
	asked, err := w.service.engine.Listen(engine.SubjectWho+"*", w.answerWho)
	if err != nil {
		awake()
		changed()
		resumed()
		return nil, err
	}
	return func() { awake(); changed(); resumed(); asked() }, nil
}

// lookAgain makes the job's ranges in progress check whether the job still runs.
func (w *workplace) lookAgain(job string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for h := range w.held {
		if h.job.ID == job {
			select {
			case h.look <- struct{}{}:
			default:
			}
		}
	}
}

// takeAll takes messages and processes up to a number of them at a time, until one fails.
func (w *workplace) takeAll(ctx context.Context, from queue, most int,
	do func(context.Context, jetstream.Msg) error) error {
	group, working := errgroup.WithContext(ctx) // which ends with the first failure
	free := make(chan struct{}, most)
	for working.Err() == nil {
		select {
		case <-working.Done():
			continue
		case free <- struct{}{}:
		}
		message := w.next(working, from)
		if message == nil {
			continue
		}
		group.Go(func() error {
			defer func() { <-free }()
			return do(working, message)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// maxTasks is the maximum number of tasks at a time.
const maxTasks = 4

// idleTime is how long a worker waits for a notice before it looks for work without one. Such work
// comes from workers that were killed, and from messages that were given back with a delay.
const idleTime = 5 * time.Second

// next takes a message from the first consumer that has one, or waits for one. It returns nil when
// the context has ended.
func (w *workplace) next(ctx context.Context, from queue) jetstream.Msg {
	for ctx.Err() == nil {
		for _, consumer := range from.consumers {
			if message := w.fetch(consumer); message != nil {
				return message
			}
		}
		select {
		case <-ctx.Done():
		case <-from.news:
		case <-time.After(idleTime):
		}
	}
	return nil
}

// fetch takes a message, or returns nil if no message is available.
func (w *workplace) fetch(consumer jetstream.Consumer) jetstream.Msg {
	batch, err := consumer.FetchNoWait(1)
	if err == nil {
		for message := range batch.Messages() {
			return message
		}
		err = batch.Error()
	}
	if err != nil {
		w.logger.Debug("bulk: no work could be taken", "error", err)
	}
	return nil
}

// take marks a message as being processed until the returned function is called. It reports false
// for a message that this worker is processing already. The store delivers a message again if it
// hears nothing for a long time, for example during a cluster's leader election, or when another
// process takes over a directory. An acknowledgement of the first delivery counts for both.
func (w *workplace) take(message jetstream.Msg) (leave func(), isNew bool) {
	subject, sequence := message.Subject(), sequenceOf(message)
	w.mu.Lock()
	defer w.mu.Unlock()
	if has, isTaken := w.taken[subject]; isTaken {
		// of a job that was parked and resumed while earlier calls are in flight
		if has != sequence {
			_ = w.giveBack(message, time.Second)
		}
		return nil, false
	}
	w.taken[subject] = sequence
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.taken, subject)
	}, true
}

// sequenceOf returns the sequence number of a message in the store.
func sequenceOf(message jetstream.Msg) uint64 {
	meta, err := message.Metadata()
	if err != nil {
		return 0
	}
	return meta.Sequence.Stream
}

// keep reports progress on a message to the store until the returned function is called.
func (w *workplace) keep(message jetstream.Msg) (stop func()) {
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticks := time.NewTicker(engine.AckWait / 4)
		defer ticks.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticks.C:
				if err := message.InProgress(); err != nil {
					w.logger.Debug("bulk: progress was not reported to the store", "error", err)
				}
			}
		}
	}()
	return func() { close(ended); <-done }
}
