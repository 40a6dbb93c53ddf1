// Package batch has the commands of bulk jobs: batch, which manages jobs, and worker, which answers
// the lines of submitted jobs.
//
// Package server/bulk defines jobs and makes sure that no line is lost. This package has flags,
// files, progress and messages. Standard output has what a program reads: the id of a job, lists,
// results. All other output goes to standard error.
package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/spf13/cobra"
)

// Commands returns the commands.
func Commands() []*cobra.Command { return []*cobra.Command{newBatch(), newWorker()} }

const batchHelp = `Run jobs of thousands to millions of requests. The requests are lines of a file, in the
form of OpenAI's batches or of Gemini's batch mode, or made from a template and a table of
variables.

run does everything. If it is interrupted, the same command continues the job and repeats no
answered request. The other commands submit jobs for gemwire worker or a gateway, and manage
them.

Jobs are stored in a folder or on NATS JetStream servers (--store), so that several
machines can work at the same jobs. docs/bulk-workers.md says which to choose.`

const batchExamples = `  gemwire batch run examples/batch/questions.jsonl --out answers.jsonl
  gemwire batch run reviews.jsonl --out answers.jsonl -m ` + models.Default + ` --limit-requests 600
  gemwire batch run --template kind.json --variables reviews.csv --out kind.jsonl
  gemwire batch estimate reviews.jsonl -m ` + models.Default + ` --limit-requests 600
  gemwire batch list`

func newBatch() *cobra.Command {
	cmd := &cobra.Command{
		Use:                   "batch COMMAND",
		Short:                 "Run jobs of many requests that survive crashes and restarts",
		Long:                  batchHelp,
		Example:               batchExamples,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.New("batch needs a command: run, submit, status, watch, cancel, resume, delete, results, errors, retry, list or estimate")
		},
	}
	cmd.AddCommand(newRun(), newSubmit(), newStatus(), newWatch(), newCancel(), newResume(),
		newDelete(), newResults(), newErrors(), newRetry(), newList(), newEstimate())
	return cmd
}

// session is one call of a command: its streams.
type session struct {
	stdout, stderr io.Writer
	noting         sync.Mutex // a line at a time, from any goroutine
	showsPauses    bool       // in the progress of its job
}

func newSession(cmd *cobra.Command) *session {
	return &session{stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr()}
}

// note prints a line on standard error.
func (s *session) note(format string, args ...any) {
	s.noting.Lock()
	defer s.noting.Unlock()
	fmt.Fprintf(s.stderr, "gemwire: %s\n", message.Escape(fmt.Sprintf(format, args...)))
}

// usageError is a usage error.
type usageError struct{ error }

// Unwrap returns the error.
func (e usageError) Unwrap() error { return e.error }

// fail prints why a call failed, and returns [process.ErrFailed]. It returns nil and usage errors
// unchanged.
func (s *session) fail(ctx context.Context, err error) error {
	if usage, ok := errors.AsType[usageError](err); ok {
		return usage.error
	}
	if wrong, ok := errors.AsType[*config.Error](err); ok {
		return setup.Fail(s.stderr, wrong)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, process.ErrFailed),
		errors.Is(err, syscall.EPIPE): // which is reported, or has no reader
	case ctx.Err() != nil:
		s.note("interrupted")
	default:
		s.note("%s", errortext.WithoutPackage(err.Error()))
	}
	return process.ErrFailed
}

// fileError is an error about a file. Its message begins with the path.
type fileError struct {
	path string
	err  error
}

// Error returns the path and the reason.
func (e *fileError) Error() string { return e.path + ": " + process.WithoutPath(e.err).Error() }

// Unwrap returns the error.
func (e *fileError) Unwrap() error { return e.err }
