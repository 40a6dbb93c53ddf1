package bulk

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/gemwire/gemwire/server/bulk/internal/engine"
)

// Work does the work of all jobs until the context ends, and then returns nil once nothing is under
// way. It returns a *StorageError when the store is full, or does not work any more; whoever calls
// it again, when there is room, goes on. An *[OlderStoreError] ends it too. Servers that are away
// for a while are waited for.
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

// endOfWork is nil for work that was told to end.
func endOfWork(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// workplace is a worker at work.
type workplace struct {
	service *Service
	worker  Worker
	logger  *slog.Logger
	ranges  queue
	tasks   queue

	mu    sync.Mutex
	held  map[*holding]struct{} // ranges under way
	taken map[string]uint64     // sequences of the messages in hand, by their subjects
}

func (s *Service) newWorkplace(ctx context.Context, worker Worker) (*workplace, error) {
	if worker.Items <= 0 {
		worker.Items = DefaultItems
	}
	if worker.Grace <= 0 {
		worker.Grace = DefaultGrace
	}
	w := &workplace{
		service: s, worker: worker, logger: s.settings.logger,
		ranges: newQueue(), tasks: newQueue(), held: map[*holding]struct{}{},
		taken: map[string]uint64{},
	}
	for _, name := range []string{engine.ConsumerHigh, engine.ConsumerNormal, engine.ConsumerLow,
		engine.ConsumerTasks} {
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

// queue is where a worker takes messages from. Its zero value is not ready, see [newQueue].
type queue struct {
	consumers []jetstream.Consumer // the ones of a higher priority first
	news      chan struct{}        // has an element when a message may be there
}

func newQueue() queue { return queue{news: make(chan struct{}, 1)} }

// tellNews has both queues be looked at.
func (w *workplace) tellNews() {
	for _, news := range []chan struct{}{w.ranges.news, w.tasks.news} {
		select {
		case news <- struct{}{}:
		default: // it has to look anyway
		}
	}
}

// listen hears of new work, and of jobs that were cancelled or parked.
func (w *workplace) listen() (stop func(), err error) {
	awake, err := w.service.engine.Listen(engine.SubjectWake, func(string, []byte) { w.tellNews() })
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
	return func() { awake(); changed() }, nil
}

// lookAgain has the ranges of a job that are under way look whether it still runs.
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

// takeAll takes messages and does what they stand for, so many at a time, until one of them fails.
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

// maxTasks is how many tasks are done at a time.
const maxTasks = 4

// idleTime is how long a worker waits for news until it looks for work that nobody tells of: what a
// worker that was killed had in hand, and what others gave back with a delay.
const idleTime = 5 * time.Second

// next takes a message of the first consumer that has one, or waits for one. It returns nil when
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

// fetch takes a message, or returns nil when there is none.
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

// take notes that a message is in hand, until the returned function is called. It reports false for
// what this worker has already: the store gives it again when it has not heard of it for long, such
// as while a cluster chose who leads, or when another process went on with a directory. What is
// said of the one in hand counts for both.
func (w *workplace) take(message jetstream.Msg) (leave func(), isNew bool) {
	subject, sequence := message.Subject(), sequenceOf(message)
	w.mu.Lock()
	defer w.mu.Unlock()
	if has, isTaken := w.taken[subject]; isTaken {
		// of a job that was parked and goes on, while calls of before are under way
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

// sequenceOf returns the number that a message has in the store.
func sequenceOf(message jetstream.Msg) uint64 {
	meta, err := message.Metadata()
	if err != nil {
		return 0
	}
	return meta.Sequence.Stream
}

// keep tells the store that a message is worked at, until the returned function is called.
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
					w.logger.Debug("bulk: the store is not told that work goes on", "error", err)
				}
			}
		}
	}()
	return func() { close(ended); <-done }
}
