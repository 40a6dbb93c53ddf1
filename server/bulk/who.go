package bulk

import (
	"cmp"
	"context"
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Working is the work of one worker at a job.
type Working struct {
	// Name is the name of the worker; see [Worker].
	Name string `json:"name"`
	// Lines is the number of lines without a result in the ranges that it has.
	Lines int64 `json:"lines"`
	// Since is when it took the first of these ranges.
	Since time.Time `json:"since"`
}

// answerTime is how long workers may take to say what they do.
const answerTime = 400 * time.Millisecond

// Workers asks all workers what they do for a job. It returns those that answer within half a
// second, sorted by name.
func (s *Service) Workers(ctx context.Context, id string) ([]Working, error) {
	job, err := s.jobRecord(ctx, id)
	if err != nil || job.State.Ended() || job.State == Validating {
		return nil, err
	}
	if drained, err := s.drained(ctx, job); drained || err != nil {
		return nil, err
	}
	var mu sync.Mutex
	found := map[string]Working{}
	question := rand.Text()
	stop, err := s.engine.Listen(engine.SubjectHere+question, func(_ string, data []byte) {
		var answer Working
		if json.Unmarshal(data, &answer) == nil {
			mu.Lock()
			defer mu.Unlock()
			found[answer.Name] = answer
		}
	})
	if err != nil {
		return nil, err
	}
	defer stop()
	if err := s.engine.Publish(engine.SubjectWho+id, []byte(question)); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(answerTime):
	}
	mu.Lock()
	defer mu.Unlock()
	all := make([]Working, 0, len(found))
	for _, one := range found {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Working) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// answerWho answers the question of [Service.Workers], if this worker has ranges of the job.
func (w *workplace) answerWho(subject string, question []byte) {
	job := subject[len(engine.SubjectWho):]
	mine := Working{Name: w.worker.Name}
	w.mu.Lock()
	for h := range w.held {
		if h.job.ID != job {
			continue
		}
		mine.Lines += h.left.Load()
		if mine.Since.IsZero() || h.since.Before(mine.Since) {
			mine.Since = h.since
		}
	}
	w.mu.Unlock()
	if mine.Since.IsZero() || !engine.Token(string(question)) {
		return
	}
	if data, err := json.Marshal(&mine); err == nil {
		w.service.notify(engine.SubjectHere+string(question), data)
	}
}

// defaultName returns the name of a worker without one, for example "host-1:4711".
func defaultName() string {
	host, _ := os.Hostname()
	return cmp.Or(host, "localhost") + ":" + strconv.Itoa(os.Getpid())
}
