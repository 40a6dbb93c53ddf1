package bulk

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// delivered is a message that was delivered n times, or an unknown number of times.
type delivered struct {
	jetstream.Msg
	times uint64
	err   error
}

func (d delivered) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{NumDelivered: d.times}, d.err
}

func TestARangeThatFailsWaitsTwiceAsLongEachTimeUpToAMinute(t *testing.T) {
	t.Parallel()
	for times, want := range map[uint64]time.Duration{1: 1, 2: 2, 3: 4, 6: 32, 7: 60, 100: 60} {
		if got := backOff(delivered{times: times}); got != want*time.Second {
			t.Errorf("taken %d times: %v, want %d s", times, got, want)
		}
	}
	if got := backOff(delivered{times: 5, err: errors.New("no metadata")}); got != time.Second {
		t.Errorf("taken an unknown number of times: %v", got)
	}
}

func TestRangesOfALargeJobThatIsNotTakenWaitLonger(t *testing.T) {
	t.Parallel()
	for ranges, want := range map[int]time.Duration{1: 5, 250: 5, 500: 10, 3000: 60,
		1_000_000: 60} {
		if got := (&notTakenError{ranges: ranges}).rest(); got != want*time.Second {
			t.Errorf("%d ranges: %v, want %d s", ranges, got, want)
		}
	}
}

func TestHowARangeEndsInTheEyesOfAnObserver(t *testing.T) {
	t.Parallel()
	failed, later := errors.New("the network is gone"), &LaterError{Reason: "the quota is used up"}
	for name, tt := range map[string]struct {
		err, unwritten error
		isStopped      bool
		want           RangeEnd
	}{
		"all lines are answered":      {nil, nil, false, RangeEnd{Outcome: RangeDone}},
		"as the worker is stopping":   {nil, nil, true, RangeEnd{Outcome: RangeDone}},
		"it has to wait":              {later, nil, false, RangeEnd{Outcome: RangePostponed, Reason: later.Reason}},
		"the worker is stopping":      {later, nil, true, RangeEnd{Outcome: RangeStopped, Reason: later.Error()}},
		"the executor fails":          {failed, nil, false, RangeEnd{Outcome: RangeFailed, Reason: failed.Error()}},
		"another worker was faster":   {nil, engine.ErrConflict, false, RangeEnd{Outcome: RangeLost, Reason: "another worker has the range"}},
		"its results are not written": {nil, failed, false, RangeEnd{Outcome: RangeFailed, Reason: failed.Error()}},
	} {
		if got := endOfRange(tt.err, tt.unwritten, tt.isStopped); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestAJobKeepsTheTimeAtWhichItFirstCameIntoAState(t *testing.T) {
	t.Parallel()
	first := time.Unix(1000, 0)
	job := &Job{}
	for i, state := range []State{InProgress, Finalizing, InProgress, Completed} {
		job.enter(state, first.Add(time.Duration(i)*time.Second))
		if job.State != state {
			t.Errorf("it is %s, want %s", job.State, state)
		}
	}
	if !job.InProgressAt.Equal(first) || !job.FinalizingAt.Equal(first.Add(time.Second)) ||
		!job.EndedAt().Equal(first.Add(3*time.Second)) {
		t.Errorf("%+v", job)
	}
}

// A message from another program may name any range.
func TestARangeThatTheJobDoesNotHaveIsNoWork(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{}) // with two ranges
	asked := 0
	w, err := s.newWorkplace(t.Context(),
		Worker{Executors: map[string]Executor{ExecutorLive: executor(func(*Item) error {
			asked++
			return &LaterError{Reason: "not now"}
		})}})
	if err != nil {
		t.Fatal(err)
	}
	for number, isWork := range map[int]bool{-1: false, 0: true, 1: true, 2: false} {
		asked = 0
		err := w.tryRange(t.Context(), t.Context().Done(), "job", number)
		if errors.Is(err, errNoWork) == isWork || (asked == 1) != isWork {
			t.Errorf("range %d of 2: %v, the executor is asked %d times", number, err, asked)
		}
	}
	s.at = s.at.Add(DefaultWindow)
	if err := w.tryRange(t.Context(), t.Context().Done(), "job", 0); errors.Is(err, errNoWork) {
		t.Errorf("at the end of the window: %v", err)
	}
	s.at = s.at.Add(1)
	if err := w.tryRange(t.Context(), t.Context().Done(), "job", 0); !errors.Is(err, errNoWork) ||
		s.record("job").Target != Expired {
		t.Errorf("after the window: %v, %+v", err, s.record("job"))
	}
}

// An old finish task may exist from the time before a range was found to be open.
func TestAJobIsNotFinishedWhileARangeIsOpen(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	s.expectState("with open ranges", "job", InProgress)
	if err := s.finishTask(t.Context(), "no-such-job"); err != nil {
		t.Errorf("a job that was deleted: %v", err)
	}
}

func TestRangesAreDrainedWhenNoWorkerHasOne(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	expect := func(what string, want bool) {
		t.Helper()
		if drained, err := s.drained(t.Context(), &jobRecord{}); err != nil || drained != want {
			t.Errorf("%s: drained is %v, %v", what, drained, err)
		}
	}
	expect("while all ranges are queued", true)
	consumer, err := s.engine.Work.Consumer(t.Context(), engine.ConsumerNormal)
	if err != nil {
		t.Fatal(err)
	}
	message, err := consumer.Next()
	if err != nil {
		t.Fatal(err)
	}
	expect("while a worker has a range", false)
	if err := message.DoubleAck(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("after its range is done", true)
}

func TestTheSizeOfAStoreIsTheSettingOrTheDefaultOfADirectory(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		set  settings
		want int64
	}{
		{settings{}, DefaultMaxBytes},
		{settings{maxBytes: 5}, 5},
		{settings{url: "nats://store"}, 0}, // the servers have their own
		{settings{url: "nats://store", maxBytes: 5}, 5},
	} {
		if got := tt.set.storeLimit(); got != tt.want {
			t.Errorf("%d bytes at %q: %d, want %d", tt.set.maxBytes, tt.set.url, got, tt.want)
		}
	}
}
