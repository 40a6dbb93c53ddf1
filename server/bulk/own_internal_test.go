package bulk

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestAWorkerOfOneJobIsNotOfferedTheRangesOfOthers(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	for _, id := range []string{"a", "b"} {
		s.submit(id, Submission{Own: true})
	}
	s.submit("shared", Submission{})
	for name, want := range map[string]string{"a": ".a.", "b": ".b.", "": ".shared."} {
		w, err := s.newWorkplace(t.Context(), Worker{Job: name})
		if err != nil {
			t.Fatal(err)
		}
		var taken []jetstream.Msg
		for _, consumer := range w.ranges.consumers {
			for message := w.fetch(consumer); message != nil; message = w.fetch(consumer) {
				taken = append(taken, message)
			}
		}
		if len(taken) != 2 {
			t.Errorf("the worker of %q: %d ranges; expected 2", name, len(taken))
		}
		for _, message := range taken {
			if !strings.Contains(message.Subject(), want) {
				t.Errorf("the worker of %q is offered %s", name, message.Subject())
			}
		}
	}
	s.cancel("a")
	if err := s.letDrain(t.Context(), s.record("a")); err == nil {
		t.Error("a job whose ranges a worker has is drained")
	}
}
