package line

import (
	"strings"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
)

// Option configures how an input is read.
type Option func(*settings)

// settings are the values that options set.
type settings struct {
	forms         transform.Forms
	format        Format
	endpoint      string
	model         string
	maxLineBytes  int
	maxLines      int
	maxTexts      int
	maxProblems   int
	report        func(Problem)
	leavesInvalid bool
	severalModels bool
}

// The defaults of limits.
const (
	// DefaultMaxLineBytes is the gateway's limit on the body of a request.
	DefaultMaxLineBytes = 64 << 20
	// DefaultMaxProblems is the maximum number of problems in an [InputError].
	DefaultMaxProblems = 1000
)

func newSettings(opts []Option) settings {
	s := settings{forms: forms.All(), maxLineBytes: DefaultMaxLineBytes,
		maxProblems: DefaultMaxProblems}
	option.Apply(&s, opts)
	s.model = strings.TrimPrefix(s.model, "models/")
	return s
}

// WithForms sets the forms of requests, by their paths. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *settings) { s.forms = forms } }

// WithFormat sets the format of the lines. By default the first line that is a JSON object decides.
func WithFormat(f Format) Option { return func(s *settings) { s.format = f } }

// WithEndpoint sets the required url of every line, such as "/v1/chat/completions". By default it
// is the url of the first line.
func WithEndpoint(url string) Option { return func(s *settings) { s.endpoint = url } }

// WithModel replaces the model of every line. By default all lines must name the same model.
func WithModel(model string) Option { return func(s *settings) { s.model = model } }

// WithSeveralModels allows lines with different models; see [Reader.Models].
func WithSeveralModels() Option { return func(s *settings) { s.severalModels = true } }

// WithMaxLineBytes limits the length of a line in bytes. A longer line is a problem, and is never
// held completely. The default is [DefaultMaxLineBytes].
func WithMaxLineBytes(n int) Option { return func(s *settings) { s.maxLineBytes = n } }

// WithMaxLines limits the number of lines. Each line takes some tens of bytes of memory. The
// default is no limit.
func WithMaxLines(n int) Option { return func(s *settings) { s.maxLines = n } }

// WithMaxTexts limits the number of texts to embed in all lines together; one line may have many.
// The default is no limit.
func WithMaxTexts(n int) Option { return func(s *settings) { s.maxTexts = n } }

// WithMaxProblems limits the number of problems that an [InputError] lists. Further problems are
// only counted. The default is [DefaultMaxProblems].
func WithMaxProblems(n int) Option { return func(s *settings) { s.maxProblems = n } }

// WithReport sets a function that is called for every problem when it is found, including those
// that an [InputError] does not list.
func WithReport(report func(Problem)) Option { return func(s *settings) { s.report = report } }

// WithoutValidation makes the reader decode bodies without checking them. An error in a body then
// becomes the result of its line.
func WithoutValidation() Option { return func(s *settings) { s.leavesInvalid = true } }
