package bulk_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
)

// pausing pauses its job for an hour until its pauses are forgotten.
type pausing struct {
	answerer
	isForgotten atomic.Bool
}

func (p *pausing) Run(ctx context.Context, item *bulk.Item) error {
	if !p.isForgotten.Load() {
		return &bulk.LaterError{After: time.Hour, Park: true, Reason: "the key is refused"}
	}
	return p.answerer.Run(ctx, item)
}

func (p *pausing) Forget(context.Context) error {
	p.isForgotten.Store(true)
	return nil
}

func TestResumeContinuesAPausedJobNowAndEndsThePausesOfWorkers(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(4))})
	work(t, service, live(&pausing{}))
	awaitJob(t, service, job.ID, "a pause", func(job *bulk.Job) bool { return job.Parking != nil })
	if resumed, err := service.Resume(t.Context(), job.ID); err != nil || resumed.Parking != nil {
		t.Fatalf("%+v, %v", resumed, err)
	}
	await(t, service, job.ID, bulk.Completed)
	if _, err := service.Resume(t.Context(), job.ID); !errors.As(err, new(*bulk.StateError)) {
		t.Errorf("of a job that has ended: %v", err)
	}
}
