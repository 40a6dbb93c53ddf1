package bulk

import (
	"errors"
	"testing"
)

func TestACancelledJobCanBeCancelledAgainUntilItHasEnded(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	s.cancel("job")
	since := s.record("job").CancellingAt
	s.at = s.at.Add(1)
	if job, err := s.Cancel(t.Context(), "job"); err != nil || job.State != Cancelling ||
		!job.CancellingAt.Equal(since) {
		t.Errorf("while it is cancelling: %+v, %v", job, err)
	}
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Cancel(t.Context(), "job")
	refused, ok := errors.AsType[*StateError](err)
	if !ok || refused.State != Cancelled || refused.ID != "job" || refused.Action != "cancel" {
		t.Errorf("after its end: %v", err)
	}
}
