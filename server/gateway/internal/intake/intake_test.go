package intake_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/intake"
)

// terms returns the limits of a client.
func terms(client string) intake.Terms {
	return intake.Terms{Client: client, Pace: intake.Pace{Stall: 30 * time.Second, Rate: 16 << 10},
		Wait: time.Second}
}

// request returns a request with a body, whose size may be unknown.
func request(body io.Reader, size int64) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", io.NopCloser(body))
	r.ContentLength = size
	return r
}

func TestBodiesAreReadUpToTheLimit(t *testing.T) {
	t.Parallel()
	gate := intake.NewGate(intake.Limits{BodySize: 100_000})
	for _, size := range []int{0, 1, 32<<10 - 1, 32 << 10, 32<<10 + 1, 99_999, 100_000, 100_001,
		300_000} {
		data := bytes.Repeat([]byte("x"), size)
		for name, r := range map[string]*http.Request{
			"known":   request(bytes.NewReader(data), int64(size)),
			"unknown": request(bytes.NewReader(data), -1),
			"at once": request(iotest.DataErrReader(bytes.NewReader(data)), -1),
			"slices":  request(iotest.HalfReader(bytes.NewReader(data)), -1),
		} {
			body, err := gate.Read(httptest.NewRecorder(), r, terms("a"))
			if isTooLarge := size > 100_000; isTooLarge != errors.Is(err, intake.ErrTooLarge) ||
				!isTooLarge && (err != nil || !bytes.Equal(body.Data, data)) {
				t.Errorf("%d bytes, %s: %d bytes, error %v", size, name, len(body.Data), err)
			}
			body.Release()
		}
	}
}

func TestABodyThatIsCutOffIsAnError(t *testing.T) {
	t.Parallel()
	gate := intake.NewGate(intake.Limits{BodySize: 1000})
	for _, size := range []int64{-1, 10} {
		r := request(io.MultiReader(strings.NewReader("half"),
			iotest.ErrReader(io.ErrUnexpectedEOF)), size)
		body, err := gate.Read(httptest.NewRecorder(), r, terms("a"))
		if body.Release(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("size %d: error %v", size, err)
		}
	}
}

// read reads a client's body with the given number of bytes.
func read(gate *intake.Gate, client string, size int) (*intake.Body, error) {
	return gate.Read(httptest.NewRecorder(),
		request(strings.NewReader(strings.Repeat("x", size)), int64(size)), terms(client))
}

func TestBodiesWaitAMomentForRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := intake.NewGate(intake.Limits{BodySize: 100, BytesInFlight: 400})
		var held []*intake.Body
		for range 2 {
			body, err := read(gate, "a", 100)
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, body)
		}
		begin := time.Now()
		none, err := read(gate, "a", 100)
		if none.Release(); !errors.Is(err, intake.ErrFull) || time.Since(begin) != time.Second {
			t.Errorf("after %v: error %v", time.Since(begin), err)
		}
		time.AfterFunc(time.Second/2, held[0].Release)
		if _, err := read(gate, "a", 100); err != nil {
			t.Errorf("with room after half a second: %v", err)
		}
	})
}

func TestAClientHoldsAtMostHalfOfTheRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := intake.NewGate(intake.Limits{BodySize: 100, BytesInFlight: 1600})
		held := map[string]int{}
		var bodies []*intake.Body
		for _, client := range []string{"a", "b", "c"} {
			for {
				body, err := read(gate, client, 100)
				bodies = append(bodies, body)
				if err != nil {
					break
				}
				held[client] += len(body.Data)
			}
		}
		// Each client gets half of the memory that the earlier clients left.
		if want := map[string]int{"a": 800, "b": 400, "c": 200}; !maps.Equal(held, want) {
			t.Errorf("held %v, want %v", held, want)
		}
		for _, body := range bodies {
			body.Release()
		}
		if body, err := read(gate, "d", 100); err != nil || body.Hold(t.Context(), 700) != nil ||
			body.Hold(t.Context(), 1) == nil {
			t.Errorf("after all were released: %v", err)
		}
	})
}

// An announced size reserves no memory. Here a client announces 64 MiB and sends one byte.
func TestABodyTakesRoomAsItComes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const size = 64 << 20
		gate := intake.NewGate(intake.Limits{BodySize: size, BytesInFlight: 4 * size})
		ctx, cancel := context.WithCancel(t.Context())
		var reading sync.WaitGroup
		for i := range 20 {
			client, server := net.Pipe()
			reading.Go(func() {
				r := request(server, size).WithContext(ctx)
				w := &connectionWriter{ResponseRecorder: httptest.NewRecorder(), connection: server}
				body, _ := gate.Read(w, r, terms(strconv.Itoa(i%2)))
				body.Release()
			})
			if _, err := client.Write([]byte("{")); err != nil {
				t.Error(err)
			}
			defer client.Close()
		}
		synctest.Wait()
		body, err := read(gate, "0", size)
		if err != nil {
			t.Error(err)
		}
		body.Release()
		cancel()
		reading.Wait() // since no body stalls for ever
	})
}

// enter lets requests enter until one is refused.
func enter(line *intake.Line, client string, wait time.Duration) (count int) {
	for range 10 {
		if line.Enter(context.Background(), client, wait) == nil {
			count++
		}
	}
	return count
}

func TestRequestsAreLetInUpToTheLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int][2]int{1: {1, 1}, 2: {2, 1}, 5: {5, 3}, 0: {10, 10}} {
		gate := intake.NewGate(intake.Limits{Concurrent: limit})
		for i, line := range []*intake.Line{gate.Calls, gate.Uploads} {
			name := [...]string{"calls", "uploads"}[i]
			if got := enter(line, "a", 0); got != want[i] {
				t.Errorf("limit %d, %s: %d were let in", limit, name, got)
			}
			line.Leave("a")
			if got := enter(line, "a", 0); limit > 0 && got != 1 {
				t.Errorf("limit %d, %s: after one that left %d were let in", limit, name, got)
			}
		}
	}
}

// waiters makes requests wait in a line, one after the other, and returns the order in which they
// were served. A later request is served for a moment longer, so that no two leave at the same
// time. Requests that were not served in time are omitted.
func waiters(line *intake.Line, count int, served, wait time.Duration) (order []int) {
	var mu sync.Mutex
	var waiting sync.WaitGroup
	for i := range count {
		waiting.Go(func() {
			if line.Enter(context.Background(), "a", wait) != nil {
				return
			}
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
			time.Sleep(served + time.Duration(i)*time.Millisecond)
			line.Leave("a")
		})
		synctest.Wait()
	}
	waiting.Wait()
	return order
}

func TestALineServesTheOldestFirstAndALongOneTheNewest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		limit, count int
		wait         time.Duration
		want         []int
	}{
		"two wait for two":             {2, 4, time.Second, []int{0, 1, 2, 3}},
		"five wait for one":            {1, 6, time.Hour, []int{0, 5, 4, 3, 2, 1}},
		"the oldest wait for too long": {1, 6, 250 * time.Millisecond, []int{0, 5, 4}},
		"none waits":                   {1, 6, 0, []int{0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			line := intake.NewGate(intake.Limits{Concurrent: tc.limit}).Calls
			if got := waiters(line, tc.count, 100*time.Millisecond, tc.wait); !slices.Equal(got,
				tc.want) {
				t.Errorf("%s: served %v, want %v", name, got, tc.want)
			}
			if got := enter(line, "a", 0); got != tc.limit {
				t.Errorf("%s: then %d are let in", name, got)
			}
		})
	}
}

func TestARequestThatIsLeftIsNotServed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		line := intake.NewGate(intake.Limits{Concurrent: 1}).Calls
		enter(line, "a", 0)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := line.Enter(ctx, "a", time.Hour); !errors.Is(err, intake.ErrBusy) {
			t.Error(err)
		}
		line.Leave("a")
		if got := enter(line, "a", 0); got != 1 {
			t.Errorf("%d are let in", got)
		}
	})
}

// Uploads of one client may take hours, so they leave slots for other clients. An upload that waits
// for its client's share is served when the share is free.
func TestOneClientHasAShareOfTheUploads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		line := intake.NewGate(intake.Limits{Concurrent: 4}).Uploads
		if a, b, c := enter(line, "a", 0), enter(line, "b", 0),
			enter(line, "c", 0); a != 2 || b != 2 || c != 0 {
			t.Errorf("%d, %d and %d are let in", a, b, c)
		}
		waiting := make(chan string, 2)
		for _, client := range []string{"a", "b"} {
			go func() {
				if line.Enter(context.Background(), client, time.Hour) == nil {
					waiting <- client
				}
			}()
			synctest.Wait()
		}
		// each client gets its own turn back, and not the other client's turn
		for _, client := range []string{"b", "a"} {
			line.Leave(client)
			synctest.Wait()
			if len(waiting) != 1 || <-waiting != client {
				t.Errorf("after a turn of %s it is not served", client)
			}
		}
	})
}

// A client that fills the line leaves places for other clients. They are refused at once only if
// they cannot wait either.
func TestOneClientDoesNotFillTheLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		line := intake.NewGate(intake.Limits{Concurrent: 1}).Calls
		enter(line, "a", 0)
		ctx, cancel := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		for line.HasPlace("a") {
			waiting.Go(func() { _ = line.Enter(ctx, "a", time.Hour) })
			synctest.Wait()
		}
		begin := time.Now()
		if err := line.Enter(ctx, "a", time.Hour); !errors.Is(err, intake.ErrBusy) ||
			time.Since(begin) != 0 {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		if !line.HasPlace("b") {
			t.Error("there is no place for another client")
		}
		cancel()
		waiting.Wait()
	})
}

func TestALimitThatStaysIsKnown(t *testing.T) {
	t.Parallel()
	limits := intake.Limits{BodySize: 100, BytesInFlight: 50}
	if gate := intake.NewGate(limits); !gate.HasLimits(limits) ||
		gate.HasLimits(intake.Limits{BodySize: 100, Concurrent: 1}) {
		t.Error("limits are mistaken")
	}
}

// A stalled body holds memory from others. On a connection, reads have a time limit.
func TestABodyThatDoesNotComeIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		size          int // of each piece
		pause         time.Duration
		stallsAfter   int // bytes
		atLeast, most time.Duration
	}{
		"1 KB a second, which begins well":  {1 << 10, time.Second, 1 << 20, 20 * time.Second, time.Minute},
		"a byte each 25 s":                  {1, 25 * time.Second, 1 << 20, 30 * time.Second, 31 * time.Second},
		"one byte":                          {1, time.Second, 1, 30 * time.Second, 30 * time.Second},
		"a stall after much that came fast": {32 << 10, 0, 512 << 10, 30 * time.Second, 30 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			gate := intake.NewGate(intake.Limits{BodySize: 1 << 20})
			client, server := net.Pipe()
			w := &connectionWriter{ResponseRecorder: httptest.NewRecorder(), connection: server}
			done := make(chan struct{})
			go func() {
				defer close(done)
				for sent := 0; sent < tc.stallsAfter; sent += tc.size {
					if _, err := client.Write(make([]byte, tc.size)); err != nil {
						return
					}
					time.Sleep(tc.pause)
				}
			}()
			begin := time.Now()
			body, err := gate.Read(w, request(server, 1<<20), terms("a"))
			if took := time.Since(begin); !errors.Is(err, intake.ErrSlow) || took < tc.atLeast ||
				took > tc.most {
				t.Errorf("%s: after %v and %d bytes: error %v", name, took, len(body.Data), err)
			}
			_ = client.Close()
			<-done
		})
	}
}

func TestABodyThatComesSlowlyEnoughIsRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := intake.NewGate(intake.Limits{BodySize: 1 << 20})
		client, server := net.Pipe()
		w := &connectionWriter{ResponseRecorder: httptest.NewRecorder(), connection: server}
		go func() {
			for range 8 {
				time.Sleep(8 * time.Second)
				_, _ = client.Write(make([]byte, 128<<10)) // 16 KiB a second
			}
		}()
		if body, err := gate.Read(w, request(server, 1<<20), terms("a")); err != nil ||
			len(body.Data) != 1<<20 {
			t.Errorf("%d bytes, error %v", len(body.Data), err)
		}
		if w.deadline != (time.Time{}) {
			t.Errorf("the connection keeps the deadline %v", w.deadline)
		}
	})
}

// connectionWriter is a writer with a connection whose reading has deadlines.
type connectionWriter struct {
	*httptest.ResponseRecorder
	connection net.Conn
	deadline   time.Time
}

func (w *connectionWriter) SetReadDeadline(t time.Time) error {
	w.deadline = t
	return w.connection.SetReadDeadline(t)
}

func TestAClientReadsTheRefusalOfABodyThatItStillSends(t *testing.T) {
	t.Parallel()
	gate := intake.NewGate(intake.Limits{BodySize: 8 << 20})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := gate.Read(w, r, terms("a")); errors.Is(err, intake.ErrTooLarge) {
			gate.Drain(w, r.Body)
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
	}))
	defer server.Close()
	for _, body := range []io.Reader{bytes.NewReader(make([]byte, 12<<20)),
		io.LimitReader(zeros{}, 12<<20)} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("HTTP %d", answer.StatusCode)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
