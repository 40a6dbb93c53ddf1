package bulk_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk"
)

// waiting answers the first lines of a range, and then waits until it is released.
type waiting struct {
	first    int
	answered chan struct{}
	release  chan struct{}
}

func (w *waiting) Run(ctx context.Context, item *bulk.Item) error {
	for i, l := range item.Lines {
		if i == w.first {
			w.answered <- struct{}{}
			<-w.release
		}
		if err := item.Write(ctx, answered(l)); err != nil {
			return err
		}
	}
	return nil
}

func TestWorkersSayHowManyLinesOfAJobTheyHave(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(10)),
		RangeLines: 5})
	other := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(2))})
	w := &waiting{first: 2, answered: make(chan struct{}), release: make(chan struct{})}
	worker := live(w)
	worker.Name, worker.Job = "host-1:1", ""
	worker.Takes = func(taken *bulk.Job) bool { return taken.ID == job.ID }
	if got, err := service.Workers(t.Context(), job.ID); err != nil || len(got) != 0 {
		t.Errorf("without a worker: %+v, %v", got, err)
	}
	work(t, service, worker)
	<-w.answered
	<-w.answered
	got, err := service.Workers(t.Context(), job.ID)
	if err != nil || len(got) != 1 || got[0].Name != "host-1:1" || got[0].Lines != 6 ||
		got[0].Since.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := service.Workers(t.Context(), other.ID); err != nil || len(got) != 0 {
		t.Errorf("of a job that waits: %+v, %v", got, err)
	}
	close(w.release)
	await(t, service, job.ID, bulk.Completed)
}
