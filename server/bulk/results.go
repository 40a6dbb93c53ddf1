package bulk

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// Results reads the answers of a job in the form of its input, one on each line, in the order of
// the input. For a job that has not ended it reads the answers so far. The context applies to all
// reads.
func (s *Service) Results(ctx context.Context, id string) (io.ReadCloser, error) {
	return s.readResults(ctx, id, false)
}

// Errors reads the failed lines of a job as [Service.Results] reads the answers.
func (s *Service) Errors(ctx context.Context, id string) (io.ReadCloser, error) {
	return s.readResults(ctx, id, true)
}

func (s *Service) readResults(ctx context.Context, id string, failed bool) (io.ReadCloser, error) {
	job, err := s.jobRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	if !job.State.Ended() {
		next, stop := iter.Pull2(s.linesOfResults(ctx, job, failed))
		return &pulledReader{next: next, stop: stop}, nil
	}
	file := job.OutputFile
	if failed {
		file = job.ErrorFile
	}
	if file == "" {
		return io.NopCloser(io.MultiReader()), nil
	}
	return s.OpenFile(ctx, file)
}

// linesOfResults yields the results that the ranges of a job have.
func (s *Service) linesOfResults(ctx context.Context, job *jobRecord, failed bool) iter.Seq2[[]byte,
	error] {
	return func(yield func([]byte, error) bool) {
		board, err := s.board(ctx, job)
		if err != nil {
			yield(nil, err)
			return
		}
		var data []byte
		var found int64 // results of ranges that are done
		for number := range job.Ranges {
			log, results, err := rangelog.Read(ctx, s.engine, job.log(), number)
			if err != nil {
				yield(nil, err)
				return
			}
			if job.isDone(board, number) {
				found += log.Sum().Done()
			}
			for i := range results {
				if results[i].Failed() != failed {
					continue
				}
				loaded, err := results[i].Load(ctx, s.engine)
				if err == nil {
					data, err = line.AppendResult(data[:0], job.Format, job.ID, loaded)
				}
				if !yield(data, err) || err != nil {
					return
				}
			}
		}
		// The end of a job removes its results, so some of them may be missing here.
		if now, err := s.jobRecord(ctx, job.ID); err != nil || now.State.Ended() {
			yield(nil, errors.Join(errEndedMeanwhile, err))
			return
		}
		if found < job.expected(board) {
			yield(nil, s.lostLines(ctx, job, board))
		}
	}
}

var errEndedMeanwhile = errors.New("bulk: the job ended while its results were being read; read its output file")

// pulledReader reads what an iterator yields.
type pulledReader struct {
	next func() ([]byte, error, bool)
	stop func()
	left []byte
	err  error
}

// Read implements [io.Reader].
func (r *pulledReader) Read(p []byte) (int, error) {
	for len(r.left) == 0 && r.err == nil {
		data, err, more := r.next()
		if !more {
			err = io.EOF
		}
		r.left, r.err = data, err
	}
	if len(r.left) == 0 {
		return 0, r.err
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// Close implements [io.Closer].
func (r *pulledReader) Close() error {
	r.stop()
	r.left, r.err = nil, errors.New("bulk: the results are closed")
	return nil
}
