package bulk

import (
	"context"
	"errors"
	"time"

	"github.com/gemwire/gemwire/server/internal/record"
)

// finishTask ends a job whose ranges are all done, or that was cancelled or has expired. It writes
// the files and removes the working data. Running it twice is harmless: only one of two changes the
// job.
func (s *Service) finishTask(ctx context.Context, id string) error {
	job, err := s.startFinish(ctx, id)
	if err != nil {
		return ignoreNotFound(err)
	}
	if job.State.Ended() {
		return s.clearEnded(ctx, job)
	}
	if job.State == InProgress || job.State == Validating {
		return nil // a range is not done after all, or the task is of a deleted job with this name
	}
	if job.Target != Completed {
		if err := s.letDrain(ctx, job); err != nil {
			return err
		}
	}
	out := &output{
		ctx: ctx, service: s, job: job,
		answers: outputFile{name: job.ID + "_output.jsonl"},
		errors:  outputFile{name: job.ID + "_error.jsonl"},
	}
	defer out.giveRoomBack()
	err = out.writeAll()
	if err == nil {
		err = out.keep()
	}
	if err != nil {
		out.drop()
		return err
	}
	return s.endJob(ctx, job, out)
}

// startFinish moves a job whose ranges are all done to the state finalizing.
func (s *Service) startFinish(ctx context.Context, id string) (*jobRecord, error) {
	job, err := s.jobRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	board, err := s.board(ctx, job)
	if err != nil {
		return nil, err
	}
	return s.changeJob(ctx, id, func(found *jobRecord) error {
		if found.State != InProgress || found.Generation != job.Generation ||
			board.Ranges() < found.Ranges {
			return record.ErrUnchanged
		}
		found.enter(Finalizing, s.settings.now())
		found.Target, found.Parking = Completed, nil
		return nil
	})
}

// letDrain takes the ranges of a job back, and delays the task until workers have returned their
// ranges, up to a time limit.
func (s *Service) letDrain(ctx context.Context, job *jobRecord) error {
	stopped := job.CancellingAt
	if job.Target == Expired {
		stopped = job.FinalizingAt
	}
	drained, err := s.drained(ctx, job)
	if err != nil {
		return err
	}
	waited := s.settings.now().Sub(stopped)
	if !drained && 0 <= waited && waited < drainTime { // below 0 where the clock was set back
		return &LaterError{After: idleTime, Reason: "calls are in flight"}
	}
	return s.unqueue(ctx, job)
}

// endJob ends the job with the files that were written.
func (s *Service) endJob(ctx context.Context, job *jobRecord, out *output) error {
	ended, err := s.changeJob(ctx, job.ID, func(found *jobRecord) error {
		switch {
		case out.isOf(found):
			return record.ErrUnchanged
		case found.State != job.State || found.Target != job.Target:
			return errGone
		}
		found.OutputFile, found.ErrorFile = out.answers.id(), out.errors.id()
		found.FailedBlob, found.DamagedBlob = out.failed.name, out.damaged.name
		found.Damage, found.DamagedLines = out.damage, out.lost
		found.Counts.Total = found.Total
		found.count(&out.sum)
		found.enter(found.Target, s.settings.now())
		return nil
	})
	switch {
	case errors.Is(err, errGone):
		out.drop()
		return nil
	case err != nil:
		out.giveUp()
		return err
	}
	// A command stops its worker at the end of its job, but the disk is still given back.
	clearing, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearTime)
	defer cancel()
	return s.clearEnded(clearing, ended)
}

// clearTime is the time limit for removing the working data of a job.
const clearTime = time.Minute

// clearEnded removes a job's working data, once.
func (s *Service) clearEnded(ctx context.Context, job *jobRecord) error {
	if job.Cleared {
		return nil
	}
	if err := s.clear(ctx, job); err != nil {
		return err
	}
	_, err := s.changeJob(ctx, job.ID,
		func(found *jobRecord) error { found.Cleared = true; return nil })
	return ignoreNotFound(err)
}

func ignoreNotFound(err error) error {
	if errors.As(err, new(*NotFoundError)) {
		return nil
	}
	return err
}
