package bulk

import (
	"errors"
	"testing"
)

func TestAWatchBeginsWithTheResultsOfUnfinishedRanges(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	gone := errors.New("the worker is gone")
	w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(item *Item) error {
		return errors.Join(writeAll(item, 1), gone)
	})})
	if err := w.tryRange(t.Context(), t.Context().Done(), "job", 0); !errors.Is(err, gone) {
		t.Fatal(err)
	}
	for p, err := range s.Watch(t.Context(), "job") {
		if err != nil || p.Counts.Done() != 1 {
			t.Errorf("%+v, %v", p.Counts, err)
		}
		return
	}
}
