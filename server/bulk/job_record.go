package bulk

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// jobRecord is the stored record of a job. Its counts are on a [tally.Board] until it has ended.
type jobRecord struct {
	Job

	Input inputRecord `json:"input"`
	// Own reports that only workers with [Worker.Job] take its ranges, from a queue of its own.
	Own bool `json:"own,omitzero"`
	// Generation is part of the subjects of lines and results. It keeps two processes apart that
	// check the same input at the same time.
	Generation string `json:"generation,omitzero"`
	Ranges     int    `json:"ranges,omitzero"`
	Total      int64  `json:"total,omitzero"`
	// OutputSeconds is how long its files are stored.
	OutputSeconds int64 `json:"output_seconds,omitzero"`
	// Queued reports that all ranges that are not done were queued.
	Queued bool `json:"queued,omitzero"`
	// Target is the final state of a finalizing or cancelling job.
	Target State `json:"target,omitzero"`
	// ProblemsBlob has all problems of the input, and FailedBlob the failed lines. Each is "" if it
	// would be empty.
	ProblemsBlob string `json:"problems_blob,omitzero"`
	FailedBlob   string `json:"failed_blob,omitzero"`
	// DamagedBlob has the lines among the failed ones whose answers were lost.
	DamagedBlob string `json:"damaged_blob,omitzero"`
	// Cleared reports that only the files of an ended job are left.
	Cleared bool `json:"cleared,omitzero"`
}

// inputRecord is the source of the lines, with the submitted values for them.
type inputRecord struct {
	// Lease is the lease of the submitter if only it can read the input. Nil means that any worker
	// can.
	Lease *leaseRecord `json:"lease,omitzero"`
	// Lines is a blob of lines that were already checked, for a retried job.
	Lines string `json:"lines,omitzero"`

	Template          []byte      `json:"template,omitempty"`
	Format            line.Format `json:"form,omitzero"`
	Endpoint          string      `json:"endpoint,omitzero"`
	Model             string      `json:"model,omitzero"`
	MaxLines          int         `json:"max_lines,omitzero"`
	MaxTexts          int         `json:"max_texts,omitzero"`
	MaxLineBytes      int         `json:"max_line_bytes,omitzero"`
	RangeLines        int         `json:"range_lines,omitzero"`
	RangeBytes        int         `json:"range_bytes,omitzero"`
	WithoutValidation bool        `json:"without_validation,omitzero"`
	SeveralModels     bool        `json:"several_models,omitzero"`
}

// leaseRecord is the reader of an input, and the time until which it counts as alive.
type leaseRecord struct {
	Holder string    `json:"holder"`
	Until  time.Time `json:"until"`
	// Instance is the server run in a directory. A holder of another run no longer exists.
	Instance string `json:"instance,omitzero"`
}

// log returns the name of the logs of the ranges. A job that was deleted and submitted again under
// its name has another log.
func (r *jobRecord) log() string { return r.ID + "." + r.Generation }

// newID returns a prefix and 32 random hexadecimal digits.
func newID(prefix string) string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	return prefix + hex.EncodeToString(random[:])
}

// view returns the job with the counts of a board. With nil it uses the counts in the record.
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

// enter moves the job to a state at a time.
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
