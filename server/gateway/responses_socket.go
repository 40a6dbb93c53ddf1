package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/intake"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/responseframe"
	"github.com/gemwire/gemwire/server/gateway/internal/socket"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
)

// responseSocket is a connection on which a client requests responses. Each response.create is
// served like a POST request with the headers of the upgrade.
type responseSocket struct {
	*sockets
	conn   *socket.Conn
	seat   *socket.Seat
	form   *transform.Form
	client string // whose shares the messages use
	memory *response.Connection

	path, host, remoteAddr string
	header                 http.Header

	refused refusals
}

// newResponseSocket returns the connection that the request has become.
func (c *call) newResponseSocket(f *transform.Form, conn *socket.Conn,
	seat *socket.Seat) *responseSocket {
	header := c.request.Header.Clone()
	for _, name := range []string{"Connection", "Sec-Websocket-Key", "Sec-Websocket-Version",
		"Sec-Websocket-Extensions", "Sec-Websocket-Protocol"} {
		header.Del(name)
	}
	header.Set("Content-Type", "application/json")
	return &responseSocket{sockets: c.setup.sockets, conn: conn, seat: seat, form: f,
		client: c.terms.Client, memory: c.setup.sockets.memory.Connect(), path: c.request.URL.Path,
		host: c.request.Host, remoteAddr: c.request.RemoteAddr, header: header}
}

// serve serves the connection until it ends.
func (rs *responseSocket) serve(ctx context.Context) {
	defer rs.seat.Leave()
	defer rs.memory.Close()
	ctx, cancel := rs.handler.withEnding(ctx)
	defer cancel()
	rs.seat.Hold(rs.conn)
	rs.conn.Serve(ctx, func(ctx context.Context, m *socket.Message) error {
		return rs.guarded(func() error { return rs.receive(ctx, m) })
	})
}

// guarded returns the error of a function. A panic is logged and ends the connection, as it would
// end an HTTP connection.
func (rs *responseSocket) guarded(f func() error) error {
	err := recovered.Call(f)
	fault, isPanic := errors.AsType[*recovered.PanicError](err)
	if !isPanic {
		return err
	}
	if logger := rs.handler.current.Load().logger; logger != nil &&
		fault.Value != http.ErrAbortHandler { // after which the reason is known
		logger.Error("a WebSocket panicked", "panic", fault.Error(), "stack", string(fault.Stack))
	}
	return &socket.Close{Code: socket.CodeInternal, Reason: "internal error"}
}

// maxRefused is the number of messages without a request that a client may send in a row.
const maxRefused = 100

// refusals counts messages without a request since the last request.
type refusals int

// receive reads a message and acts on it.
func (rs *responseSocket) receive(ctx context.Context, m *socket.Message) error {
	body, err := rs.read(ctx, m)
	if err != nil {
		return rs.refuseMessage(ctx, body, err)
	}
	event, err := responseframe.Parse(body.Data)
	if refused, ok := errors.AsType[*responseframe.Refusal](err); ok {
		body.Release()
		return rs.answer(responseframe.Refused(refused))
	}
	if event.Type != responseframe.TypeCreate {
		defer body.Release()
		return rs.answer(otherAnswer(event))
	}
	if p := rs.refusalOf(event); p != nil {
		body.Release()
		return rs.answer(frameOf(p, event.Lane))
	}
	body.Data, event.Body = event.Body, nil
	err = rs.conn.Go(event.Lane, func() { rs.work(ctx, event, body) })
	switch {
	case errors.Is(err, socket.ErrLanes):
		body.Release()
		return rs.answer(frameOf(errLanes(), event.Lane))
	case err != nil:
		body.Release()
		return &socket.Close{Code: socket.CodePolicy, Reason: "too many requests wait"}
	}
	rs.refused = 0
	return nil
}

// read reads a message with the limits of a request body.
func (rs *responseSocket) read(ctx context.Context, m *socket.Message) (*intake.Body, error) {
	s := rs.handler.acquire()
	defer s.release()
	terms := s.terms()
	terms.Client = rs.client
	request := (&http.Request{Body: m, ContentLength: -1}).WithContext(ctx)
	return s.gate.Read(messagePace{m}, request, terms)
}

// messagePace lets a body reader set the deadlines of a message.
type messagePace struct{ *socket.Message }

func (messagePace) Header() http.Header       { return http.Header{} }
func (messagePace) WriteHeader(int)           {}
func (messagePace) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

// refuseMessage answers a message that was not read. The connection stays open only if the gateway
// lacked memory.
func (rs *responseSocket) refuseMessage(ctx context.Context, body *intake.Body, err error) error {
	why := &socket.Close{Code: socket.CodePolicy, Reason: "the message did not arrive in time"}
	switch {
	case errors.Is(err, intake.ErrFull):
		why = nil
	case errors.Is(err, intake.ErrTooLarge):
		why = &socket.Close{Code: socket.CodeTooBig, Reason: "the message is too large"}
	case !errors.Is(err, intake.ErrSlow): // the connection has failed
		body.Release()
		return err
	}
	body.Data = nil
	if err := rs.turn(ctx, &responseframe.Event{}, body, err); err != nil {
		return err
	}
	if why != nil {
		return why
	}
	return rs.answer(nil)
}

// answer sends a frame about a message that is no request, or nothing if it is nil. It ends a
// connection that sends no requests.
func (rs *responseSocket) answer(frame []byte) error {
	if rs.refused++; rs.refused > maxRefused {
		return &socket.Close{Code: socket.CodePolicy, Reason: "too many messages without a request"}
	}
	if frame == nil {
		return nil
	}
	return rs.conn.Send(frame)
}

// otherAnswer returns the answer to an event that asks for no response, or nil.
func otherAnswer(event *responseframe.Event) []byte {
	switch event.Type {
	case responseframe.TypeSteer:
		return responseframe.NotSteered(event, history.NewID("steer_"))
	case responseframe.TypeInject:
		return responseframe.NotInjected(event)
	default: // a receipt
		return nil
	}
}

// refusalOf returns the reason why a request is refused before it waits for its turn, or nil.
func (rs *responseSocket) refusalOf(event *responseframe.Event) *problem.Problem {
	if event.IsBackground {
		return problem.Invalid("unsupported_parameter", "/background",
			"/background: not possible on a WebSocket; send a POST request")
	}
	switch why := rs.conn.Draining(); {
	case why == nil:
		return nil
	case why == closeGoingAway:
		return problem.Closing()
	default:
		return errClosing(why.Reason)
	}
}

// errClosing refuses requests on a connection that is about to close. codex connects again after
// the code, whatever the status.
func errClosing(reason string) *problem.Problem {
	return problem.Invalid("websocket_connection_limit_reached", "",
		reason+"; open a new connection")
}

// errLanes refuses one more lane.
func errLanes() *problem.Problem {
	return problem.Invalid("websocket_stream_limit_reached", "/stream_id",
		fmt.Sprintf("/stream_id: the connection has %d named streams, which is the limit; use one of them",
			socket.MaxNamed))
}

// closeOld ends a connection that has lasted too long.
func closeOld() *socket.Close {
	reason := fmt.Sprintf("the connection has reached its limit of %.0f minutes", socketAge.Minutes())
	return &socket.Close{Code: socket.CodeGoingAway, Reason: reason,
		Last: frameOf(errClosing(reason), "")}
}

// frameOf returns the frame of a problem that no request has.
func frameOf(p *problem.Problem, lane string) []byte {
	header := http.Header{}
	p.SetHeaders(header)
	return responseframe.Error(openAIForm.statusOf(p), header,
		openAIForm.appendProblem(nil, p, ""), lane)
}

// work answers a request in its lane.
func (rs *responseSocket) work(ctx context.Context, event *responseframe.Event,
	body *intake.Body) {
	err := rs.guarded(func() error { return rs.turn(ctx, event, body, nil) })
	if why, ok := errors.AsType[*socket.Close](err); ok {
		rs.conn.Drain(why)
	}
}

// turn answers a request. unread is why its body was not read, or nil. The error is a
// *[socket.Close] if the connection must not be used further.
func (rs *responseSocket) turn(ctx context.Context, event *responseframe.Event,
	body *intake.Body, unread error) error {
	defer body.Release()
	ctx, cancel := context.WithCancel(ctx) // the connection's context lasts longer than the turn
	defer cancel()
	s := rs.handler.acquire()
	defer s.release()
	lane := rs.memory.Begin(event.Lane, event.PreviousResponseID)
	defer lane.End()
	out := responseframe.NewWriter(rs.conn.Send, event.Lane)
	form := formOf(rs.form, rs.form.Name)
	c := s.newCall(out, rs.request(ctx, int64(len(body.Data))), &form)
	c.received, c.unread, c.lane = body, unread, lane
	c.serve(func(c *call) *problem.Problem {
		switch {
		case rs.handler.closing.Load():
			return problem.Closing()
		case event.IsWarmUp:
			return c.warmUp(rs.form)
		default:
			return c.answerForm(rs.form)
		}
	})
	if err := out.Close(); err != nil {
		return err
	}
	if out.Status() == http.StatusUnauthorized {
		return &socket.Close{Code: socket.CodePolicy, Reason: "the API key is not valid"}
	}
	return nil
}

// request returns the request as a client would send it by POST.
func (rs *responseSocket) request(ctx context.Context, size int64) *http.Request {
	request := &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: rs.path}, RequestURI: rs.path, Host: rs.host,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: rs.header.Clone(),
		RemoteAddr: rs.remoteAddr, Body: http.NoBody, ContentLength: size,
	}
	return request.WithContext(ctx)
}
