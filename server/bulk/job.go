package bulk

import (
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// Job is an input with what became of it so far. It is a copy: changing it changes nothing. As JSON
// its members have the names of OpenAI's batches where those have them.
type Job struct {
	// ID is "batch_" and 32 digits, or what the [Submission] gave it.
	ID    string `json:"id"`
	Owner string `json:"owner,omitzero"`
	State State  `json:"status"`

	// What was asked for; see [Submission]. Endpoint, Form and Model are those of the lines, as far
	// as they were read.
	Form     line.Form         `json:"form,omitzero"`
	Endpoint string            `json:"endpoint,omitzero"`
	Model    string            `json:"model,omitzero"`
	Executor string            `json:"executor"`
	Settings map[string]string `json:"settings,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Priority Priority          `json:"priority"`
	// RetryOf is the job whose failed lines this one asks again, "" for none.
	RetryOf string `json:"retry_of,omitzero"`

	// InputFile is "" for an input that came as a stream. OutputFile and ErrorFile are "" until the
	// job has ended, and for a file without lines.
	InputFile  string `json:"input_file_id,omitzero"`
	OutputFile string `json:"output_file_id,omitzero"`
	ErrorFile  string `json:"error_file_id,omitzero"`

	// When the job came into each state; zero for one that it did not reach. ExpiresAt is when it
	// expires if it has not ended.
	CreatedAt    time.Time `json:"created_at"`
	InProgressAt time.Time `json:"in_progress_at,omitzero"`
	FinalizingAt time.Time `json:"finalizing_at,omitzero"`
	CompletedAt  time.Time `json:"completed_at,omitzero"`
	FailedAt     time.Time `json:"failed_at,omitzero"`
	ExpiredAt    time.Time `json:"expired_at,omitzero"`
	CancellingAt time.Time `json:"cancelling_at,omitzero"`
	CancelledAt  time.Time `json:"cancelled_at,omitzero"`
	ExpiresAt    time.Time `json:"expires_at"`

	// Parking is why and until when an [InProgress] job rests, nil for one that does not.
	Parking *Parking `json:"parking,omitzero"`

	Counts Counts `json:"counts"`
	// Usage is that of all lines of ranges that are done.
	Usage line.Usage `json:"usage"`
	// Failures counts the failed lines by their kind, such as "429 rate_limit_exceeded"; see
	// [FailureKind]. Kinds beyond the first 50 count as "other".
	Failures map[string]int64 `json:"failures,omitempty"`

	// Problems are the first 1,000 at most of what is wrong with the input of a [Failed] job,
	// ProblemCount is how many there are; see [Service.Problems].
	Problems     []line.Problem `json:"problems,omitempty"`
	ProblemCount int            `json:"problem_count,omitzero"`
}

// EndedAt is when the job came into the state that it ended in, zero for one that has not ended.
func (j *Job) EndedAt() time.Time {
	for _, at := range []time.Time{j.CompletedAt, j.FailedAt, j.ExpiredAt, j.CancelledAt} {
		if !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// Window is how long the job may take.
func (j *Job) Window() time.Duration { return j.ExpiresAt.Sub(j.CreatedAt) }

// State is one of the states of OpenAI's batches.
type State string

// The states. The last four are those in which a job ends.
const (
	Validating State = "validating"
	InProgress State = "in_progress"
	Finalizing State = "finalizing"
	Cancelling State = "cancelling"
	Completed  State = "completed"
	Failed     State = "failed"
	Expired    State = "expired"
	Cancelled  State = "cancelled"
)

// Ended reports whether the state is one that a job ends in.
func (s State) Ended() bool {
	return s == Completed || s == Failed || s == Expired || s == Cancelled
}

// Priority tells whose ranges go first. Ranges of a job with a lower one run when there are none
// with a higher one.
type Priority string

// The priorities. "" is PriorityNormal.
const (
	PriorityHigh   Priority = "high"
	PriorityNormal Priority = "normal"
	PriorityLow    Priority = "low"
)

// Parking is why a job rests. Its ranges are not given to workers meanwhile.
type Parking struct {
	// Until is when the job goes on by itself. Zero is until [Service.Continue].
	Until time.Time `json:"until,omitzero"`
	// Reason is for people.
	Reason string `json:"reason,omitzero"`
}

// Counts are of lines.
type Counts struct {
	// Total is 0 until all lines were checked.
	Total int64 `json:"total"`
	// Completed have an answer, Failed were refused or not run.
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	// Repeated are calls that may have been made more than once, since a worker died, or was cut
	// off, with the line in its hands: an upper bound, as all lines of the range without a result
	// count. RepeatedCost is about what they cost, in units of [line.Usage]'s Currency, taken from
	// the result that stands.
	Repeated     int64   `json:"repeated,omitzero"`
	RepeatedCost float64 `json:"repeated_cost,omitzero"`
}

// Done is how many lines have a result.
func (c Counts) Done() int64 { return c.Completed + c.Failed }
