package generator

import (
	"bufio"
	"errors"
	"net"
	"sync/atomic"
	"time"
)

// connection sends one request at a time. What it measures is its own until the end of the run.
type connection struct {
	Result
	run   *run
	conn  net.Conn
	in    *bufio.Reader
	lines *bufio.Reader // of a body
	wake  chan struct{} // a request was sent
	due   atomic.Int64  // of the request in flight, since the start
	sent  atomic.Int64
	index atomic.Int64
	err   error // of sending, set before wake
}

// dial opens the connection. All reads and writes end with the limit of the run.
func (c *connection) dial() error {
	conn, err := net.DialTimeout("tcp", c.run.Address, 10*time.Second)
	if err != nil {
		return err
	}
	c.conn = conn
	if c.in == nil {
		c.in, c.lines = bufio.NewReader(nil), bufio.NewReader(nil)
		c.Statuses = map[int]int{}
	}
	c.in.Reset(conn)
	return conn.SetDeadline(time.Now().Add(c.run.Limit))
}

func (c *connection) close() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
}

// work receives answers until the run is over.
func (c *connection) work() {
	if c.run.Rate > 0 {
		c.answerDispatched()
		return
	}
	for {
		i := int(c.run.next.Add(1)) - 1
		since := time.Since(c.run.start)
		if i >= c.run.Count || (c.run.Span > 0 && since > c.run.Span) {
			return
		}
		c.send(since, i)
		<-c.wake
		if !c.finish() {
			return
		}
	}
}

// answerDispatched receives the answers to what the dispatcher sends.
func (c *connection) answerDispatched() {
	for {
		c.run.free <- c // it has room for all
		select {
		case <-c.wake:
		case <-c.run.done:
			select {
			case <-c.wake: // was sent just before
				c.finish()
			default:
			}
			return
		}
		if !c.finish() {
			return
		}
	}
}

// send sends the request of a number.
func (c *connection) send(due time.Duration, index int) {
	c.due.Store(int64(due))
	c.index.Store(int64(index))
	c.sent.Store(int64(time.Since(c.run.start)))
	_, c.err = c.conn.Write(c.request().bytes)
	c.wake <- struct{}{}
}

func (c *connection) request() *Request {
	return &c.run.Requests[int(c.index.Load())%len(c.run.Requests)]
}

// finish receives an answer, and opens another connection where this one is of no more use. It
// reports whether there is one.
func (c *connection) finish() bool {
	isReusable, err := c.receive()
	if err != nil {
		c.Failures++
		c.Errors = append(c.Errors, err)
	}
	if isReusable && err == nil {
		return true
	}
	c.close()
	if err := c.dial(); err != nil {
		c.Errors = append(c.Errors, err)
		return false
	}
	return true
}

var errLeft = errors.New("left on purpose")

// receive reads an answer and notes what it was.
func (c *connection) receive() (isReusable bool, err error) {
	if c.err != nil {
		return false, c.err
	}
	request := c.request()
	h, err := readHead(c.in)
	if err != nil {
		return false, err
	}
	sequence := sequence{leave: request.leave, start: c.run.start}
	err = sequence.read(c.in, c.lines, h)
	if errors.Is(err, errLeft) {
		c.Left++
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c.Statuses[h.status]++
	if h.status == 200 {
		due := time.Duration(c.due.Load())
		c.Late = append(c.Late, time.Duration(c.sent.Load())-due)
		c.First = append(c.First, sequence.first-due)
		c.Latency = append(c.Latency, time.Since(c.run.start)-due)
		c.Marks += sequence.came
		c.Lost += max(request.marks-sequence.next, 0) + sequence.lost
		c.Misplaced += sequence.misplaced
	}
	return !h.closes, nil
}
