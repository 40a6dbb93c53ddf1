// Package remote has the commands that call a server: generate, chat, count, embed, files, and the
// models of [ListModels]. All of them reach it by the same flags ([connection]), and without a key
// by the fake server that is built in.
//
// What a command prints on standard output is the answer and nothing else. Progress, usage and what
// went wrong are on standard error, a failure in one line that says what to do ([explain]).
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
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

// Commands returns the commands.
func Commands() []*cobra.Command {
	return []*cobra.Command{newGenerate(), newChat(), newCount(), newEmbed(), newFiles()}
}

// call is one call of a command: its streams, and the client with what closes it.
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

// noticeTime is how long before its end a model is reported.
const noticeTime = 30 * 24 * time.Hour

// noteModels prints what the user should know of the model, after one has answered: that it was
// another one, that it is deprecated or that it ends soon. Each is printed once.
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

// connected runs do with a client by the flags. An error of do is printed, unless it is one of
// usage.
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

// usageError is an error of usage that is found out after the client is there.
type usageError struct{ error }

// fail prints why a call failed, in a line for each thing that is wrong, and returns
// [process.ErrFailed]. Nil and errors of usage it returns as they are.
func (c *call) fail(ctx context.Context, err error) error {
	if usage, ok := errors.AsType[usageError](err); ok {
		return usage.error
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, process.ErrFailed), errors.Is(err, syscall.EPIPE):
		// It is said, or nobody listens.
	case ctx.Err() != nil:
		c.note("interrupted")
	default:
		for _, line := range explain(err, c.model) {
			c.note(line)
		}
	}
	return process.ErrFailed
}

// note prints a line on standard error.
func (c *call) note(line string) { fmt.Fprintf(c.stderr, "gemwire: %s\n", message.Escape(line)) }

// fileError is an error about a file, whose path stands in front.
type fileError struct {
	path string
	err  error
}

func (e *fileError) Error() string { return e.path + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// readFile reads a file to its end, unless ctx ends before.
func readFile(ctx context.Context, path string) ([]byte, error) {
	data, err := process.UnlessInterrupted(ctx, func() ([]byte, error) { return os.ReadFile(path) })
	if err != nil {
		return nil, &fileError{path, process.WithoutPath(err)}
	}
	return data, nil
}
