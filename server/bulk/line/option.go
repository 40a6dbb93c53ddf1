package line

import (
	"strings"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
)

// Option says how an input is read.
type Option func(*settings)

// settings are what options say.
type settings struct {
	forms         transform.Forms
	form          Form
	endpoint      string
	model         string
	maxLineBytes  int
	maxLines      int
	maxTexts      int
	maxProblems   int
	report        func(Problem)
	leavesInvalid bool
}

// The defaults of limits.
const (
	// DefaultMaxLineBytes is what the body of a request to the gateway may have.
	DefaultMaxLineBytes = 64 << 20
	// DefaultMaxProblems is how many problems an [InputError] lists.
	DefaultMaxProblems = 1000
)

func newSettings(opts []Option) settings {
	s := settings{forms: forms.All(), maxLineBytes: DefaultMaxLineBytes,
		maxProblems: DefaultMaxProblems}
	option.Apply(&s, opts)
	s.model = strings.TrimPrefix(s.model, "models/")
	return s
}

// WithForms sets the forms that requests may have, by their paths. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *settings) { s.forms = forms } }

// WithForm says the form of the lines. Without it the first line that is a JSON object tells.
func WithForm(f Form) Option { return func(s *settings) { s.form = f } }

// WithEndpoint says the url of every line, such as "/v1/chat/completions". Without it all have that
// of the first.
func WithEndpoint(url string) Option { return func(s *settings) { s.endpoint = url } }

// WithModel has every line ask this model, whatever it names itself. Without it all name the same
// one.
func WithModel(model string) Option { return func(s *settings) { s.model = model } }

// WithMaxLineBytes limits the bytes of a line. A longer one is a problem, and is never held as a
// whole. The default is [DefaultMaxLineBytes].
func WithMaxLineBytes(n int) Option { return func(s *settings) { s.maxLineBytes = n } }

// WithMaxLines limits the lines of an input, of which each takes some tens of bytes of memory. The
// default is no limit.
func WithMaxLines(n int) Option { return func(s *settings) { s.maxLines = n } }

// WithMaxTexts limits the texts to be embedded of all lines of an input together; a line may have
// many. The default is no limit.
func WithMaxTexts(n int) Option { return func(s *settings) { s.maxTexts = n } }

// WithMaxProblems limits the problems that an [InputError] lists; the others are counted. The
// default is [DefaultMaxProblems].
func WithMaxProblems(n int) Option { return func(s *settings) { s.maxProblems = n } }

// WithReport has a function called for every problem as it is found, also for those that an
// [InputError] has no room for.
func WithReport(report func(Problem)) Option { return func(s *settings) { s.report = report } }

// WithoutValidation has bodies only decoded. What is wrong with one beyond that is the result of
// its line.
func WithoutValidation() Option { return func(s *settings) { s.leavesInvalid = true } }
