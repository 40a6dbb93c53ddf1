package bulk

import (
	"context"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
)

// Progress returns how far a job is, by what is on the disk: also the lines of ranges that nobody
// works at any more and that are not done. It reads the results of these; who looks again and again
// takes [Service.Watch].
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
