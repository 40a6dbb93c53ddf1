package bulk_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/google/go-cmp/cmp"
)

// diary is an observer that records everything it receives.
type diary struct {
	mu      sync.Mutex
	states  []string
	ended   *bulk.Job
	results int
	ranges  map[bulk.Outcome]int
	running int
}

func (d *diary) JobChanged(job *bulk.Job, before bulk.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.states = append(d.states, fmt.Sprintf("%s to %s", before, job.State))
	d.ended = job
}

func (d *diary) BeginRange(ctx context.Context, run bulk.RangeRun) (context.Context,
	func(bulk.RangeEnd)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running++
	return context.WithValue(ctx, diaryKey{}, run.Lines), func(end bulk.RangeEnd) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.running--
		d.ranges[end.Outcome]++
	}
}

func (d *diary) ResultsKept(_ *bulk.Job, results []line.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.results += len(results)
}

type diaryKey struct{}

func TestObserversGetJobsRangesAndResults(t *testing.T) {
	t.Parallel()
	told := &diary{ranges: map[bulk.Outcome]int{}}
	service := open(t, bulk.WithObserver(told))
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(30)), RangeLines: 10})
	answers := &answerer{}
	work(t, service, bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: executorFunc(func(ctx context.Context,
		item *bulk.Item) error {
		if ctx.Value(diaryKey{}) != len(item.Lines) {
			t.Errorf("the context of the work is not that of the observer")
		}
		if item.Range == 1 && len(item.Lines) == 10 {
			if err := item.Write(ctx, answered(item.Lines[0])); err != nil {
				return err
			}
			return &bulk.LaterError{Reason: "not now"}
		}
		return answers.Run(ctx, item)
	})}})
	await(t, service, job.ID, bulk.Completed)
	told.mu.Lock()
	defer told.mu.Unlock()
	want := []string{" to validating", "validating to in_progress", "in_progress to finalizing",
		"finalizing to completed"}
	if diff := cmp.Diff(want, told.states); diff != "" {
		t.Errorf("states (-want +got)\n%s", diff)
	}
	if told.results != 30 || told.running != 0 || told.ranges[bulk.RangeDone] != 3 ||
		told.ranges[bulk.RangePostponed] != 1 {
		t.Errorf("%d results, %d ranges running, outcomes %v", told.results, told.running,
			told.ranges)
	}
	if told.ended.Counts.Completed != 30 || told.ended.Usage.InputTokens != 90 {
		t.Errorf("at the end: %+v, %+v", told.ended.Counts, told.ended.Usage)
	}
}
