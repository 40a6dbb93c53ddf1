package eventwriter_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
)

// failing is a connection that breaks at a given write.
type failing struct {
	*httptest.ResponseRecorder
	left int
}

var errBroken = errors.New("broken")

func (f *failing) Write(data []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errBroken
	}
	return f.ResponseRecorder.Write(data)
}

func settings() eventwriter.Settings {
	return eventwriter.Settings{Grace: 5 * time.Second, Every: 10 * time.Second,
		Heartbeat: func(dst []byte) []byte { return append(dst, "beat "...) }}
}

func TestEveryStateEndsAsItSays(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		use      func(*eventwriter.Writer)
		want     string
		hasBegun bool
	}{
		"waiting, stopped":           {func(w *eventwriter.Writer) { w.Stop() }, "", false},
		"waiting, abandoned":         {func(w *eventwriter.Writer) { mustBe(t, w.Abandon(), true) }, "", false},
		"waiting, an event":          {func(w *eventwriter.Writer) { _ = w.Add([]byte("a ")); w.Stop() }, "a ", true},
		"waiting, the end":           {func(w *eventwriter.Writer) { _ = w.Add([]byte("z ")); w.Stop() }, "z ", true},
		"waiting, nothing":           {func(w *eventwriter.Writer) { _ = w.Add(nil); w.Stop() }, "", false},
		"waiting, the grace is over": {func(w *eventwriter.Writer) { time.Sleep(6 * time.Second); w.Stop() }, "beat ", true},
		"begun, abandoned":           {func(w *eventwriter.Writer) { _ = w.Add([]byte("a ")); mustBe(t, w.Abandon(), false); w.Stop() }, "a ", true},
		"begun, silent":              {func(w *eventwriter.Writer) { _ = w.Add([]byte("a ")); time.Sleep(25 * time.Second); w.Stop() }, "a beat beat ", true},
		"begun, the end":             {func(w *eventwriter.Writer) { _ = w.Add([]byte("a ")); _ = w.Add([]byte("z ")); w.Stop() }, "a z ", true},
		"ended, abandoned":           {func(w *eventwriter.Writer) { w.Stop(); mustBe(t, w.Abandon(), false) }, "", false},
		"ended, an event": {func(w *eventwriter.Writer) {
			w.Stop()
			mustBe(t, errors.Is(w.Add([]byte("a ")), eventwriter.ErrEnded), true)
		}, "", false},
		"an event puts the heartbeat off": {func(w *eventwriter.Writer) {
			for range 4 {
				_ = w.Add([]byte("a "))
				time.Sleep(9 * time.Second)
			}
			w.Stop()
		}, "a a a a ", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			answer := httptest.NewRecorder()
			w := eventwriter.Start(answer, settings())
			tc.use(w)
			time.Sleep(time.Hour) // in which nothing more may be written
			if got := answer.Body.String(); got != tc.want || w.HasBegun() != tc.hasBegun ||
				w.Size() != int64(len(tc.want)) {
				t.Errorf("%s: wrote %q, begun %t, size %d", name, got, w.HasBegun(), w.Size())
			}
		})
	}
}

func mustBe(t *testing.T, got, want bool) {
	t.Helper()
	if got != want {
		t.Errorf("got %t", got)
	}
}

func TestHeadersAreSetAsLongAsNothingIsWritten(t *testing.T) {
	t.Parallel()
	answer := httptest.NewRecorder()
	w := eventwriter.Start(answer, settings())
	defer w.Stop()
	w.SetHeader("X-One", "1")
	_ = w.Add([]byte("a"))
	w.SetHeader("X-Two", "2")
	if h := answer.Result().Header; h.Get("X-One") != "1" || answer.Header().Get("X-Two") != "" ||
		answer.Code != http.StatusOK {
		t.Errorf("HTTP %d, %v", answer.Code, h)
	}
}

func TestConnectionThatBreaksIsWrittenToNoMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := &failing{ResponseRecorder: httptest.NewRecorder(), left: 1}
		beats := 0
		s := settings()
		s.Sent = func([]byte) { beats++ }
		w := eventwriter.Start(answer, s)
		time.Sleep(time.Minute) // the first heartbeat is written, the second breaks
		if err := w.Add([]byte("a")); !errors.Is(err, errBroken) || beats != 1 ||
			answer.left != -1 {
			t.Errorf("%v after %d heartbeats, %d writes left", err, beats, answer.left)
		}
		w.Stop()
	})
}

// counting is a connection that counts its flushes.
type counting struct {
	*httptest.ResponseRecorder
	flushes int
}

func (c *counting) Flush() { c.flushes++ }

func TestTheFirstEventsGoOutAtOnceAndOthersTogetherByFlush(t *testing.T) {
	t.Parallel()
	answer := &counting{ResponseRecorder: httptest.NewRecorder()}
	w := eventwriter.Start(answer, settings())
	var flushes []int
	for _, do := range []func(){
		func() { _ = w.Flush() }, // of nothing
		func() { _ = w.Add([]byte("a ")); _ = w.Add([]byte("b ")) },
		func() { _ = w.Flush(); _ = w.Flush() },
		func() { _ = w.Add([]byte("c ")) },
		w.Stop,
	} {
		do()
		flushes = append(flushes, answer.flushes)
	}
	if want := []int{0, 1, 2, 2, 3}; !slices.Equal(flushes, want) ||
		answer.Body.String() != "a b c " {
		t.Errorf("flushed %v times, want %v; wrote %q", flushes, want, answer.Body)
	}
}

func TestSentChunksAreReportedInOrder(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		use  func(*eventwriter.Writer)
		want []string
	}{
		"nothing":   {func(*eventwriter.Writer) {}, nil},
		"abandoned": {func(w *eventwriter.Writer) { w.Abandon() }, nil},
		"the head":  {func(w *eventwriter.Writer) { _, _ = w.Begin(), w.Begin() }, []string{"head text/event-stream; charset=utf-8"}},
		"events and a heartbeat": {func(w *eventwriter.Writer) {
			_ = w.Add([]byte("a "))
			time.Sleep(15 * time.Second)
			_, _ = w.AddFrom(nil,
				func(dst []byte) ([]byte, error) { return append(dst, "b "...), nil })
		}, []string{"head text/event-stream; charset=utf-8", "a ", "beat ", "b "}},
		"the grace is over": {func(w *eventwriter.Writer) { time.Sleep(6 * time.Second) }, []string{"head text/event-stream; charset=utf-8", "beat "}},
		"events that cannot be made": {func(w *eventwriter.Writer) {
			if _, err := w.AddFrom(nil,
				func(dst []byte) ([]byte,
					error) {
					return append(dst, "a "...), errBroken
				}); !errors.Is(err, errBroken) {
				t.Errorf("got %v", err)
			}
		}, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			var got []string
			s := settings()
			s.Begun = func(header http.Header) { got = append(got, "head "+header.Get("Content-Type")) }
			s.Sent = func(events []byte) { got = append(got, string(events)) }
			w := eventwriter.Start(httptest.NewRecorder(), s)
			tc.use(w)
			w.Stop()
			if !slices.Equal(got, tc.want) {
				t.Errorf("%s: reported %q, expected %q", name, got, tc.want)
			}
		})
	}
}

// Begun gets a copy of the header, because other goroutines may read it while the connection
// writes.
func TestTheReportedHeadIsACopy(t *testing.T) {
	t.Parallel()
	answer := httptest.NewRecorder()
	s := settings()
	s.Begun = func(header http.Header) { header.Set("Content-Type", "changed") }
	w := eventwriter.Start(answer, s)
	defer w.Stop()
	if err := w.Begin(); err != nil || answer.Header().Get("Content-Type") == "changed" {
		t.Errorf("%v, %v", err, answer.Header())
	}
}

// The timer runs on a separate goroutine. A panic there would end the process.
func TestAPanicInAHeartbeatBreaksTheStreamAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := settings()
		s.Heartbeat = func([]byte) []byte { panic("a heartbeat") }
		w := eventwriter.Start(httptest.NewRecorder(), s)
		time.Sleep(time.Minute)
		isMade := false
		_, err := w.AddFrom(nil,
			func(dst []byte) ([]byte, error) { isMade = true; return append(dst, "a "...), nil })
		if _, ok := errors.AsType[*recovered.PanicError](err); !ok || isMade {
			t.Errorf("%v, made %t", err, isMade)
		}
		w.Stop()
	})
}
