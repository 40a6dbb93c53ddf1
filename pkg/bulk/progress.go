package bulk

import (
	"time"

	"github.com/gemwire/gemwire/pkg/bulk/line"
)

// Progress is how far a job is, with the lines of ranges that are under way.
type Progress struct {
	// At is when this was so.
	At time.Time
	// Job has what is certain: its counts are those of ranges that are done.
	Job Job
	// Counts and Usage are those of the job with the ranges that are under way, as far as their workers told.
	Counts Counts
	Usage  line.Usage
}
