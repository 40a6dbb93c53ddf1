package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/spf13/cobra"
)

func newCancel() *cobra.Command {
	var l look
	return newLook("cancel", "Cancel a job, and keep its answers",
		"Cancel a job. Answered lines keep their answers. The other lines are in the errors, as batch_cancelled.",
		&l,
		func(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
			if _, err := service.Cancel(ctx, job.ID); err != nil {
				return err
			}
			ended, err := endOf(ctx, service, job.ID)
			if err != nil {
				return err
			}
			if !ended.State.Ended() {
				l.note("%s is %s; its worker will end it", ended.ID, ended.State)
				return nil
			}
			return printStatus(l.stdout,
				bulk.Progress{Job: *ended, Counts: ended.Counts, Usage: ended.Usage})
		})
}

func newDelete() *cobra.Command {
	l := look{byID: true}
	return newLook("delete", "Delete an ended job and its files",
		"Delete an ended job with its answers, and give its disk space back. A job with a damaged record is deleted in any state.",
		&l,
		func(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
			return service.Delete(ctx, job.ID)
		})
}

const resumeHelp = `Continue a paused job now, for example after a quota was raised or a key was corrected. All
pauses of the store end, also those that the server has asked for. If the server refuses a
call again, the job pauses again.`

func newResume() *cobra.Command {
	var l look
	return newLook("resume", "Continue a paused job now", resumeHelp, &l,
		func(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
			resumed, err := service.Resume(ctx, job.ID)
			if err != nil {
				return err
			}
			l.note("%s is %s and not paused; a worker, or the same gemwire batch run, continues it",
				resumed.ID, resumed.State)
			return nil
		})
}

// endTime is how long a command waits for the end of a job that it has cancelled.
const endTime = 15 * time.Second

// endOf waits for the end of a job. It does the remaining work itself, because there may be no
// worker.
func endOf(ctx context.Context, service *bulk.Service, id string) (*bulk.Job, error) {
	waiting, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	worked := make(chan error, 1)
	go func() { worked <- service.Work(waiting, bulk.Worker{}) }()
	for _, err := range service.Watch(waiting, id) {
		if err != nil && waiting.Err() == nil {
			cancel()
			return nil, errors.Join(err, <-worked)
		}
	}
	cancel()
	if err := <-worked; err != nil {
		return nil, err
	}
	return service.Job(ctx, id)
}

func newResults() *cobra.Command {
	return newReading("results", "Print the answers of a job",
		"Print the answers of a job in the order of the requests. For a job that has not ended it prints the answers so far.",
		func(ctx context.Context, service *bulk.Service, id string) (io.ReadCloser, error) {
			return service.Results(ctx, id)
		})
}

func newErrors() *cobra.Command {
	return newReading("errors", "Print the failed lines of a job",
		"Print the failed lines of a job, with the error of each, or why it was not run.",
		func(ctx context.Context, service *bulk.Service, id string) (io.ReadCloser, error) {
			return service.Errors(ctx, id)
		})
}

// newReading returns a command that prints lines, or writes them to a file.
func newReading(use, short, long string,
	open func(ctx context.Context, service *bulk.Service, id string) (io.ReadCloser,
		error)) *cobra.Command {
	var (
		l   look
		out string
	)
	cmd := newLook(use, short, long, &l,
		func(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
			if out != "" {
				return save(ctx, out, 1,
					func() (io.ReadCloser, error) { return open(ctx, service, job.ID) })
			}
			content, err := open(ctx, service, job.ID)
			if err != nil {
				return err
			}
			defer content.Close()
			return l.copyLines(job.ID, content)
		})
	cmd.Flags().StringVar(&out, "out", "",
		"output `FILE`, which appears when it is complete")
	return cmd
}

// copyLines prints lines. If the store is damaged, its error says how many lines were printed.
func (l *look) copyLines(id string, content io.Reader) error {
	var printed lineEnds
	_, err := io.Copy(io.MultiWriter(l.stdout, &printed), content)
	if errors.Is(err, bulk.ErrDamaged) {
		return fmt.Errorf("the output of job %s is incomplete: only its first %s printed: %w", id,
			lineWords(int64(printed)), err)
	}
	return err
}

func lineWords(n int64) string {
	if n == 1 {
		return "line was"
	}
	return message.Count(n, "line") + " were"
}

const retryHelp = `Submit a new job with the lines of an ended job that failed or were not run. The id of the
new job is printed, and gemwire worker runs it.

With --out this command runs the new job, as run does. If FILE has the answers of the earlier job,
the new answers are merged into it, each at its place. A new FILE gets only the new answers. If
the command is interrupted, the same command continues.`

func newRetry() *cobra.Command {
	var (
		l     look
		r     run
		again bulk.Submission
	)
	l.begin = func(ctx context.Context) error {
		r.session = l.session
		if r.out.path == "" {
			return nil
		}
		if err := errors.Join(r.answering.load(), r.out.check(ctx)); err != nil {
			return err
		}
		r.answering.noteFake(r.session)
		if err := r.answering.observe(ctx, r.session, false); err != nil {
			return err
		}
		l.store.observers = r.answering.observers.Jobs
		return nil
	}
	cmd := newLook("retry", "Retry the failed lines of a job", retryHelp, &l,
		func(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
			defer r.answering.observers.Close()
			if r.out.path != "" {
				return r.retry(ctx, service, job, again)
			}
			made, err := service.Retry(ctx, job.ID, again)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(l.stdout, made.ID)
			return err
		})
	flags := cmd.Flags()
	flags.DurationVar(&again.Window, "window", defaultWindow,
		"fail lines that are not answered within this `TIME`")
	flags.BoolVar(&again.OnlyDamaged, "damaged", false,
		"retry only the lines whose answers a damaged store has lost")
	flags.StringVar(&r.out.path, "out", "", "run the job, and write the answers to this `FILE`")
	r.answering.addFlags(flags)
	return cmd
}

// retry runs the failed lines of a job again, or continues such a run.
func (r *run) retry(ctx context.Context, service *bulk.Service, job *bulk.Job,
	submission bulk.Submission) error {
	again, err := r.findRetry(ctx, service, job, submission)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(r.stdout, again.ID); err != nil {
		return err
	}
	return r.finish(ctx, service, again)
}

// findRetry returns the job that retries the failed lines of another job and writes to the same
// file. It makes that job if it does not exist. Job is the other job's id, or "" for the newest
// job. The newest job may be the retry itself, if the command was interrupted.
func (r *run) findRetry(ctx context.Context, service *bulk.Service, job *bulk.Job,
	submission bulk.Submission) (*bulk.Job, error) {
	own, err := retryID(job.RetryOf, r.out.path, submission.OnlyDamaged)
	if err != nil {
		return nil, err
	}
	isOver := job.State.Ended() && job.Counts.Failed > 0 && r.out.isThere()
	if job.ID == own && !isOver {
		return job, errors.Join(r.findMerged(ctx, service, job.RetryOf),
			r.noteFound(ctx, service, job))
	}
	id, err := retryID(job.ID, r.out.path, submission.OnlyDamaged)
	if err != nil {
		return nil, err
	}
	if err := r.findMerged(ctx, service, job.ID); err != nil {
		return nil, err
	}
	found, err := service.Job(ctx, id)
	switch _, isNew := errors.AsType[*bulk.NotFoundError](err); {
	case err == nil:
		return found, r.noteFound(ctx, service, found)
	case !isNew:
		return nil, err
	}
	submission.ID, submission.Own = id, true
	if submission.Metadata, err = origin(job.Metadata[metadataInput], r.out.path); err != nil {
		return nil, err
	}
	return service.Retry(ctx, job.ID, submission)
}

// findMerged finds the jobs whose answers the output file has, to merge the new answers into it. It
// finds none if the file does not exist.
func (r *run) findMerged(ctx context.Context, service *bulk.Service, id string) error {
	if _, err := os.Stat(r.out.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	job, err := service.Job(ctx, id)
	if err != nil {
		return err
	}
	r.merged, err = familyIn(ctx, service, job, r.out)
	return err
}

// retryID returns the id of the job that retries the failed lines of another job, for a file.
func retryID(job, out string, onlyDamaged bool) (string, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	kind := "retry"
	if onlyDamaged {
		kind = "retry damaged"
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q%q", kind, job, out))
	return "batch_" + hex.EncodeToString(sum[:16]), nil
}
