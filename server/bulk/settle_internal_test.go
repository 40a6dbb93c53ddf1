package bulk

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// heldMessage is a message of the store that records what a worker does with it. It was delivered
// twice.
type heldMessage struct {
	jetstream.Msg
	subject   string
	sequence  uint64
	isAcked   bool
	givenBack []time.Duration // the delays
	reports   int             // of progress
}

func (m *heldMessage) Subject() string { return m.subject }

func (m *heldMessage) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{NumDelivered: 2,
		Sequence: jetstream.SequencePair{Stream: m.sequence}}, nil
}

func (m *heldMessage) Ack() error {
	m.isAcked = true
	return nil
}

func (m *heldMessage) NakWithDelay(delay time.Duration) error {
	m.givenBack = append(m.givenBack, delay)
	return nil
}

func (m *heldMessage) InProgress() error {
	m.reports++
	return nil
}

// outcome says what a worker did with the message.
func (m *heldMessage) outcome() string {
	switch {
	case m.isAcked && len(m.givenBack) == 0:
		return "removed"
	case !m.isAcked && len(m.givenBack) == 1:
		return fmt.Sprint("again in ", m.givenBack[0])
	case !m.isAcked && len(m.givenBack) == 0:
		return "left"
	}
	return fmt.Sprintf("%+v", m)
}

func TestTheOutcomeDecidesWhetherARangeIsRemovedOrGivenBack(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	w, _ := s.workplace(nil)
	full := &StorageError{Full: true, Err: errors.New("no room")}
	refused := &StorageError{Err: errors.New("no reply")}
	for name, tt := range map[string]struct {
		outcome error
		want    string
		err     error
	}{
		"done":                       {nil, "removed", nil},
		"of a job that has ended":    {fmt.Errorf("range 1: %w", errNoWork), "removed", nil},
		"lost to another worker":     {engine.ErrConflict, "left", nil},
		"a full store":               {full, "again in 1s", full},
		"a refused write":            {refused, "again in 2s", nil},
		"it has to wait":             {&LaterError{After: 7 * time.Second}, "again in 7s", nil},
		"the worker stops":           {errStopped, "again in 0s", nil},
		"the job is paused":          {errNotNow, "again in 5s", nil},
		"a large job for others":     {&notTakenError{ranges: 3000}, "again in 1m0s", nil},
		"a failure":                  {errors.New("the network is gone"), "again in 2s", nil},
		"lines without their result": {errOmission, "again in 2s", nil},
	} {
		message := &heldMessage{}
		err := w.settle(message, "job", 1, tt.outcome)
		if got := message.outcome(); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %s, %v; want %s, %v", name, got, err, tt.want, tt.err)
		}
	}
}

// Otherwise the store would give the message to another worker after 15 seconds.
func TestProgressOnAMessageIsReportedFourTimesInFifteenSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &workplace{logger: slog.New(slog.DiscardHandler)}
		message := &heldMessage{}
		stop := w.keep(message)
		time.Sleep(engine.AckWait)
		synctest.Wait()
		stop()
		if message.reports != 4 || engine.AckWait != 15*time.Second {
			t.Errorf("%d reports in %v", message.reports, engine.AckWait)
		}
		time.Sleep(engine.AckWait)
		if message.reports != 4 {
			t.Errorf("%d reports after the end", message.reports-4)
		}
	})
}

// The store delivers a message again if a worker is silent for too long.
func TestAWorkerTakesAMessageOnceAtATime(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	w, _ := s.workplace(nil)
	leave, isNew := w.take(&heldMessage{subject: "a", sequence: 7})
	if !isNew {
		t.Fatal("the first delivery is not taken")
	}
	again := &heldMessage{subject: "a", sequence: 7}
	if _, isNew := w.take(again); isNew || again.outcome() != "left" {
		t.Errorf("the second delivery: taken %v, %s", isNew, again.outcome())
	}
	next := &heldMessage{subject: "a", sequence: 8} // the range was queued again
	if _, isNew := w.take(next); isNew || next.outcome() != "again in 1s" {
		t.Errorf("the next message of the range: taken %v, %s", isNew, next.outcome())
	}
	if _, isNew := w.take(&heldMessage{subject: "b", sequence: 9}); !isNew {
		t.Error("a message of another range is not taken")
	}
	leave()
	if _, isNew := w.take(next); !isNew {
		t.Error("the next message is not taken after the first one")
	}
}

func TestTheOutcomeDecidesWhetherATaskIsRemovedOrGivenBack(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	w, logged := s.workplace(nil)
	consumer, err := s.engine.Work.Consumer(t.Context(), engine.ConsumerNormal)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := consumer.Next(); err != nil { // a worker has a range
		t.Fatal(err)
	}
	s.cancel("job")
	finish := engine.SubjectTask + taskFinish + "."
	for name, tt := range map[string]struct {
		subject, want string
		warnings      int
	}{
		"of a deleted job":           {finish + "gone", "removed", 0},
		"an unknown task":            {engine.SubjectTask + "other.job", "removed", 0},
		"while a worker has a range": {finish + "job", "again in 5s", 0},
	} {
		message := &heldMessage{subject: tt.subject}
		logged.count = 0
		if err := w.doTask(t.Context(), message); err != nil || message.outcome() != tt.want ||
			logged.count != tt.warnings {
			t.Errorf("%s: %s, %v, %d warnings; want %s", name, message.outcome(), err,
				logged.count, tt.want)
		}
	}
}

func TestAStoreThatRefusesEveryWriteEndsTheWork(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	w, _ := s.workplace(nil)
	refused := &StorageError{Err: errors.New("no reply")}
	for i := 1; i <= maxRefused; i++ {
		message := &heldMessage{subject: engine.SubjectWork + "normal.batch_1.0"}
		err := w.settle(message, "batch_1", 0, refused)
		if isLast := i == maxRefused; errors.Is(err, refused) != isLast ||
			len(message.givenBack) != 1 {
			t.Errorf("refused %d times: %v, %s", i, err, message.outcome())
		}
	}
	w.refused.Store(maxRefused - 2)
	if err := w.settle(&heldMessage{}, "batch_1", 0, nil); err != nil || w.refused.Load() != 0 {
		t.Errorf("after a range that is done: %v, %d", err, w.refused.Load())
	}
}
