package bulk

import (
	"io"
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// Submission is what a job is made of. Exactly one of Input and InputFile has to be set.
type Submission struct {
	// ID names the job, "" for a new name. Where there is a job of that name already, that one is
	// the result of [Service.Submit]; thus who makes the name of what he submits goes on where he
	// was. Letters, digits, "-" and "_".
	ID string
	// Owner is whose the job and its files are, for those who serve many.
	Owner string

	// Input is read once, to its end, while Submit waits.
	Input io.Reader
	// InputFile is the id of a file ([Service.PutFile]). Submit does not wait: a worker checks it.
	InputFile string
	// Template makes a request of each row of the input, which has its variables then; see
	// [line.NewTemplateReader].
	Template []byte

	// Form, Endpoint and Model are what the lines have to be of; "" is what the first line is of.
	// Model also stands in place of the model of each line, where a line may have none.
	Form     line.Form
	Endpoint string
	Model    string

	// Executor names who runs it, such as [ExecutorLive], which "" stands for. Settings are for it.
	Executor string
	Settings map[string]string
	Metadata map[string]string
	Priority Priority

	// Window is how long the job may take, by default 24 hours.
	Window time.Duration
	// OutputExpiresAfter is how long its files stay behind their end, by default as long as the job
	// ([WithRetention]).
	OutputExpiresAfter time.Duration

	// MaxLines is how many lines there may be, and MaxTexts how many texts to be embedded in all of
	// them, 0 for any number. MaxLineBytes is the longest line, by default
	// [line.DefaultMaxLineBytes].
	MaxLines     int
	MaxTexts     int
	MaxLineBytes int
	// RangeLines and RangeBytes are the largest range, by default 200 lines and 4 MiB. A line that
	// is larger is a range.
	RangeLines int
	RangeBytes int

	// WithoutValidation has the bodies only decoded, for upstreams that take what gemwire does not
	// know.
	WithoutValidation bool
}

// DefaultWindow is the default of Submission.Window.
const DefaultWindow = 24 * time.Hour

// Page is which jobs or files are listed. The zero value lists all, the newest first.
type Page struct {
	// Owner is whose are listed, "" for everybody's.
	Owner string
	// After is the id behind which the list begins.
	After string
	// Limit is how many are listed, 0 for all.
	Limit int
	// OldestFirst turns the order around.
	OldestFirst bool
	// Purpose is that of files, "" for any.
	Purpose string
}
