package socket

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Settings are the limits of a connection.
type Settings struct {
	// Ping is the interval of pings. PongWait is how long a peer may be silent after a ping.
	Ping, PongWait time.Duration
	// Age is how long the connection may last. Then Old is called, and the connection is drained
	// with the result.
	Age time.Duration
	Old func() *Close
	// WriteTimeout is how long the peer may accept no bytes.
	WriteTimeout time.Duration
	// DiscardLimit is the maximum size of the rest of a message that the receiving function has not
	// read. A larger rest closes the connection.
	DiscardLimit int64
}

// Conn is a connection. [Accept] makes it.
type Conn struct {
	ws       *websocket.Conn
	wire     *wire
	settings Settings
	lanes    lanes

	mu     sync.Mutex
	why    *Close             // nil until the connection is drained
	cancel context.CancelFunc // of the work, nil before Serve
	isOver bool               // the reader has ended
	begun  time.Time
	timer  *time.Timer // of tick
}

// Accept makes a connection of a request that [Check] accepts. It answers the request. The error
// says that the network connection is not usable.
func Accept(w http.ResponseWriter, r *http.Request, settings Settings) (*Conn, error) {
	taken := &hijacking{ResponseWriter: w, writeTimeout: settings.WriteTimeout}
	ws, err := websocket.Accept(taken, r,
		&websocket.AcceptOptions{InsecureSkipVerify: true}) // the caller has checked the origin
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(-1) // the function that receives a message has its own limit
	return &Conn{ws: ws, wire: taken.wire, settings: settings}, nil
}

// Serve passes each message to receive until the connection ends. It returns when all work has
// ended. If receive returns a *[Close], the connection closes with it. receive must not keep the
// message. ctx is the parent of the context of the work, which ends with the connection.
func (c *Conn) Serve(ctx context.Context,
	receive func(ctx context.Context, m *Message) error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.begin(cancel)
	err := c.read(ctx, receive)
	cancel()
	c.end(err)
	c.lanes.wait()
}

// begin starts the timer.
func (c *Conn) begin(cancel context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel, c.begun = cancel, time.Now()
	c.timer = time.AfterFunc(min(c.settings.Ping, c.settings.Age), c.tick)
}

// tick is the function of the timer. It drains an old connection, or checks that the peer is alive.
func (c *Conn) tick() {
	if time.Since(c.begun) >= c.settings.Age {
		c.Drain(c.settings.Old())
	} else if !c.ping() {
		c.abandon()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isOver {
		return
	}
	next := c.settings.Ping
	if rest := c.settings.Age - time.Since(c.begun); rest > 0 {
		next = min(next, rest)
	}
	c.timer.Reset(next)
}

// ping reports whether the peer is alive. Bytes of a long message count too, because the pong comes
// after them.
func (c *Conn) ping() bool {
	begun := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), c.settings.PongWait)
	defer cancel()
	return c.ws.Ping(ctx) == nil || c.wire.hasReadSince(begun)
}

// read reads messages until the connection ends, and returns why it ends.
func (c *Conn) read(ctx context.Context,
	receive func(ctx context.Context, m *Message) error) error {
	for {
		kind, reader, err := c.ws.Reader(context.Background()) // which wake ends
		if err != nil {
			return err
		}
		if kind != websocket.MessageText {
			return &Close{Code: CodeUnsupported, Reason: "only text messages are accepted"}
		}
		if err := c.receive(ctx, &Message{wire: c.wire, reader: reader}, receive); err != nil {
			return err
		}
	}
}

// receive passes on a message. Meanwhile the connection is not idle.
func (c *Conn) receive(ctx context.Context, m *Message,
	receive func(ctx context.Context, m *Message) error) error {
	c.lanes.begin()
	defer c.lanes.done()
	if err := receive(ctx, m); err != nil {
		return err
	}
	return m.discard(c.settings.DiscardLimit)
}

// end closes the connection.
func (c *Conn) end(err error) {
	c.mu.Lock()
	c.isOver = true
	c.timer.Stop()
	why := c.why
	c.mu.Unlock()
	fault, isGone := c.wire.state()
	asked, isAsked := errors.AsType[*Close](err)
	switch {
	case isAsked:
		why = asked
	case isGone, websocket.CloseStatus(err) != -1:
		_ = c.ws.CloseNow() // the peer has closed, or is gone
		return
	case fault != nil:
		why, _ = errors.AsType[*Close](fault)
	case why == nil || !errors.Is(err, errWoken):
		why = &Close{Code: CodeProtocol, Reason: "the frames are not valid"}
	}
	if why.Last != nil {
		_ = c.Send(why.Last)
	}
	c.wire.settle()
	_ = c.ws.Close(websocket.StatusCode(why.Code), why.Reason)
}

// Send sends a message. After an error the connection ends.
func (c *Conn) Send(message []byte) error {
	err := c.ws.Write(context.Background(), websocket.MessageText, message)
	if err != nil {
		c.abandon()
	}
	return err
}

// abandon ends a connection whose peer is gone, and its work.
func (c *Conn) abandon() {
	c.mu.Lock()
	if c.cancel != nil {
		c.cancel()
	}
	c.mu.Unlock()
	_ = c.wire.Conn.Close() // the reader notices
}

// Go does work in a lane, after all work that the lane already has. The lane "" is the default. The
// work must end when the context of Serve ends. 16 lanes work at a time, a connection has 32 named
// lanes, and 64 pieces of work wait; the errors are [ErrLanes] and [ErrWaiting].
func (c *Conn) Go(lane string, work func()) error { return c.lanes.add(lane, work) }

// Drain closes the connection as soon as no work is in flight. The first reason wins. Meanwhile
// [Conn.Draining] returns it.
func (c *Conn) Drain(why *Close) {
	c.mu.Lock()
	if c.why == nil {
		c.why = why
	}
	c.mu.Unlock()
	c.lanes.whenIdle(c.wire.wake)
}

// Draining returns why the connection closes soon, or nil.
func (c *Conn) Draining() *Close {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}
