package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// Submit makes a job. It returns a *SubmissionError for an invalid submission. If lines of Input
// are invalid, it returns the failed job and a *line.InputError. A job with InputFile is validating
// when Submit returns.
//
// If Submit was interrupted, the job stays validating, and fails after at most an hour. A new
// Submit with the same ID starts it again. A concurrent Submit of an Input with the same ID waits
// for the result of the first.
func (s *Service) Submit(ctx context.Context, submission Submission) (*Job, error) {
	if err := submission.check(s.settings.forms); err != nil {
		return nil, err
	}
	if submission.InputFile != "" {
		if _, err := s.File(ctx, submission.InputFile); err != nil {
			return nil, err
		}
	}
	made := s.newJob(&submission)
	switch err := s.makeJob(ctx, made); {
	case errors.Is(err, errNotCutOff):
		return s.Job(ctx, made.ID)
	case err != nil:
		s.endLease(made) // it is unknown whether it was made
		return nil, err
	}
	if submission.InputFile != "" {
		s.wantTask(ctx, taskPrepare, made.ID)
		return made.view(nil), nil
	}
	return s.prepareStream(ctx, made, submission.Input)
}

// Maximum sizes of a template and of settings, which are stored with the job.
const maxTemplate = 256 << 10

var errBadID = &SubmissionError{Field: "ID",
	Reason: "expected up to 128 letters, digits, \"-\" and \"_\""}

// check returns an error for an invalid submission.
func (s *Submission) check(known transform.Forms) error {
	switch {
	case (s.Input == nil) == (s.InputFile == ""):
		return &SubmissionError{Field: "Input", Reason: "expected either Input or InputFile"}
	case len(s.Template) > maxTemplate:
		return &SubmissionError{Field: "Template",
			Reason: fmt.Sprintf("expected at most %d bytes", maxTemplate)}
	}
	if len(s.Template) > 0 {
		if _, err := line.NewTemplateReader(s.Template, strings.NewReader(""),
			line.WithForms(known)); err != nil {
			return &SubmissionError{Field: "Template", Reason: err.Error()}
		}
	}
	return s.checkTerms()
}

// checkTerms checks the fields that a retry uses too.
func (s *Submission) checkTerms() error {
	switch {
	case s.ID != "" && !engine.Token(s.ID):
		return errBadID
	case s.Window < 0:
		return &SubmissionError{Field: "Window", Reason: "expected a duration above 0"}
	}
	switch s.Priority {
	case "", PriorityHigh, PriorityNormal, PriorityLow:
		return nil
	}
	return &SubmissionError{Field: "Priority", Reason: "expected high, normal or low"}
}

// newJob returns the record of a submission.
func (s *Service) newJob(submission *Submission) *jobRecord {
	now := s.settings.now()
	made := &jobRecord{
		Job: Job{
			ID: cmp.Or(submission.ID, newID("batch_")), Owner: submission.Owner, State: Validating,
			Format: submission.Format, Endpoint: submission.Endpoint, Model: submission.Model,
			Executor: cmp.Or(submission.Executor, ExecutorLive), Settings: submission.Settings,
			Metadata:  submission.Metadata,
			Priority:  cmp.Or(submission.Priority, PriorityNormal),
			InputFile: submission.InputFile, CreatedAt: now,
			ExpiresAt: now.Add(cmp.Or(submission.Window, DefaultWindow)),
		},
		Own:           submission.Own,
		OutputSeconds: int64(submission.OutputExpiresAfter.Seconds()),
		Input: inputRecord{
			Template: submission.Template, Format: submission.Format, Endpoint: submission.Endpoint,
			Model:    submission.Model,
			MaxLines: submission.MaxLines, MaxTexts: submission.MaxTexts,
			MaxLineBytes: submission.MaxLineBytes,
			RangeLines:   submission.RangeLines, RangeBytes: submission.RangeBytes,
			WithoutValidation: submission.WithoutValidation,
			SeveralModels:     submission.SeveralModels,
		},
	}
	if submission.Input != nil {
		made.Input.Lease = &leaseRecord{Holder: newID("")}
		made.Input.Lease.renew(s)
	}
	return made
}

// leaseTime is how long a submitter may be silent before it counts as gone.
const leaseTime = 30 * time.Second

// renew extends the lease.
func (l *leaseRecord) renew(s *Service) {
	l.Until, l.Instance = s.settings.now().Add(leaseTime), s.engine.Instance()
}

var (
	// errNotCutOff reports that a submission has completed, or that a worker checks it.
	errNotCutOff = errors.New("bulk: the submission was not interrupted")
	// errUnderWay reports that the submitter is still reading.
	errUnderWay = errors.New("bulk: the submission is in progress")
)

// makeJob makes a job, or replaces a job with the same id whose submission was interrupted. It
// waits for a submission in progress.
func (s *Service) makeJob(ctx context.Context, made *jobRecord) error {
	err := s.jobs.Create(ctx, made.ID, made)
	if err == nil {
		s.settings.observers.jobChanged(made, "")
	}
	if !errors.Is(err, record.ErrExists) {
		return err
	}
	for {
		if err := s.takeOver(ctx, made); !errors.Is(err, errUnderWay) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(idleTime):
		}
	}
}

// takeOver replaces a job whose submission was interrupted.
func (s *Service) takeOver(ctx context.Context, made *jobRecord) error {
	if made.Input.Lease != nil {
		made.Input.Lease.renew(s)
	}
	_, err := s.changeJob(ctx, made.ID, func(found *jobRecord) error {
		switch {
		case s.isCutOff(found):
			*found = *made
			return nil
		case found.State == Validating && found.Input.Lease != nil && made.Input.Lease != nil:
			return errUnderWay
		}
		return errNotCutOff
	})
	return err
}

// isCutOff reports whether the input of a job was not read completely and no process reads it.
func (s *Service) isCutOff(job *jobRecord) bool {
	switch lease := job.Input.Lease; job.State {
	case Validating:
		return lease != nil && (lease.Instance != s.engine.Instance() ||
			s.settings.now().After(lease.Until))
	case Failed:
		return len(job.Problems) == 1 && job.Problems[0].Code == CodeInterrupted
	}
	return false
}

// prepareStream checks an input that only this process can read.
func (s *Service) prepareStream(ctx context.Context, made *jobRecord, in io.Reader) (*Job, error) {
	input, err := made.Input.read(s.settings.forms, in, s.newProblemList(ctx))
	if err == nil {
		err = s.prepare(ctx, made, input)
	}
	if err != nil && !errors.As(err, new(*line.InputError)) {
		s.endLease(made)
		return nil, err
	}
	job, failure := s.Job(ctx, made.ID)
	return job, errors.Join(err, failure)
}

// endLease ends the lease of an unfinished submission, so that the next one does not have to wait.
func (s *Service) endLease(made *jobRecord) {
	if made.Input.Lease == nil {
		return
	}
	// the caller's context may have ended
	ctx, cancel := context.WithTimeout(context.Background(), leaseTime)
	defer cancel()
	_, err := s.changeJob(ctx, made.ID, func(found *jobRecord) error {
		if !found.isHeldBy(made.Input.Lease) {
			return record.ErrUnchanged
		}
		found.Input.Lease.Until = time.Time{}
		return nil
	})
	if ignoreNotFound(err) != nil {
		s.settings.logger.Warn("bulk: the submission was interrupted; its lease expires later",
			"job", made.ID, "error", err)
	}
}
