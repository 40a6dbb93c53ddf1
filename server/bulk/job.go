package bulk

import (
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// Job is an input and its state so far. It is a copy: changing it has no effect. Its JSON members
// have the names of OpenAI's batches where OpenAI has such a member.
type Job struct {
	// ID is "batch_" and 32 hexadecimal digits, or the id in the [Submission].
	ID    string `json:"id"`
	Owner string `json:"owner,omitzero"`
	State State  `json:"status"`

	// The submitted values; see [Submission]. Endpoint, Format and Model come from the lines that
	// were read so far.
	Format   line.Format `json:"form,omitzero"`
	Endpoint string      `json:"endpoint,omitzero"`
	Model    string      `json:"model,omitzero"`
	// Models are the models of all lines if there are several, at most 100. Model is the first.
	Models   []string          `json:"models,omitempty"`
	Executor string            `json:"executor"`
	Settings map[string]string `json:"settings,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Priority Priority          `json:"priority"`
	// RetryOf is the job whose failed lines this job retries, or "".
	RetryOf string `json:"retry_of,omitzero"`

	// InputFile is "" for an input that was submitted as a stream. OutputFile and ErrorFile are ""
	// until the job has ended, and for a file without lines.
	InputFile  string `json:"input_file_id,omitzero"`
	OutputFile string `json:"output_file_id,omitzero"`
	ErrorFile  string `json:"error_file_id,omitzero"`

	// The times at which the job entered each state, or zero. ExpiresAt is when the job expires if
	// it has not ended.
	CreatedAt    time.Time `json:"created_at"`
	InProgressAt time.Time `json:"in_progress_at,omitzero"`
	FinalizingAt time.Time `json:"finalizing_at,omitzero"`
	CompletedAt  time.Time `json:"completed_at,omitzero"`
	FailedAt     time.Time `json:"failed_at,omitzero"`
	ExpiredAt    time.Time `json:"expired_at,omitzero"`
	CancellingAt time.Time `json:"cancelling_at,omitzero"`
	CancelledAt  time.Time `json:"cancelled_at,omitzero"`
	ExpiresAt    time.Time `json:"expires_at"`

	// Parking is why, and until when, an [InProgress] job is paused. It is nil if it is not.
	Parking *Parking `json:"parking,omitzero"`

	Counts Counts `json:"counts"`
	// Usage is the usage of all lines in ranges that are done.
	Usage line.Usage `json:"usage"`
	// Failures counts the failed lines by their kind, such as "429 rate_limit_exceeded"; see
	// [FailureKind]. Kinds beyond the first 50 count as "other".
	Failures map[string]int64 `json:"failures,omitempty"`

	// Damage lists lines that were lost because the store was damaged, at most 100 entries.
	// DamagedLines is the number of all such lines. They count as failed.
	Damage       []Damage `json:"damage,omitempty"`
	DamagedLines int64    `json:"damaged_lines,omitzero"`

	// Problems are the first faults in the input of a [Failed] job, at most 1,000. ProblemCount is
	// the number of all faults; see [Service.Problems].
	Problems     []line.Problem `json:"problems,omitempty"`
	ProblemCount int            `json:"problem_count,omitzero"`
}

// EndedAt returns when the job reached its final state, or zero if it has not ended.
func (j *Job) EndedAt() time.Time {
	for _, at := range []time.Time{j.CompletedAt, j.FailedAt, j.ExpiredAt, j.CancelledAt} {
		if !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// Window returns how long the job may take.
func (j *Job) Window() time.Duration { return j.ExpiresAt.Sub(j.CreatedAt) }

// State is the state of a job. The states are the same as for OpenAI's batches.
type State string

// The states. The last four are final.
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

// Ended reports whether the state is final.
func (s State) Ended() bool {
	return s == Completed || s == Failed || s == Expired || s == Cancelled
}

// Priority orders jobs. Ranges of a job run only if no ranges of a higher priority are waiting.
type Priority string

// The priorities. "" is PriorityNormal.
const (
	PriorityHigh   Priority = "high"
	PriorityNormal Priority = "normal"
	PriorityLow    Priority = "low"
)

// Parking is why a job is paused. Workers get no ranges of a paused job.
type Parking struct {
	// Until is when the job resumes by itself. Zero waits for [Service.Continue].
	Until time.Time `json:"until,omitzero"`
	// Reason is for people.
	Reason string `json:"reason,omitzero"`
}

// Counts are numbers of lines.
type Counts struct {
	// Total is 0 until all lines are checked.
	Total int64 `json:"total"`
	// Completed lines have an answer. Failed lines were refused or not run.
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	// Repeated is an upper bound of the calls that were made more than once, because a worker died
	// or was cut off while it had the line. All lines of such a range without a result count.
	// RepeatedCost is their approximate cost, in units of [line.Usage]'s Currency, taken from the
	// final result.
	Repeated     int64   `json:"repeated,omitzero"`
	RepeatedCost float64 `json:"repeated_cost,omitzero"`
}

// Done returns how many lines have a result.
func (c Counts) Done() int64 { return c.Completed + c.Failed }
