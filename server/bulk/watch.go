package bulk

import (
	"context"
	"iter"
	"maps"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Progress is the progress of a job, including the lines of ranges in progress.
type Progress struct {
	// At is the time of the progress.
	At time.Time `json:"at"`
	// Job has the certain counts, which are the counts of finished ranges.
	Job Job `json:"job"`
	// Counts and Usage also include ranges in progress, as their workers have reported them.
	Counts Counts     `json:"counts"`
	Usage  line.Usage `json:"usage"`
	// Failures include the ranges in progress in the same way.
	Failures map[string]int64 `json:"failures,omitempty"`
}

// rangeProgress is a worker's report about a range in progress.
type rangeProgress struct {
	Range int       `json:"range"`
	Sum   tally.Sum `json:"sum"`
}

// The interval between two reports, and the time after which a watcher looks without a report.
const (
	watchInterval = 100 * time.Millisecond
	watchPatience = time.Second
)

// Watch yields the progress of a job: at once, and then after each change, at most every 100 ms. It
// ends after the final state of the job.
func (s *Service) Watch(ctx context.Context, id string) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		w := &watcher{service: s, id: id, changed: make(chan struct{}, 1),
			ranges: map[int]tally.Sum{}}
		stop, err := w.listen()
		if err != nil {
			yield(Progress{}, err)
			return
		}
		defer stop()
		if err := w.readBegun(ctx); err != nil {
			yield(Progress{}, err)
			return
		}
		for {
			progress, err := w.look(ctx)
			if err == nil && ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(progress, err) || err != nil || progress.Job.State.Ended() {
				return
			}
			w.wait(ctx)
		}
	}
}

// watcher receives the reports about a job.
type watcher struct {
	service *Service
	id      string
	changed chan struct{}

	mu     sync.Mutex
	ranges map[int]tally.Sum // in flight
}

func (w *watcher) listen() (stop func(), err error) {
	progress, err := w.service.engine.Listen(engine.SubjectProgress+w.id,
		func(_ string, data []byte) {
			var reported rangeProgress
			if json.Unmarshal(data, &reported) == nil {
				w.mu.Lock()
				w.ranges[reported.Range] = reported.Sum
				w.mu.Unlock()
				w.hear()
			}
		})
	if err != nil {
		return nil, err
	}
	changes, err := w.service.engine.Listen(engine.SubjectChange+w.id,
		func(string, []byte) { w.hear() })
	if err != nil {
		progress()
		return nil, err
	}
	return func() { progress(); changes() }, nil
}

// readBegun reads the results of unfinished ranges, so that the first progress includes them.
func (w *watcher) readBegun(ctx context.Context) error {
	job, err := w.service.jobRecord(ctx, w.id)
	if err != nil || job.Generation == "" || job.State.Ended() {
		return err
	}
	board, err := w.service.board(ctx, job)
	if err != nil {
		return err
	}
	begun, err := rangelog.Begun(ctx, w.service.engine, job.log())
	if err != nil {
		return err
	}
	for _, number := range begun {
		if board.Has(number) {
			continue
		}
		log, err := rangelog.Open(ctx, w.service.engine, job.log(), number)
		if err != nil {
			return err
		}
		w.mu.Lock()
		if _, isReported := w.ranges[number]; !isReported {
			w.ranges[number] = *log.Sum()
		}
		w.mu.Unlock()
	}
	return nil
}

func (w *watcher) hear() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// wait waits for a change.
func (w *watcher) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(watchInterval):
	}
	select {
	case <-ctx.Done():
	case <-w.changed:
	case <-time.After(watchPatience):
	}
}

// look returns the current progress of the job.
func (w *watcher) look(ctx context.Context) (Progress, error) {
	job, board, err := w.service.look(ctx, w.id)
	if err != nil {
		return Progress{}, err
	}
	all := sumOf(job)
	w.addRanges(&all, board)
	return w.service.progressOf(job, &all), nil
}

// sumOf returns the sum of a job's ranges that are done.
func sumOf(job *Job) tally.Sum {
	return tally.Sum{
		Completed: job.Counts.Completed, Failed: job.Counts.Failed, Usage: job.Usage,
		Failures: maps.Clone(job.Failures),
		Repeated: job.Counts.Repeated, RepeatedCost: job.Counts.RepeatedCost,
	}
}

// progressOf returns the progress of a job from the sum of its ranges, including unfinished ranges.
func (s *Service) progressOf(job *Job, all *tally.Sum) Progress {
	reported := Job{Counts: job.Counts}
	reported.count(all)
	return Progress{At: s.settings.now(), Job: *job, Counts: reported.Counts, Usage: reported.Usage,
		Failures: reported.Failures}
}

// addRanges adds the ranges in progress, and removes those that are done.
func (w *watcher) addRanges(all *tally.Sum, board *tally.Board) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for number, sum := range w.ranges {
		if board == nil || board.Has(number) {
			delete(w.ranges, number)
			continue
		}
		all.Merge(&sum)
	}
}
