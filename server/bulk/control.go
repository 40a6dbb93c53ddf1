package bulk

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// Cancel cancels a job. Answered lines keep their results. A worker ends the job within seconds. A
// job that is already cancelling stays so. Cancel returns a *StateError for a job that has ended or
// is finalizing.
func (s *Service) Cancel(ctx context.Context, id string) (*Job, error) {
	changed, err := s.changeJob(ctx, id, func(found *jobRecord) error {
		switch found.State {
		case Validating, InProgress:
			found.enter(Cancelling, s.settings.now())
			found.Target, found.Parking = Cancelled, nil
			return nil
		case Cancelling:
			return record.ErrUnchanged
		}
		return &StateError{ID: id, State: found.State, Action: "cancel"}
	})
	if err != nil {
		return nil, err
	}
	s.wantTask(ctx, taskFinish, id)
	return s.viewOf(ctx, changed)
}

// Park pauses a job in progress, after its calls in flight have ended. It returns a *StateError for
// a job in another state.
func (s *Service) Park(ctx context.Context, id string, parking Parking) (*Job, error) {
	changed, err := s.changeJob(ctx, id, func(found *jobRecord) error {
		if found.State != InProgress {
			return &StateError{ID: id, State: found.State, Action: "park"}
		}
		found.Parking, found.Queued = &parking, false
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.unqueue(ctx, changed); err != nil {
		return nil, err
	}
	return s.viewOf(ctx, changed)
}

// Continue resumes a parked job at once. It does nothing if the job is not parked.
func (s *Service) Continue(ctx context.Context, id string) (*Job, error) {
	changed, err := s.changeJob(ctx, id, func(found *jobRecord) error {
		if found.Parking == nil {
			return record.ErrUnchanged
		}
		found.Parking = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.queue(ctx, id); err != nil {
		return nil, err
	}
	return s.viewOf(ctx, changed)
}

// Retry makes a new job from the failed lines of an ended job, including the lines that were not
// run. The lines keep their numbers. Retry uses ID, Window, Metadata, Priority, OnlyDamaged and Own
// of the submission; the rest comes from the ended job. The new job is validating when Retry
// returns. Retry returns a *StateError for a job without such lines.
func (s *Service) Retry(ctx context.Context, id string, submission Submission) (*Job, error) {
	failed, err := s.jobRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	lines := failed.FailedBlob
	if submission.OnlyDamaged {
		lines = failed.DamagedBlob
	}
	if !failed.State.Ended() || lines == "" {
		return nil, &StateError{ID: id, State: failed.State, Action: actionRetry}
	}
	if err := submission.checkTerms(); err != nil {
		return nil, err
	}
	made := s.newJob(&submission)
	made.Owner, made.RetryOf, made.InputFile = failed.Owner, id, failed.InputFile
	made.Format, made.Endpoint, made.Model = failed.Format, failed.Endpoint, failed.Model
	made.Models, made.Own = failed.Models, submission.Own
	made.Executor, made.Settings = failed.Executor, failed.Settings
	if submission.Priority == "" {
		made.Priority = failed.Priority
	}
	if submission.Metadata == nil {
		made.Metadata = failed.Metadata
	}
	made.Input = inputRecord{Lines: lines, RangeLines: failed.Input.RangeLines,
		RangeBytes: failed.Input.RangeBytes}
	err = s.jobs.Create(ctx, made.ID, made)
	if errors.Is(err, record.ErrExists) {
		return s.Job(ctx, made.ID)
	}
	if err != nil {
		return nil, err
	}
	s.settings.observers.jobChanged(made, "")
	s.wantTask(ctx, taskPrepare, made.ID)
	return made.view(nil), nil
}

// Delete deletes an ended job, with its output and error files. It returns a *StateError for a job
// that has not ended. It deletes a job with a damaged record in any state, but not its files,
// because their names are unknown.
func (s *Service) Delete(ctx context.Context, id string) error {
	job, err := s.jobRecord(ctx, id)
	if isDamage(err) {
		return s.deleteDamaged(ctx, id)
	}
	if err != nil {
		return err
	}
	if !job.State.Ended() {
		return &StateError{ID: id, State: job.State, Action: "delete"}
	}
	for _, file := range []string{job.OutputFile, job.ErrorFile} {
		if file == "" {
			continue
		}
		if err := s.removeFile(ctx, file); err != nil {
			return err
		}
	}
	for _, name := range []string{job.ProblemsBlob, job.FailedBlob, job.DamagedBlob} {
		if err := s.removeBlob(ctx, name); err != nil {
			return err
		}
	}
	if err := s.clear(ctx, job); err != nil {
		return err
	}
	return s.jobs.Delete(ctx, id)
}

// clear removes the working data of an ended job, but not its files.
func (s *Service) clear(ctx context.Context, job *jobRecord) error {
	if err := s.unqueue(ctx, job); err != nil {
		return err
	}
	if job.Own {
		if err := s.engine.DropOwnConsumer(ctx, job.ID); err != nil {
			return err
		}
	}
	for _, old := range []struct {
		stream  *engine.Stream
		subject string
	}{
		{s.engine.Lines, engine.SubjectLines + job.ID + ".>"},
		{s.engine.Results, engine.SubjectResults + job.ID + ".>"},
		{s.engine.Results, engine.SubjectLarge + job.ID + ".>"},
	} {
		if err := old.stream.Purge(ctx, old.subject); err != nil {
			return err
		}
	}
	return s.boards.Drop(ctx, boardID(job.ID, "*"))
}
