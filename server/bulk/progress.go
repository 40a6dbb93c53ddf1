package bulk

import (
	"context"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
)

// Progress returns the progress of a job from the data on the disk, including unfinished ranges
// that no worker has now. It reads the results of these ranges. Use [Service.Watch] to follow a
// job.
func (s *Service) Progress(ctx context.Context, id string) (Progress, error) {
	job, board, err := s.look(ctx, id)
	if err != nil {
		return Progress{}, err
	}
	all := sumOf(job)
	if board == nil {
		return s.progressOf(job, &all), nil
	}
	found, err := s.jobRecord(ctx, id)
	if err != nil {
		return Progress{}, err
	}
	begun, err := rangelog.Begun(ctx, s.engine, found.log())
	if err != nil {
		return Progress{}, err
	}
	for _, number := range begun {
		if board.Has(number) {
			continue
		}
		log, err := rangelog.Open(ctx, s.engine, found.log(), number)
		if err != nil {
			return Progress{}, err
		}
		all.Merge(log.Sum())
	}
	return s.progressOf(job, &all), nil
}
