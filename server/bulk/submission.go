package bulk

import (
	"io"
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// Submission describes a new job. Exactly one of Input and InputFile must be set.
type Submission struct {
	// ID is the job's id, or "" for a new one. If the job exists already, [Service.Submit] returns
	// it. So a program that sets the id can continue after an interruption. Letters, digits, "-"
	// and "_" are allowed.
	ID string
	// Owner is the owner of the job and its files, for services with several clients.
	Owner string

	// Input is read once, to its end, before Submit returns.
	Input io.Reader
	// InputFile is the id of a file ([Service.PutFile]). A worker checks it after Submit has
	// returned.
	InputFile string
	// Template makes a request from each row of the input, which then contains variables; see
	// [line.NewTemplateReader].
	Template []byte

	// Form, Endpoint and Model are required of all lines. "" requires the value of the first line.
	// Model replaces the model of each line, and lines may then have none.
	Format   line.Format
	Endpoint string
	Model    string
	// SeveralModels allows lines with different models.
	SeveralModels bool

	// Executor is the name of the executor (default [ExecutorLive]). Settings are its settings.
	Executor string
	Settings map[string]string
	Metadata map[string]string
	Priority Priority

	// Window is how long the job may take (default 24 hours).
	Window time.Duration
	// OutputExpiresAfter is how long its files are stored after their end. The default is as long
	// as the job ([WithRetention]).
	OutputExpiresAfter time.Duration

	// MaxLines is the maximum number of lines. MaxTexts is the maximum number of texts to embed in
	// all lines. 0 is no limit. MaxLineBytes is the maximum length of a line (default
	// [line.DefaultMaxLineBytes]).
	MaxLines     int
	MaxTexts     int
	MaxLineBytes int
	// RangeLines and RangeBytes are the maximum size of a range (default 200 lines and 4 MiB). A
	// larger line is a range of its own.
	RangeLines int
	RangeBytes int

	// Own gives the ranges a queue of their own, for workers that set [Worker.Job]. Otherwise
	// workers that do not take each other's jobs delay them. Other workers do not take the job.
	Own bool

	// OnlyDamaged makes [Service.Retry] retry only the lines whose answers were lost because the
	// store was damaged.
	OnlyDamaged bool

	// WithoutValidation only decodes the bodies. It is for upstreams that accept members that
	// gemwire does not know.
	WithoutValidation bool
}

// DefaultWindow is the default of Submission.Window.
const DefaultWindow = 24 * time.Hour

// Page selects the jobs or files of a list. The zero value selects all, the newest first.
type Page struct {
	// Owner selects the owner. "" selects all owners.
	Owner string
	// After is the id after which the list begins.
	After string
	// Limit is the maximum number of entries, or 0 for no limit.
	Limit int
	// OldestFirst reverses the order.
	OldestFirst bool
	// Purpose selects the purpose of files. "" selects all.
	Purpose string
}
