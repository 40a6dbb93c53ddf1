package bulk

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// jobRecord is what is kept of a job. Its counts are on a [tally.Board] until it has ended.
type jobRecord struct {
	Job

	Input inputRecord `json:"input"`
	// Generation is part of the subjects of lines and results, so that two who check the same input
	// at a time do not mix.
	Generation string `json:"generation,omitzero"`
	Ranges     int    `json:"ranges,omitzero"`
	Total      int64  `json:"total,omitzero"`
	// OutputSeconds is how long its files stay.
	OutputSeconds int64 `json:"output_seconds,omitzero"`
	// Queued reports that all ranges that are not done were given to workers.
	Queued bool `json:"queued,omitzero"`
	// Target is the state that a finalizing or cancelling job comes to.
	Target State `json:"target,omitzero"`
	// ProblemsBlob and FailedBlob are all problems of the input, and the lines that failed; "" for
	// none.
	ProblemsBlob string `json:"problems_blob,omitzero"`
	FailedBlob   string `json:"failed_blob,omitzero"`
	// Cleared reports that nothing is left of an ended job but its files.
	Cleared bool `json:"cleared,omitzero"`
}

// inputRecord is where lines come from, and what is asked of them.
type inputRecord struct {
	// Lease is whose an input is that only its submitter can read; nil for one that any worker can.
	Lease *leaseRecord `json:"lease,omitzero"`
	// Lines is a blob of lines that were checked, of a job that is retried.
	Lines string `json:"lines,omitzero"`

	Template          []byte    `json:"template,omitempty"`
	Form              line.Form `json:"form,omitzero"`
	Endpoint          string    `json:"endpoint,omitzero"`
	Model             string    `json:"model,omitzero"`
	MaxLines          int       `json:"max_lines,omitzero"`
	MaxTexts          int       `json:"max_texts,omitzero"`
	MaxLineBytes      int       `json:"max_line_bytes,omitzero"`
	RangeLines        int       `json:"range_lines,omitzero"`
	RangeBytes        int       `json:"range_bytes,omitzero"`
	WithoutValidation bool      `json:"without_validation,omitzero"`
}

// leaseRecord is who reads an input, and until when he is thought to be alive.
type leaseRecord struct {
	Holder string    `json:"holder"`
	Until  time.Time `json:"until"`
	// Instance is the run of the server in a directory: a holder of another run is gone.
	Instance string `json:"instance,omitzero"`
}

// log names the logs of the ranges. Those of a job that was deleted, and submitted anew under its
// name, have another one.
func (r *jobRecord) log() string { return r.ID + "." + r.Generation }

// newID returns a prefix and 32 random digits.
func newID(prefix string) string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	return prefix + hex.EncodeToString(random[:])
}

// view returns the job with the counts of a board, nil for those that the record has.
func (r *jobRecord) view(board *tally.Board) *Job {
	job := r.Job
	job.Counts.Total = r.Total
	if board != nil {
		job.count(&board.Sum)
	}
	return &job
}

// count replaces all counts but the total.
func (j *Job) count(sum *tally.Sum) {
	j.Counts = Counts{
		Total: j.Counts.Total, Completed: sum.Completed, Failed: sum.Failed,
		Repeated: sum.Repeated, RepeatedCost: sum.RepeatedCost,
	}
	j.Usage, j.Failures = sum.Usage, sum.Failures
}

// enter brings the job into a state, at a time.
func (j *Job) enter(state State, at time.Time) {
	j.State = state
	since := map[State]*time.Time{
		InProgress: &j.InProgressAt, Finalizing: &j.FinalizingAt, Cancelling: &j.CancellingAt,
		Completed: &j.CompletedAt, Failed: &j.FailedAt, Expired: &j.ExpiredAt,
		Cancelled: &j.CancelledAt,
	}[state]
	if since != nil && since.IsZero() {
		*since = at
	}
}
