// Package remote has the commands that call a server: generate, chat, count, embed, files, and the
// models of [ListModels]. They share the flags of [connection]. Without a key they use the built-in
// fake server.
//
// A command prints the answer on standard output and nothing else. Progress, usage and errors go to
// standard error. An error is one line that says what to do ([explain]).
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

// Commands returns the commands.
func Commands() []*cobra.Command {
	return []*cobra.Command{newGenerate(), newChat(), newCount(), newEmbed(), newFiles()}
}

// call is one call of a command: its streams, and the client with its close function.
type call struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	client         *gemini.Client
	model          string // "" for a command that has none
	service        models.Backends
	at             time.Time       // when it began
	noted          map[string]bool // what was said of the model
}

// newCall returns a call of cmd without a client.
func newCall(cmd *cobra.Command) *call {
	ctx := cmd.Context()
	return &call{
		stdin:  process.NewReader(ctx, cmd.InOrStdin()),
		stdout: cmd.OutOrStdout(),
		stderr: cmd.ErrOrStderr(),
		at:     clock.Now(),
	}
}

// noticeTime is how long before its retirement date a model is reported.
const noticeTime = 30 * 24 * time.Hour

// noteModels prints notices about the model after an answer: that another model answered, that it
// is deprecated, or that it retires soon. It prints each notice once.
func (c *call) noteModels(answered string) {
	asked := models.At(c.model, c.service, c.at)
	for _, note := range asked.Warnings(answered, noticeTime) {
		if !c.noted[note] {
			c.note(note)
		}
		if c.noted == nil {
			c.noted = map[string]bool{}
		}
		c.noted[note] = true
	}
}

// connected calls do with a client that the flags select. It prints the error of do, unless it is a
// usage error.
func (c *call) connected(ctx context.Context, flags *connection,
	do func(ctx context.Context) error) error {
	client, disconnect, err := flags.open(ctx, c.stderr)
	if err != nil {
		return c.fail(ctx, err)
	}
	defer disconnect()
	c.client, c.service = client, models.GeminiAPI
	if flags.project != "" {
		c.service = models.VertexAI
	}
	return c.fail(ctx, do(ctx))
}

// usageError is a usage error that is found after the client was made.
type usageError struct{ error }

// fail prints why a call failed, one line for each finding, and returns [process.ErrFailed]. It
// returns nil and usage errors unchanged.
func (c *call) fail(ctx context.Context, err error) error {
	if usage, ok := errors.AsType[usageError](err); ok {
		return usage.error
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, process.ErrFailed), errors.Is(err, syscall.EPIPE):
		// It was printed, or the reader of the output has gone.
	case ctx.Err() != nil:
		c.note("interrupted")
	default:
		for _, line := range explain(err, c.model, c.service) {
			c.note(line)
		}
	}
	return process.ErrFailed
}

// note prints a line on standard error.
// noteLosses says what a conversion to the Interactions API and back lost.
func (c *call) noteLosses(lost report.Report) {
	for _, e := range lost {
		c.note("lost: " + e.Pointer + ": " + e.Detail)
	}
}

func (c *call) note(line string) { fmt.Fprintf(c.stderr, "gemwire: %s\n", message.Escape(line)) }

// fileError is an error about a file. Its message begins with the path.
type fileError struct {
	path string
	err  error
}

func (e *fileError) Error() string { return e.path + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// readFile reads a whole file, unless ctx ends first.
func readFile(ctx context.Context, path string) ([]byte, error) {
	data, err := process.UnlessInterrupted(ctx, func() ([]byte, error) { return os.ReadFile(path) })
	if err != nil {
		return nil, &fileError{path, process.WithoutPath(err)}
	}
	return data, nil
}
