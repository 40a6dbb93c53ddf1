package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

// call is one call of a command: its inputs, and the process's streams.
type call struct {
	inputs         []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// newCall returns a call of cmd. Its errors are usage errors.
func newCall(cmd *cobra.Command, args []string) (call, error) {
	inputs, err := inputNames(args)
	return call{inputs: inputs, stdin: cmd.InOrStdin(), stdout: cmd.OutOrStdout(),
		stderr: cmd.ErrOrStderr()}, err
}

// each opens every input for do, and continues after a failed input. It prints the errors, and
// returns process.ErrFailed if there were any.
func (c *call) each(ctx context.Context, do func(name string, in *input) error) error {
	var failed error
	for _, name := range c.inputs {
		err := c.open(ctx, name, do)
		if err != nil {
			failed = c.fail(name, err)
		}
		if ctx.Err() != nil || errors.Is(err, syscall.EPIPE) {
			return process.ErrFailed
		}
	}
	return failed
}

func (c *call) open(ctx context.Context, name string, do func(name string, in *input) error) error {
	in, err := openInput(ctx, name, c.stdin)
	if err != nil {
		return err
	}
	defer in.close()
	err = do(name, in)
	if in.failed != nil {
		return in.failed
	}
	if err != nil {
		return &writtenError{err, &in.written}
	}
	return nil
}

// fail prints the error of a file, unless it was already printed, and returns process.ErrFailed. It
// does not print an error if the reader of the output has closed it, because head and less stop
// reading early.
func (c *call) fail(name string, err error) error {
	if !errors.Is(err, process.ErrFailed) && !errors.Is(err, syscall.EPIPE) {
		for _, f := range message.Findings(err) {
			fmt.Fprintf(c.stderr, "gemwire: %s: %s\n", name, f)
		}
	}
	return process.ErrFailed
}

// printed marks an error of writing to standard output, so that it is not taken for a usage error.
func printed(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	c := call{stderr: cmd.ErrOrStderr()}
	return c.fail("standard output", process.WithoutPath(err))
}
