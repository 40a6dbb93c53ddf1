package eventwriter_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
)

// slowClient is the answer to a client that takes each write after a pause.
type slowClient struct {
	*httptest.ResponseRecorder
	connection net.Conn
}

func (c *slowClient) Write(data []byte) (int, error) { return c.connection.Write(data) }

func (c *slowClient) SetWriteDeadline(at time.Time) error { return c.connection.SetWriteDeadline(at) }

// FuzzAClientThatTakesNothingIsGivenUp simulates a client that accepts each event after a pause,
// and an upstream that pauses too. A client that accepts each event within half of the timeout gets
// all of them. No event waits longer than the timeout.
func FuzzAClientThatTakesNothingIsGivenUp(f *testing.F) {
	for _, data := range []string{"", "\x00\x00", "\x01\x1d\x1e\x3b", "\x00\xff",
		"\xff\x00\x00\x3d", "\x10\x3b\x3b\x10\x3b\x3b"} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const timeout = time.Minute
		data = data[:min(len(data), 40)]
		isQuick := true
		for i := 0; i+1 < len(data); i += 2 {
			isQuick = isQuick && time.Duration(data[i])*time.Second < timeout/2
		}
		synctest.Test(t, func(t *testing.T) {
			client, server := net.Pipe()
			defer server.Close()
			read := make(chan struct{})
			begun := make(chan struct{}, 1) // a write
			go func() {
				defer close(read)
				for i := 0; i+1 < len(data); i += 2 {
					if _, isOpen := <-begun; !isOpen {
						return
					}
					time.Sleep(time.Duration(data[i]) * time.Second)
					if _, err := io.ReadFull(client, make([]byte, 1)); err != nil {
						return
					}
				}
			}()
			w := eventwriter.Start(&slowClient{httptest.NewRecorder(), server},
				eventwriter.Settings{Grace: time.Hour, WriteTimeout: timeout})
			var err error
			for i := 0; i+1 < len(data) && err == nil; i += 2 {
				time.Sleep(time.Duration(data[i+1]) * time.Second)
				begun <- struct{}{}
				begin := time.Now()
				err = w.Add([]byte("."))
				if took := time.Since(begin); took > timeout ||
					err != nil && (took < timeout/2 || !errors.Is(err, os.ErrDeadlineExceeded)) {
					t.Errorf("%v: write %d took %v: %v", data, i/2, took, err)
				}
			}
			if isQuick && err != nil {
				t.Errorf("%v: a quick client is given up: %v", data, err)
			}
			w.Stop()
			close(begun)
			_ = server.Close()
			<-read
		})
	})
}

// flusher is the answer to a client whose connection may fail.
type flusher struct {
	*httptest.ResponseRecorder
	err error
}

func (f *flusher) FlushError() error { return f.err }

func TestFlushReportsABrokenConnectionButNotAMissingFlush(t *testing.T) {
	t.Parallel()
	broken := errors.New("the connection is broken")
	for _, tt := range []struct{ err, want error }{
		{nil, nil}, {broken, broken}, {http.ErrNotSupported, nil},
	} {
		d := eventwriter.NewDeadline(&flusher{httptest.NewRecorder(), tt.err}, time.Minute)
		if err := d.Flush(); !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
			t.Errorf("the connection's error is %v: %v, want %v", tt.err, err, tt.want)
		}
	}
}

// deadlines is the answer to a client that counts the deadlines of its writes.
type deadlines struct {
	*httptest.ResponseRecorder
	all []time.Time
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	d.all = append(d.all, at)
	return nil
}

func TestADeadlineIsSetAgainWhenHalfOfItIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		none := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		d, start := eventwriter.NewDeadline(client, time.Minute), time.Now()
		for _, step := range []struct {
			after time.Duration
			sets  int
		}{
			{0, 1}, {time.Second, 1}, {30*time.Second - 1, 1}, {30 * time.Second, 2}, {59 * time.Second, 2},
			{time.Minute, 3}, {time.Hour, 4},
		} {
			time.Sleep(time.Until(start.Add(step.after)))
			d.Extend()
			eventwriter.NewDeadline(none, 0).Extend()
			if len(client.all) != step.sets ||
				time.Until(client.all[len(client.all)-1]) < 30*time.Second {
				t.Errorf("after %v: %v, want %d", step.after, client.all, step.sets)
			}
		}
		if len(none.all) != 0 {
			t.Errorf("without a timeout: %v", none.all)
		}
	})
}
