package bulk

import (
	"context"
	"iter"

	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// FailedLines yields the failed lines of an ended job in the order of the input, with the number of
// answers before each. It yields nothing for a job that has not ended. Lines whose requests a
// damaged store has lost are missing.
func (s *Service) FailedLines(ctx context.Context, id string) iter.Seq2[line.FailedLine, error] {
	return func(yield func(line.FailedLine, error) bool) {
		job, err := s.jobRecord(ctx, id)
		if err != nil {
			yield(line.FailedLine{}, err)
			return
		}
		if job.FailedBlob == "" {
			return
		}
		kept := blob.NewReader(ctx, s.engine.Files, engine.SubjectFiles+job.FailedBlob)
		for l, err := range line.ReadFailed(kept) {
			if !yield(l, err) {
				return
			}
		}
	}
}
