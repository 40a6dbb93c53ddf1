package batch

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
)

// metadataReuse is the name of the job whose answers a job reuses, in its metadata.
const metadataReuse = "gemwire_reuse"

// digest identifies the content of a request.
type digest [16]byte

func digestOf(l *line.Line) digest {
	sum := sha256.New()
	sum.Write([]byte(l.URL + "\n"))
	sum.Write(l.Body)
	return digest(sum.Sum(nil)[:16])
}

// reused has the answers of an earlier job by their requests.
type reused map[digest]line.Result

// readReused reads the answers that a job reuses. The earlier job may have ended or been deleted
// since. Then the result is empty.
func readReused(ctx context.Context, service *bulk.Service, job string) (reused, error) {
	answers := reused{}
	for a, err := range service.Answered(ctx, job) {
		if errors.As(err, new(*bulk.NotFoundError)) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		answers[digestOf(&a.Line)] = a.Result
	}
	return answers, nil
}

// take writes the known answers of an item, and returns an item with the other lines. The usage of
// an answer counts only in the earlier job.
func (r reused) take(ctx context.Context, item *bulk.Item) (*bulk.Item, error) {
	rest := *item
	rest.Lines = nil
	for _, l := range item.Lines {
		found, isKnown := r[digestOf(&l)]
		if !isKnown {
			rest.Lines = append(rest.Lines, l)
			continue
		}
		result := line.Result{Number: l.Number, CustomID: l.CustomID, Response: found.Response}
		if err := item.Write(ctx, result); err != nil {
			return nil, err
		}
	}
	return &rest, nil
}

// in makes the executors of a worker use the answers.
func (r reused) in(executors map[string]bulk.Executor) {
	for name, executor := range executors {
		switch inner := executor.(type) {
		case *live.Executor:
			executors[name] = &liveReusing{inner, r}
		case *geminibatch.Executor:
			executors[name] = &batchReusing{inner, r}
		}
	}
}

// liveReusing is a live executor that knows some answers.
type liveReusing struct {
	*live.Executor
	known reused
}

// Run implements [bulk.Executor].
func (e *liveReusing) Run(ctx context.Context, item *bulk.Item) error {
	rest, err := e.known.take(ctx, item)
	if err != nil || len(rest.Lines) == 0 {
		return err
	}
	return e.Executor.Run(ctx, rest)
}

// batchReusing is an executor of Gemini's batch mode that knows some answers.
type batchReusing struct {
	*geminibatch.Executor
	known reused
}

// Run implements [bulk.Executor].
func (e *batchReusing) Run(ctx context.Context, item *bulk.Item) error {
	rest, err := e.known.take(ctx, item)
	if err != nil || len(rest.Lines) == 0 {
		return err
	}
	return e.Executor.Run(ctx, rest)
}
