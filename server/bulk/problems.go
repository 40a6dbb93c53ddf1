package bulk

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Problems returns all faults in the input of a failed job.
func (s *Service) Problems(ctx context.Context, id string) iter.Seq2[line.Problem, error] {
	return func(yield func(line.Problem, error) bool) {
		job, err := s.jobRecord(ctx, id)
		if err != nil {
			yield(line.Problem{}, err)
			return
		}
		if job.ProblemsBlob == "" {
			return
		}
		kept := jsontext.NewDecoder(blob.NewReader(ctx, s.engine.Files,
			engine.SubjectFiles+job.ProblemsBlob))
		for {
			var problem line.Problem
			err := json.UnmarshalDecode(kept, &problem)
			if errors.Is(err, io.EOF) || !yield(problem, err) || err != nil {
				return
			}
		}
	}
}

// firstProblems returns as many problems as fit into a job record with the rest of it. NATS limits
// the size of a message.
func firstProblems(problems []line.Problem, size int) []line.Problem {
	for i := range problems {
		const around = 64 // names of members, numbers
		if size -= around + len(problems[i].Code) +
			2*(len(problems[i].Message)+len(problems[i].Param)); size < 0 {
			return problems[:i]
		}
	}
	return problems
}

// problemList stores problems as they are found, each as a line of JSON. There may be millions.
type problemList struct {
	ctx  context.Context // of the iteration in which they are found
	name string
	kept *blob.Writer
	err  error
}

func (s *Service) newProblemList(ctx context.Context) *problemList {
	name := "problems-" + rand.Text()
	return &problemList{ctx: ctx, name: name,
		kept: blob.NewWriter(s.engine.Files, engine.SubjectFiles+name)}
}

func (p *problemList) add(problem line.Problem) {
	if p.err != nil {
		return
	}
	data, err := json.Marshal(problem)
	if err == nil {
		err = p.kept.Write(p.ctx, append(data, '\n'))
	}
	p.err = err
}

// close returns the name of the blob with all problems.
func (p *problemList) close() (name string, err error) {
	if p.err == nil {
		p.err = p.kept.Close(p.ctx)
	}
	return p.name, p.err
}
