// Package eventwriter writes an answer of server-sent events to a client that may have to wait for
// it.
//
// It writes nothing before the first event, so that a failure has its own HTTP status. If the first
// event takes longer than a grace period, the answer begins without it. Then the writer sends
// heartbeats, because proxies and clients close silent connections. A failure after that is an
// event.
//
//	          first event, or the grace is over          end
//	waiting ─────────────────────────────────► begun ─────────► ended
//	   │                                                          ▲
//	   └──────────────────────────────────────────────────────────┘
//	               Abandon: the answer is another one
package eventwriter

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
)

// Settings are the timing and the callbacks of a [Writer].
type Settings struct {
	// Grace is how long the writer waits for the first event.
	Grace time.Duration
	// Every is the interval of heartbeats in a silent answer. 0 turns heartbeats off.
	Every time.Duration
	// Heartbeat appends a heartbeat.
	Heartbeat func(dst []byte) []byte
	// WriteTimeout is how long the client may accept no bytes. 0 is no limit.
	WriteTimeout time.Duration
	// Begun is called when the answer begins, with a copy of its header. Begun and Sent may be nil.
	Begun func(header http.Header)
	// Sent is called with events and heartbeats after they were written. It must not keep them.
	//
	// Begun and Sent are called in the order in which the client receives the answer. They must not
	// use the writer.
	Sent func(events []byte)
}

// Writer writes events. One goroutine uses it, and its own timer. Because of the timer, a silent
// stream needs no goroutine that waits. From Start to Stop or Abandon only the writer may use the
// response header, because the timer changes it.
type Writer struct {
	settings Settings
	out      http.ResponseWriter
	deadline *Deadline

	mu       sync.Mutex
	timer    *time.Timer
	last     time.Time // when something was written last
	buf      []byte    // of heartbeats
	size     int64
	state    state
	hasBegun bool
	// isReported reports that Begun was called.
	isReported bool
	isPending  bool  // something is written and not yet flushed
	err        error // of writing
}

type state int

const (
	waiting state = iota
	begun
	ended
)

// Start returns a writer that waits for the first event. The caller must call Stop or Abandon.
func Start(w http.ResponseWriter, settings Settings) *Writer {
	out := &Writer{settings: settings, out: w, deadline: NewDeadline(w, settings.WriteTimeout)}
	out.mu.Lock()
	defer out.mu.Unlock()
	out.timer = time.AfterFunc(settings.Grace, out.fire)
	return out
}

// SetHeader sets a header if the answer has not begun. The value may be a text from outside.
func (w *Writer) SetHeader(name, value string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == waiting {
		headervalue.Set(w.out.Header(), name, value)
	}
}

// SetHeaders calls set with the header if the answer has not begun.
func (w *Writer) SetHeaders(set func(http.Header)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == waiting {
		set(w.out.Header())
	}
}

// ErrEnded is returned by Add after the end.
var ErrEnded = errors.New("the stream has ended")

// Begin sends the header of a waiting answer, so that it is a stream even without events.
func (w *Writer) Begin() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state != waiting {
		return w.err
	}
	w.last = time.Now()
	w.err = w.sendHead()
	return w.err
}

// Add writes events. The first events are sent at once. Later events are sent by Flush, or when the
// connection's buffer is full. The error is an error of the connection.
func (w *Writer) Add(events []byte) error {
	if len(events) == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == ended {
		return ErrEnded
	}
	return w.write(events)
}

// AddFrom writes the events that a function appends to dst, and returns dst with them. No heartbeat
// comes between the function and the write. So a heartbeat may have the next sequence number after
// the events before it.
func (w *Writer) AddFrom(dst []byte, events func(dst []byte) ([]byte, error)) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == ended {
		return dst, ErrEnded
	}
	if w.err != nil {
		return dst, w.err
	}
	dst, err := events(dst)
	if err != nil || len(dst) == 0 {
		return dst, err
	}
	return dst, w.write(dst)
}

// Flush sends what was added, if anything was.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush()
}

// Abandon ends a writer that has written nothing, so that another answer can be written. It reports
// false if the answer has begun.
func (w *Writer) Abandon() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state != waiting {
		return false
	}
	w.stop()
	return true
}

// Stop ends a writer in any state. It sends what was added.
func (w *Writer) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop()
}

// HasBegun reports whether anything was written. It stays true after the end.
func (w *Writer) HasBegun() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hasBegun
}

// Size returns the number of bytes that were written.
func (w *Writer) Size() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.size
}

func (w *Writer) stop() {
	_ = w.flush() // the client has disconnected, so an error has no receiver
	w.state = ended
	w.timer.Stop()
}

// write writes, and begins the answer if it has not begun.
func (w *Writer) write(events []byte) error {
	if w.err != nil {
		return w.err
	}
	isFirst := w.state == waiting
	w.begin()
	w.last = time.Now()
	w.deadline.extend(w.last)
	if isFirst {
		if w.err = w.writeFirst(events); w.err == nil {
			w.report(events)
		}
		return w.err
	}
	n, err := w.out.Write(events)
	w.size += int64(n)
	w.isPending, w.err = true, err
	if err == nil {
		w.report(events)
	}
	return err
}

// report calls Begun once, and Sent, after the answer has begun and the events were written.
func (w *Writer) report(events []byte) {
	if !w.isReported {
		w.isReported = true
		if w.settings.Begun != nil {
			w.settings.Begun(w.out.Header().Clone())
		}
	}
	if len(events) > 0 && w.settings.Sent != nil {
		w.settings.Sent(events)
	}
}

// writeFirst writes and flushes the first events on another goroutine. Writing the header takes 3
// KB of stack in package http. Otherwise the stack of the stream's own goroutine would grow for it,
// and would stay large until the end.
func (w *Writer) writeFirst(events []byte) error {
	written := make(chan error)
	go func() {
		written <- recovered.Call(func() error {
			n, err := w.out.Write(events)
			w.size += int64(n)
			if err != nil {
				return err
			}
			return w.deadline.Flush()
		})
	}()
	return <-written
}

// flush sends what was written.
func (w *Writer) flush() error {
	if w.err == nil && w.isPending {
		w.isPending = false
		w.err = w.deadline.Flush()
	}
	return w.err
}

// begin sets the headers of a stream. From now on the timer triggers heartbeats.
func (w *Writer) begin() {
	if w.state != waiting {
		return
	}
	w.state, w.hasBegun = begun, true
	header := w.out.Header()
	if header["Content-Type"] == nil { // an answer that is passed on has its own
		header["Content-Type"] = contentType
	}
	header["Cache-Control"] = cacheControl
	header["X-Accel-Buffering"] = accelBuffering
	w.out.WriteHeader(http.StatusOK)
	w.timer.Stop()
	if w.settings.Every > 0 {
		w.timer.Reset(w.settings.Every)
	}
}

// The headers of a stream. They stop nginx and other proxies from buffering or compressing it.
var (
	contentType    = []string{"text/event-stream; charset=utf-8"}
	cacheControl   = []string{"no-cache, no-transform"}
	accelBuffering = []string{"no"}
)

// fire is the timer's function: it runs when the grace period expires, and after each silent
// interval. The timer is not reset with each event, so it may fire early. A panic here would end
// the process, so fire turns it into the end of the stream.
func (w *Writer) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == ended || w.err != nil {
		return
	}
	if err := recovered.Call(w.keepAlive); err != nil {
		w.err = err
	}
}

// sendHead begins the answer without an event.
func (w *Writer) sendHead() error {
	w.begin()
	w.report(nil)
	return w.deadline.Flush()
}

// keepAlive begins the answer, or writes a heartbeat if the answer was silent long enough.
func (w *Writer) keepAlive() error {
	if w.settings.Every <= 0 {
		return w.sendHead()
	}
	if silence := time.Since(w.last); w.state == begun && silence < w.settings.Every {
		w.timer.Reset(w.settings.Every - silence)
		return nil
	}
	w.buf = w.settings.Heartbeat(w.buf[:0])
	if err := w.write(w.buf); err != nil {
		return err
	}
	w.timer.Reset(w.settings.Every)
	return w.flush()
}
