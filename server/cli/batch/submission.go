package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/pflag"
)

// submission has the flags of a job, except those about its lines.
type submission struct {
	priority string
	mode     string
	window   time.Duration
	retries  int // of lines whose answer does not fit their schema, -1 for no check
}

// defaultWindow is how long a submitted job may take. A job may need several days because of daily
// quotas.
const defaultWindow = 7 * 24 * time.Hour

func (s *submission) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.priority, "priority", string(bulk.PriorityNormal),
		"`PRIORITY` of the job: high, normal or low")
	flags.StringVar(&s.mode, "batch-mode", modeLive,
		"execution `MODE`: live, or gemini for half the price within a day")
	flags.DurationVar(&s.window, "window", defaultWindow,
		"fail lines that are not answered within this `TIME`")
	flags.IntVar(&s.retries, "schema-retries", defaultRetries,
		"send a line again up to `N` times if its answer does not fit its schema; -1 to not check")
}

// defaultRetries is how many times a line is sent again if its answer does not fit its schema.
const defaultRetries = 1

// The execution modes.
const (
	modeLive   = "live"
	modeGemini = "gemini"
)

// executors are the names of the modes in server/bulk.
var executors = map[string]string{modeLive: bulk.ExecutorLive, modeGemini: bulk.ExecutorGeminiBatch}

// distinguishing returns the values that distinguish jobs with the same lines.
func (s *submission) distinguishing(upstream string) []string {
	values := []string{s.mode, upstream}
	if s.retries != defaultRetries {
		values = append(values, "schema-retries", strconv.Itoa(s.retries))
	}
	return values
}

// check returns a usage error.
func (s *submission) check() error {
	switch bulk.Priority(s.priority) {
	case bulk.PriorityHigh, bulk.PriorityNormal, bulk.PriorityLow:
	default:
		return usageError{fmt.Errorf("--priority: %q is not a priority; use high, normal or low",
			s.priority)}
	}
	if executors[s.mode] == "" {
		return usageError{fmt.Errorf("--batch-mode: %q is not a mode; use live or gemini", s.mode)}
	}
	if s.retries < -1 || s.retries > bulk.MaxSchemaRetries {
		return usageError{fmt.Errorf("--schema-retries must be at most %d, or -1",
			bulk.MaxSchemaRetries)}
	}
	if s.window <= 0 {
		return usageError{errors.New("--window must be more than 0")}
	}
	return nil
}

// of returns the submission of an input.
func (s *submission) of(in *input, id string, content io.Reader, upstream string) bulk.Submission {
	out := bulk.Submission{
		ID: id, Input: content, Template: in.template, Model: in.model, Executor: executors[s.mode],
		Priority: bulk.Priority(s.priority), Window: s.window, WithoutValidation: in.noValidation,
		RangeLines: in.ends.rangeLines(), SeveralModels: true,
	}
	if s.mode == modeGemini { // each range is a batch there, of which few run at the same time
		out.RangeLines, out.RangeBytes = 5000, 16<<20
	}
	out.Settings = s.settings(upstream)
	return out
}

// settings returns the settings of a job.
func (s *submission) settings(upstream string) map[string]string {
	found := map[string]string{}
	if upstream != "" {
		found[setup.JobUpstream] = upstream
	}
	if s.retries >= 0 {
		found[bulk.SettingSchemaRetries] = strconv.Itoa(s.retries)
	}
	return found
}

// submit submits a job. For an invalid input it prints all invalid lines, and does not store the
// job.
func submit(ctx context.Context, s *session, service *bulk.Service, in *input, file *os.File,
	size int64, of func(io.Reader) bulk.Submission) (*bulk.Job, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, &fileError{in.path, err}
	}
	if in.template != nil && !bytes.Contains(in.template, []byte("{{")) {
		s.note("%s has no variable, such as {{name}}: all requests are the same", in.templatePath)
	}
	bar := newBar(s.stderr, size,
		progressbar.OptionSetDescription(fit([]string{"checking " + in.path},
			process.Columns(s.stderr)-bytesRoom)), progressbar.OptionShowBytes(true))
	content := progressbar.NewReader(process.NewReader(ctx, file), bar)
	job, err := service.Submit(ctx, of(&content))
	_ = bar.Clear()
	invalid, isInvalid := errors.AsType[*line.InputError](err)
	if !isInvalid {
		return job, err
	}
	if err := nameProblems(ctx, s, service, in, job, invalid); err != nil {
		return nil, err
	}
	if job != nil {
		return nil, errors.Join(process.ErrFailed, service.Delete(ctx, job.ID))
	}
	return nil, process.ErrFailed
}

// tables are the file extensions of tables.
var tables = []string{".csv", ".tsv"}

// nameProblems prints all faults of an input.
func nameProblems(ctx context.Context, s *session, service *bulk.Service, in *input, job *bulk.Job,
	invalid *line.InputError) error {
	path := in.path
	show := func(p line.Problem) { fmt.Fprintf(s.stderr, "gemwire: %s\n", message.Escape(path+": "+p.String())) }
	if job == nil || invalid.Total == len(invalid.Problems) {
		for _, p := range invalid.Problems {
			show(p)
		}
	} else {
		for p, err := range service.Problems(ctx, job.ID) {
			if err != nil {
				return err
			}
			show(p)
		}
	}
	s.note("%s: %s; nothing was sent", path, message.Count(int64(invalid.Total), "problem"))
	if in.template == nil && slices.Contains(tables, strings.ToLower(filepath.Ext(path))) {
		s.note("use --template and --variables to make requests from a table")
	}
	return nil
}
