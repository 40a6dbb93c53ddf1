package intake_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gateway/internal/intake"
)

// request returns a request with a body, whose size is told or not.
func request(body io.Reader, size int64) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", io.NopCloser(body))
	r.ContentLength = size
	return r
}

func TestBodiesAreReadUpToTheLimit(t *testing.T) {
	t.Parallel()
	gate := intake.NewGate(intake.Limits{BodySize: 100_000})
	for _, size := range []int{0, 1, 32<<10 - 1, 32 << 10, 32<<10 + 1, 99_999, 100_000, 100_001, 300_000} {
		data := bytes.Repeat([]byte("x"), size)
		for name, r := range map[string]*http.Request{
			"known":   request(bytes.NewReader(data), int64(size)),
			"unknown": request(bytes.NewReader(data), -1),
			"at once": request(iotest.DataErrReader(bytes.NewReader(data)), -1),
			"slices":  request(iotest.HalfReader(bytes.NewReader(data)), -1),
		} {
			body, err := gate.Read(httptest.NewRecorder(), r)
			if isTooLarge := size > 100_000; isTooLarge != errors.Is(err, intake.ErrTooLarge) || !isTooLarge && (err != nil || !bytes.Equal(body.Data, data)) {
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
		r := request(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF)), size)
		body, err := gate.Read(httptest.NewRecorder(), r)
		if body.Release(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("size %d: error %v", size, err)
		}
	}
}

func TestBodiesWaitAMomentForRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := intake.NewGate(intake.Limits{BodySize: 100, BytesInFlight: 250})
		full := strings.Repeat("x", 100)
		var held []*intake.Body
		for range 2 {
			body, err := gate.Read(httptest.NewRecorder(), request(strings.NewReader(full), 100))
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, body)
		}
		begin := time.Now()
		none, err := gate.Read(httptest.NewRecorder(), request(strings.NewReader(full), 100))
		if none.Release(); !errors.Is(err, intake.ErrFull) || time.Since(begin) != time.Second {
			t.Errorf("after %v: error %v", time.Since(begin), err)
		}
		time.AfterFunc(time.Second/2, held[0].Release)
		if _, err := gate.Read(httptest.NewRecorder(), request(strings.NewReader(full), 100)); err != nil {
			t.Errorf("with room after half a second: %v", err)
		}
	})
}

func TestRequestsAreLetInUpToTheLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{1: 1, 2: 2, 0: 10} {
		gate := intake.NewGate(intake.Limits{Concurrent: limit})
		enter := func() (count int) {
			for range 10 {
				if gate.Enter() {
					count++
				}
			}
			return count
		}
		if got := enter(); got != want {
			t.Errorf("limit %d: %d were let in", limit, got)
		}
		gate.Leave()
		if got := enter(); limit > 0 && got != 1 {
			t.Errorf("limit %d: behind one that left %d were let in", limit, got)
		}
	}
}

func TestALimitThatStaysIsKnown(t *testing.T) {
	t.Parallel()
	limits := intake.Limits{BodySize: 100, BytesInFlight: 50}
	if gate := intake.NewGate(limits); !gate.HasLimits(limits) || gate.HasLimits(intake.Limits{BodySize: 100, Concurrent: 1}) {
		t.Error("limits are mistaken")
	}
}

// A body that does not come holds memory of others: over a connection, reading has a limit of time.
func TestABodyThatDoesNotComeIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := intake.NewGate(intake.Limits{BodySize: 1 << 20})
		client, server := net.Pipe()
		w := &connectionWriter{ResponseRecorder: httptest.NewRecorder(), connection: server}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for { // 1 KB a second is too slow, but begins well
				if _, err := client.Write(make([]byte, 1<<10)); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		begin := time.Now()
		body, err := gate.Read(w, request(server, 1<<20))
		if took := time.Since(begin); !errors.Is(err, intake.ErrSlow) || took < 20*time.Second || took > time.Minute {
			t.Errorf("after %v and %d bytes: error %v", took, len(body.Data), err)
		}
		_ = client.Close()
		<-done
	})
}

// connectionWriter is a writer with a connection whose reading has deadlines.
type connectionWriter struct {
	*httptest.ResponseRecorder
	connection net.Conn
}

func (w *connectionWriter) SetReadDeadline(t time.Time) error { return w.connection.SetReadDeadline(t) }

func TestAClientReadsTheRefusalOfABodyThatItStillSends(t *testing.T) {
	t.Parallel()
	gate := intake.NewGate(intake.Limits{BodySize: 8 << 20})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := gate.Read(w, r); errors.Is(err, intake.ErrTooLarge) {
			gate.Drain(w, r)
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
	}))
	defer server.Close()
	for _, body := range []io.Reader{bytes.NewReader(make([]byte, 12<<20)), io.LimitReader(zeros{}, 12<<20)} {
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
