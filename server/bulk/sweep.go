package bulk

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/record"
)

// sweepTime is the approximate interval at which a worker looks for unfinished work.
const sweepTime = 15 * time.Second

// sweepNowAndThen sweeps all jobs at once and then at intervals.
func (w *workplace) sweepNowAndThen(ctx context.Context) error {
	var forgot time.Time
	for {
		// also data of failed writes, such as a file
		if err := w.service.engine.Revive(ctx); err != nil {
			return err
		}
		if now := time.Now(); now.Sub(forgot) > forgetTime {
			forgot = now
			if err := w.service.forget(ctx); err != nil && ctx.Err() == nil {
				w.logger.Warn("bulk: remains of deleted jobs were not removed", "error", err)
			}
		}
		if err := w.service.sweep(ctx); err != nil && ctx.Err() == nil {
			// a store that can never be swept
			if errors.As(err, new(*OlderStoreError)) {
				return err
			}
			w.logger.Warn("bulk: the sweep of jobs failed", "error", err)
		}
		w.sweepElsewhere(ctx)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(sweepTime/2 + rand.N(sweepTime)):
		}
	}
}

// forgetTime is the interval at which remains of deleted jobs and files are removed.
const forgetTime = time.Hour

// forget removes the remains of jobs and files that were deleted longer ago than the retention
// time.
func (s *Service) forget(ctx context.Context) error {
	before := s.settings.now().Add(-s.settings.retention)
	return errors.Join(s.jobs.Forget(ctx, before), s.files.Forget(ctx, before))
}

// sweepElsewhere calls the executors that have work outside of the process.
func (w *workplace) sweepElsewhere(ctx context.Context) {
	for name, executor := range w.worker.Executors {
		sweeper, ok := executor.(Sweeper)
		if !ok {
			continue
		}
		if err := sweeper.Sweep(ctx, w.service); err != nil && ctx.Err() == nil {
			w.logger.Warn("bulk: work outside of this process could not be checked", "executor", name,
				"error", err)
		}
	}
}

// sweep completes what processes that died left unfinished, and what is due: it expires jobs,
// resumes parked ones, and deletes old jobs and files. Several workers may sweep at a time.
func (s *Service) sweep(ctx context.Context) error {
	jobs, err := s.jobs.All(ctx)
	failures := []error{err} // a damaged record must not stop the other jobs
	for _, job := range jobs {
		failures = append(failures, ignoreNotFound(s.sweepJob(ctx, job.Value)))
	}
	return errors.Join(append(failures, s.sweepFiles(ctx))...)
}

// Waiting times, because another worker may be doing the same work at this moment.
const (
	patience = 5 * time.Second
	// cutOffTime is how long an interrupted submission can be started again.
	cutOffTime = time.Hour
	// uploadTime is how long writing a file may take.
	uploadTime = 24 * time.Hour
)

func (s *Service) sweepJob(ctx context.Context, job *jobRecord) error {
	now := s.settings.now()
	switch {
	case job.State.Ended():
		return s.sweepEnded(ctx, job, now)
	case job.State == Finalizing, job.State == Cancelling:
		return s.giveTask(ctx, taskFinish, job.ID)
	case now.After(job.ExpiresAt):
		return s.expire(ctx, job.ID)
	case job.State == Validating:
		return s.sweepValidating(ctx, job, now)
	case job.Parking != nil:
		if until := job.Parking.Until; until.IsZero() || now.Before(until) {
			return nil
		}
		_, err := s.Continue(ctx, job.ID)
		return err
	}
	return s.sweepRunning(ctx, job, now)
}

// sweepRunning queues ranges that are neither queued nor taken.
func (s *Service) sweepRunning(ctx context.Context, job *jobRecord, now time.Time) error {
	if now.Sub(job.InProgressAt) < patience {
		return nil
	}
	if job.Queued {
		has, err := s.engine.Work.HasAny(ctx, workSubject(job, "*"))
		if err != nil || has {
			return err
		}
	}
	return s.queue(ctx, job.ID)
}

// sweepValidating queues the check of an input, or fails the job if no process can read the input.
func (s *Service) sweepValidating(ctx context.Context, job *jobRecord, now time.Time) error {
	if job.Input.Lease == nil {
		return s.giveTask(ctx, taskPrepare, job.ID)
	}
	if !s.isCutOff(job) || now.Sub(job.CreatedAt) < cutOffTime {
		return nil
	}
	return s.failJob(ctx, job,
		line.Problem{Code: CodeInterrupted, Message: "the submission of the job was interrupted"})
}

// sweepEnded removes what an ended job left, and later the job itself.
func (s *Service) sweepEnded(ctx context.Context, job *jobRecord, now time.Time) error {
	if now.Sub(job.EndedAt()) > s.settings.retention {
		return s.Delete(ctx, job.ID)
	}
	if job.Cleared || now.Sub(job.EndedAt()) < patience {
		return nil
	}
	return s.clearEnded(ctx, job)
}

// expire ends a job whose time is over.
func (s *Service) expire(ctx context.Context, id string) error {
	_, err := s.changeJob(ctx, id, func(found *jobRecord) error {
		if found.State != Validating && found.State != InProgress {
			return record.ErrUnchanged
		}
		found.enter(Finalizing, s.settings.now())
		found.Target, found.Parking = Expired, nil
		return nil
	})
	if err != nil {
		return err
	}
	return s.giveTask(ctx, taskFinish, id)
}

// sweepFiles deletes files that have expired or were never ready.
func (s *Service) sweepFiles(ctx context.Context) error {
	files, err := s.files.All(ctx)
	failures := []error{err}
	now := s.settings.now()
	for _, file := range files {
		isGivenUp := !file.Value.Ready && now.Sub(file.Value.CreatedAt) > uploadTime
		if isGivenUp || file.Value.Ready && !s.isThere(file.Value) {
			failures = append(failures, s.removeFile(ctx, file.ID))
		}
	}
	return errors.Join(failures...)
}
