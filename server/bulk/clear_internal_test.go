package bulk

import (
	"context"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// stopAtEnd cancels a context when a job completes, as the command does.
type stopAtEnd struct {
	Observer
	stop context.CancelFunc
}

func (s *stopAtEnd) JobChanged(job *Job, _ State) {
	if job.State.Ended() {
		s.stop()
	}
}

func TestTheDiskIsGivenBackEvenIfTheWorkerStopsAtTheEndOfTheJob(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.answered("job")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.settings.observers = observers{&stopAtEnd{stop: cancel}}
	if err := s.finishTask(ctx, "job"); err != nil {
		t.Fatal(err)
	}
	has, err := s.engine.Lines.HasAny(t.Context(), engine.SubjectLines+"job.>")
	if err != nil || has || !s.record("job").Cleared {
		t.Errorf("lines are left: %v, %v; %+v", has, err, s.record("job"))
	}
}

func TestAFailedEmptyJobKeepsItsEndpoint(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	job, _ := s.Submit(t.Context(), Submission{ID: "job", Input: strings.NewReader(""),
		Endpoint: "/v1/embeddings", Model: "m"})
	if job == nil || job.State != Failed || job.Endpoint != "/v1/embeddings" || job.Model != "m" {
		t.Errorf("%+v", job)
	}
}
