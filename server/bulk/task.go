package bulk

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/nats-io/nats.go/jetstream"
)

// doTask does a task. A failed task is taken again. It returns an error if the store is full.
func (w *workplace) doTask(ctx context.Context, message jetstream.Msg) error {
	leave, isNew := w.take(message)
	if !isNew {
		return nil
	}
	defer leave()
	keep := w.keep(message)
	defer keep()
	task, id, _ := strings.Cut(strings.TrimPrefix(message.Subject(), engine.SubjectTask), ".")
	var err error
	switch task {
	case taskPrepare:
		err = w.service.prepareTask(ctx, id)
	case taskFinish:
		err = w.service.finishTask(ctx, id)
	}
	var later *LaterError
	var unwritten *StorageError
	switch {
	case err == nil:
		w.refused.Store(0)
		return w.drop(message)
	case ctx.Err() != nil:
		return w.giveBack(message, 0)
	case errors.As(err, &later):
		return w.giveBack(message, later.After)
	case errors.As(err, &unwritten) && unwritten.Full:
		w.logger.Error("bulk: the store is full", "task", task, "job", id, "error", err)
		return errors.Join(unwritten, message.NakWithDelay(time.Second))
	case unwritten != nil:
		if err := w.revive(unwritten); err != nil {
			return errors.Join(err, message.NakWithDelay(time.Second))
		}
	}
	delay := backOff(message)
	w.logger.Warn("bulk: a task will be retried", "task", task, "job", id, "seconds",
		delay.Seconds(), "error", err)
	return w.giveBack(message, delay)
}

// maxRefused is how many tasks and ranges in a row may end because the store refused a write. More
// would be an endless loop, for example on a disk that has room for small writes only.
const maxRefused = 5

// revive restarts the store of this machine after a refused write. It returns an error if that does
// not help. Remote servers recover by themselves.
func (w *workplace) revive(unwritten *StorageError) error {
	if w.service.engine.IsEmbedded() && w.refused.Add(1) >= maxRefused {
		return unwritten
	}
	return w.service.engine.Revive(context.Background())
}

// drainTime is how long workers may take to return the ranges of a job that ends.
const drainTime = 10 * time.Second

// drained reports whether no worker has a range of the job, or of any job that shares its queue.
func (s *Service) drained(ctx context.Context, job *jobRecord) (bool, error) {
	if job.Own {
		consumer, err := s.engine.OwnConsumer(ctx, job.ID)
		return err == nil && consumer.CachedInfo().NumAckPending == 0, err
	}
	for _, name := range []string{engine.ConsumerHigh, engine.ConsumerNormal, engine.ConsumerLow} {
		consumer, err := s.engine.Work.Consumer(ctx, name)
		if err != nil {
			return false, err
		}
		if consumer.CachedInfo().NumAckPending > 0 {
			return false, nil
		}
	}
	return true, nil
}
