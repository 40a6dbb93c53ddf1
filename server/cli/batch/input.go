package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/spf13/pflag"
)

// input has the flags about the lines of a job.
type input struct {
	// path is the path of the lines, or of the variables if there is a template.
	path, variables, templatePath string
	model                         string
	noValidation                  bool
	template                      []byte
	part                          part
	stdin                         io.Reader
	forms                         transform.Forms // that lines may have, once it is open
	ends                          lineEnds        // of the file, once identity has read it
	file                          *os.File        // once it is open, nil for a retry
	size                          int64           // of file
}

func (in *input) addFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&in.model, "model", "m", "", "use this `MODEL` for all lines")
	flags.StringVar(&in.templatePath, "template", "",
		"template `FILE` for a request from each row of --variables")
	flags.StringVar(&in.variables, "variables", "",
		"`FILE` with the template's variables: JSON lines, or CSV")
	in.part.addFlags(flags)
	flags.BoolVar(&in.noValidation, "no-validation", false,
		"send bodies without validation")
}

var (
	errNoInput    = usageError{errors.New("name the file of requests, or --template and --variables")}
	errTwoInputs  = usageError{errors.New("--template makes the requests from --variables; remove the file of requests")}
	errNoTemplate = usageError{errors.New("--template and --variables go together")}
)

// take records the arguments, and reads the template.
func (in *input) take(ctx context.Context, args []string) error {
	if err := in.part.check(); err != nil {
		return err
	}
	switch {
	case (in.templatePath == "") != (in.variables == ""):
		return errNoTemplate
	case in.templatePath != "" && len(args) > 0:
		return errTwoInputs
	case in.templatePath == "" && len(args) != 1:
		return errNoInput
	case in.templatePath == "":
		in.path = args[0]
		return nil
	}
	in.path = in.variables
	var err error
	in.template, err = process.UnlessInterrupted(ctx,
		func() ([]byte, error) { return os.ReadFile(in.templatePath) })
	if err != nil {
		return &fileError{in.templatePath, err}
	}
	if _, err := line.NewTemplateReader(in.template, nil); err != nil {
		return &fileError{in.templatePath, err}
	}
	return nil
}

// open opens the lines as a file that can be read twice. It decompresses a file whose name ends
// with .gz.
func (in *input) open(ctx context.Context) (*os.File, int64, error) {
	file, size, err := in.openLines(ctx)
	in.file, in.size = file, size
	return file, size, err
}

func (in *input) openLines(ctx context.Context) (*os.File, int64, error) {
	in.forms = setup.Forms(ctx)
	if in.path == standardInput {
		file, size, err := in.spool(ctx, in.stdin)
		if err != nil {
			return nil, 0, &fileError{"standard input", err}
		}
		return file, size, nil
	}
	info, err := os.Stat(in.path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is not a regular file; a job reads its input twice; use - for standard input")
	}
	if err != nil {
		return nil, 0, &fileError{in.path, err}
	}
	file, err := process.UnlessInterrupted(ctx,
		func() (*os.File, error) { return os.Open(in.path) })
	if err != nil {
		return nil, 0, &fileError{in.path, err}
	}
	if !strings.HasSuffix(in.path, ".gz") && in.part == (part{}) {
		return file, info.Size(), nil
	}
	defer file.Close()
	spooled, size, err := in.spool(ctx, file)
	if err != nil {
		return nil, 0, &fileError{in.path, err}
	}
	return spooled, size, nil
}

// options returns the options of a line reader.
func (in *input) options() []line.Option {
	opts := []line.Option{line.WithModel(in.model), line.WithForms(in.forms),
		line.WithSeveralModels()}
	if in.noValidation {
		opts = append(opts, line.WithoutValidation())
	}
	return opts
}

// reader reads the lines of a file.
func (in *input) reader(file io.Reader, opts ...line.Option) (*line.Reader, error) {
	opts = append(in.options(), opts...)
	if in.template != nil {
		return line.NewTemplateReader(in.template, file, opts...)
	}
	return line.NewReader(file, opts...), nil
}

// identity returns the id of an input's job. The same content with the same settings and the same
// output file is the same job. Further has other values that distinguish jobs.
func (in *input) identity(content io.Reader, out string, further ...string) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(sum, &in.ends), content); err != nil {
		return "", &fileError{in.path, err}
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(sum, "%q%q%q%t%q", in.template, in.model, out, in.noValidation, further)
	return "batch_" + hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// lineEnds counts the line ends that are written to it.
type lineEnds int

// Write implements [io.Writer].
func (n *lineEnds) Write(p []byte) (int, error) {
	*n += lineEnds(bytes.Count(p, []byte("\n")))
	return len(p), nil
}

// The minimum and maximum number of lines in a range of a job.
const minRange, maxRange = 8, 200

// rangeLines returns how many lines a worker takes at once. A small job has small ranges, so that
// it advances steadily and few lines are repeated when a worker dies.
func (n lineEnds) rangeLines() int { return min(max(int(n)/ranges, minRange), maxRange) }

// ranges is the number of ranges of a small job.
const ranges = 64
