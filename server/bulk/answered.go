package bulk

import (
	"context"
	"iter"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// Answered is a line with its answer.
type Answered struct {
	Line   line.Line
	Result line.Result
}

// Answered yields the lines of a job that have an answer, with their requests. It yields nothing
// for a job that has ended, because its requests are removed then. It skips damaged data.
func (s *Service) Answered(ctx context.Context, id string) iter.Seq2[Answered, error] {
	return func(yield func(Answered, error) bool) {
		job, err := s.jobRecord(ctx, id)
		if err != nil {
			yield(Answered{}, err)
			return
		}
		for number := 0; number < job.Ranges && !job.State.Ended(); number++ {
			answered, err := s.answeredOf(ctx, job, number)
			if err != nil {
				yield(Answered{}, err)
				return
			}
			for _, a := range answered {
				if !yield(a, nil) {
					return
				}
			}
		}
	}
}

// answeredOf returns the answered lines of a range.
func (s *Service) answeredOf(ctx context.Context, job *jobRecord, number int) ([]Answered, error) {
	_, results, err := rangelog.Read(ctx, s.engine, job.log(), number)
	if len(results) == 0 || err != nil {
		return nil, err
	}
	lines, err := s.readLines(ctx, job, number)
	if isDamage(err) {
		return nil, nil
	}
	var all []Answered
	next := 0
	for _, l := range lines {
		if next == len(results) || results[next].Number != l.Number {
			continue
		}
		loaded, loadErr := results[next].Load(ctx, s.engine)
		next++
		switch {
		case isDamage(loadErr):
		case loadErr != nil:
			return nil, loadErr
		case !loaded.Failed():
			all = append(all, Answered{Line: l, Result: *loaded})
		}
	}
	return all, err
}
