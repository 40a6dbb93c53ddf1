package bulk

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// input is a source of lines that are checked while they are read.
type input struct {
	lines iter.Seq2[line.Line, error]
	// describe sets form, endpoint and model after the last line.
	describe func(*Job)
	// problems are the problems so far.
	problems *problemList
}

// read reads an input according to its submission.
func (i *inputRecord) read(forms transform.Forms, in io.Reader, problems *problemList) (*input,
	error) {
	options := []line.Option{line.WithForms(forms), line.WithReport(problems.add),
		line.WithMaxLines(i.MaxLines), line.WithMaxTexts(i.MaxTexts)}
	if i.Format != "" {
		options = append(options, line.WithFormat(i.Format))
	}
	if i.Endpoint != "" {
		options = append(options, line.WithEndpoint(i.Endpoint))
	}
	if i.Model != "" {
		options = append(options, line.WithModel(i.Model))
	}
	if i.MaxLineBytes > 0 {
		options = append(options, line.WithMaxLineBytes(i.MaxLineBytes))
	}
	if i.SeveralModels {
		options = append(options, line.WithSeveralModels())
	}
	if i.WithoutValidation {
		options = append(options, line.WithoutValidation())
	}
	reader := line.NewReader(in, options...)
	if len(i.Template) > 0 {
		var err error
		if reader, err = line.NewTemplateReader(i.Template, in, options...); err != nil {
			return nil, err
		}
	}
	describe := func(job *Job) {
		// an empty input has none of the three
		job.Format = cmp.Or(reader.Format(), job.Format)
		job.Endpoint = cmp.Or(reader.Endpoint(), job.Endpoint)
		job.Model = cmp.Or(reader.Model(), job.Model)
		if models := reader.Models(); len(models) > 1 {
			job.Models = models
		}
	}
	return &input{lines: reader.Lines(), describe: describe, problems: problems}, nil
}

// prepareTask checks an input that any worker can read.
func (s *Service) prepareTask(ctx context.Context, id string) error {
	job, err := s.jobRecord(ctx, id)
	if err != nil || job.State != Validating || job.Input.Lease != nil {
		return ignoreNotFound(err)
	}
	in, err := s.openInput(ctx, job)
	if err == nil {
		err = s.prepare(ctx, job, in)
	}
	switch {
	case errors.As(err, new(*line.InputError)):
		return nil
	case errors.As(err, new(*line.TemplateError)):
		return s.failJob(ctx, job,
			line.Problem{Code: line.CodeInvalidRequest, Message: err.Error()})
	case errors.As(err, new(*NotFoundError)), errors.Is(err, io.ErrUnexpectedEOF): // it was deleted
		return s.failJob(ctx, job,
			line.Problem{Code: CodeNoInput, Message: "the input of the job was deleted"})
	case isDamage(err):
		return s.failJob(ctx, job,
			line.Problem{Code: CodeDamagedInput, Message: "the input of the job cannot be read: " +
				errortext.WithoutPackage(err.Error())})
	}
	return err
}

// Codes of problems in addition to the codes of package line.
const (
	// CodeNoInput is the code of an input that was deleted before it was checked.
	CodeNoInput = "input_not_found"
	// CodeDamagedInput is the code of an input that was damaged in the store.
	CodeDamagedInput = "input_damaged"
	// CodeInterrupted is the code of a submission that was interrupted.
	CodeInterrupted = "submission_interrupted"
)

// failJob fails a job for a reason that is not about one of its lines.
func (s *Service) failJob(ctx context.Context, job *jobRecord, reason line.Problem) error {
	problems := s.newProblemList(ctx)
	problems.add(reason)
	wrong := &line.InputError{Problems: []line.Problem{reason}, Total: 1}
	return s.failInput(ctx, job, &input{describe: func(*Job) {}, problems: problems}, wrong)
}

// openInput opens an input that any worker can read: a file, or the lines of a retried job.
func (s *Service) openInput(ctx context.Context, job *jobRecord) (*input, error) {
	if job.Input.Lines != "" {
		kept := blob.NewReader(ctx, s.engine.Files, engine.SubjectFiles+job.Input.Lines)
		return &input{lines: line.ReadLines(kept), describe: func(*Job) {},
			problems: s.newProblemList(ctx)}, nil
	}
	file, err := s.OpenFile(ctx, job.InputFile)
	if err != nil {
		return nil, err
	}
	return job.Input.read(s.settings.forms, file, s.newProblemList(ctx))
}

// prepare checks all lines, stores them in ranges, and then queues the ranges. It returns a
// *line.InputError if the job has failed.
func (s *Service) prepare(ctx context.Context, job *jobRecord, in *input) error {
	generation := rand.Text()
	divided, err := s.divide(ctx, job, in, generation)
	if err == nil {
		err = s.begin(ctx, job, in, divided)
	}
	if err == nil {
		return s.queue(ctx, job.ID)
	}
	s.forgetLines(job.ID, generation)
	if wrong := (*line.InputError)(nil); errors.As(err, &wrong) {
		return errors.Join(s.failInput(ctx, job, in, wrong), wrong)
	}
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}

// division is the result of dividing the lines of an input into ranges.
type division struct {
	generation string
	ranges     int
	total      int64
}

// divide stores the lines in ranges.
func (s *Service) divide(ctx context.Context, job *jobRecord, in *input,
	generation string) (*division, error) {
	writing, ctx := errgroup.WithContext(ctx)
	writing.SetLimit(1) // a range is written while the next one is read
	d, err := s.divideBy(ctx, writing, job, in, generation)
	if failure := writing.Wait(); failure != nil {
		return nil, failure
	}
	return d, err
}

func (s *Service) divideBy(ctx context.Context, writing *errgroup.Group, job *jobRecord, in *input,
	generation string) (*division, error) {
	d := &division{generation: generation}
	limits := line.RangeLimits{Lines: job.Input.RangeLines, Bytes: job.Input.RangeBytes}
	renewed := s.settings.now()
	for next, err := range line.Ranges(in.lines, limits) {
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		writing.Go(func() error { return s.keepLines(ctx, linesSubject(job.ID, generation, next.Number), next.Lines) })
		d.ranges++
		d.total += int64(len(next.Lines))
		if now := s.settings.now(); now.Sub(renewed) > leaseTime/6 {
			renewed = now
			if err := s.renew(ctx, job); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// linesSubject returns the subject of the lines of a range.
func linesSubject(job, generation string, number int) string {
	return engine.SubjectLines + job + "." + generation + "." + strconv.Itoa(number)
}

func (s *Service) keepLines(ctx context.Context, subject string, lines []line.Line) (err error) {
	kept := blob.NewWriter(s.engine.Lines, subject)
	var data []byte
	for i := range lines {
		if data, err = line.AppendLine(data[:0], &lines[i]); err != nil {
			return err
		}
		if err := kept.Write(ctx, data); err != nil {
			return err
		}
	}
	return kept.Close(ctx)
}

// readLines reads the lines of a range.
func (s *Service) readLines(ctx context.Context, job *jobRecord, number int) ([]line.Line, error) {
	var lines []line.Line
	kept := blob.NewReader(ctx, s.engine.Lines, linesSubject(job.ID, job.Generation, number))
	for l, err := range line.ReadLines(kept) {
		if err != nil {
			return nil, fmt.Errorf("bulk: range %d of job %s: %w", number, job.ID, err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// errGone reports that a job no longer belongs to this submission.
var errGone = errors.New("bulk: the job was replaced")

// isHeldBy reports whether the job waits for the holder of a lease. With nil it reports whether it
// waits for any worker.
func (r *jobRecord) isHeldBy(lease *leaseRecord) bool {
	if r.State != Validating || (r.Input.Lease == nil) != (lease == nil) {
		return false
	}
	return lease == nil || r.Input.Lease.Holder == lease.Holder
}

// renew renews the submitter's lease. It returns errGone if the job was cancelled or replaced.
func (s *Service) renew(ctx context.Context, job *jobRecord) error {
	_, err := s.changeJob(ctx, job.ID, func(found *jobRecord) error {
		switch {
		case !found.isHeldBy(job.Input.Lease):
			return errGone
		case found.Input.Lease == nil:
			return record.ErrUnchanged
		}
		found.Input.Lease.renew(s)
		return nil
	})
	return err
}

// begin moves the job to the state in_progress.
func (s *Service) begin(ctx context.Context, job *jobRecord, in *input, divided *division) error {
	if err := s.boards.Create(ctx, boardID(job.ID, divided.generation),
		&tally.Board{}); err != nil {
		return err
	}
	_, err := s.changeJob(ctx, job.ID, func(found *jobRecord) error {
		if !found.isHeldBy(job.Input.Lease) {
			return errGone
		}
		found.Generation, found.Ranges, found.Total = divided.generation, divided.ranges,
			divided.total
		found.Input.Lease = nil
		in.describe(&found.Job)
		found.enter(InProgress, s.settings.now())
		return nil
	})
	return err
}

// failInput fails the job with the problems of its input.
func (s *Service) failInput(ctx context.Context, job *jobRecord, in *input,
	wrong *line.InputError) error {
	all, err := in.problems.close()
	if err != nil {
		return err
	}
	_, err = s.changeJob(ctx, job.ID, func(found *jobRecord) error {
		if !found.isHeldBy(job.Input.Lease) {
			return record.ErrUnchanged
		}
		found.Problems, found.ProblemCount, found.ProblemsBlob = firstProblems(wrong.Problems,
			s.engine.Files.PieceSize()), wrong.Total, all
		found.Input.Lease = nil
		in.describe(&found.Job)
		found.enter(Failed, s.settings.now())
		return nil
	})
	return err
}

// errBegun reports that a job has begun with the lines that were to be removed.
var errBegun = errors.New("bulk: the job has begun")

// forgetLines removes the lines of a failed division, unless the job has begun with them. A process
// that was interrupted during the change does not know that.
func (s *Service) forgetLines(job, generation string) {
	ctx, cancel := context.WithTimeout(context.Background(), leaseTime)
	defer cancel()
	_, err := s.changeJob(ctx, job, func(found *jobRecord) error {
		switch {
		case found.Generation == generation:
			return errBegun
		case found.State != Validating:
			return record.ErrUnchanged
		}
		return nil // written anew, so that the store refuses a beginning that is still on its way
	})
	if err = ignoreNotFound(err); err == nil {
		err = s.engine.Lines.Purge(ctx, engine.SubjectLines+job+"."+generation+".>")
	}
	if err == nil {
		err = s.boards.Drop(ctx, boardID(job, generation))
	}
	if err != nil && !errors.Is(err, errBegun) {
		s.settings.logger.Warn("bulk: lines of an interrupted submission stay until the job is deleted",
			"job", job, "error", err)
	}
}
