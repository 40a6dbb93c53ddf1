package gateway

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/intake"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/recording"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
	"github.com/gemwire/gemwire/server/ratecard"
)

// call is one request of a client while the gateway serves it.
type call struct {
	*setup
	form    *form
	writer  http.ResponseWriter
	request *http.Request
	id      string
	start   time.Time

	// Results of the steps.
	key        *clientkey.Key // nil where clients have none
	clientName string         // of the key
	wanted     turn.Conversion
	body       []byte
	terms      intake.Terms      // by which the request is let in
	line       *intake.Line      // in which it waits for its turn
	room       *intake.Body      // that the body takes
	upload     *intake.PacedBody // that passes on as it comes, nil for none
	bodyLeft   bool              // the body is not read yet
	// the gateway stopped waiting for the client; the context ends as if the client had
	// disconnected
	isStalled bool
	atEnd     []func() // what the steps hold
	// listed are the models that the upstream has listed, if it was asked.
	listed map[string]modellist.Listed
	onward onward // to a server of another API

	// received is the body of a request that came by a WebSocket, unread is why it was not read,
	// and lane is its lane. They are nil for other requests.
	received *intake.Body
	unread   error
	lane     *response.Lane
	// compacts reports that the client asks for a shortened conversation and not for a response.
	compacts bool
	// streamed writes the answer if that is a stream. The answer may begin at any time.
	streamed *eventwriter.Writer

	// inProcess is the program's own request. It is nil for a request by HTTP.
	inProcess *Request
	// conversion is not nil for a call that converts and calls no model.
	conversion *conversion
	tries      tries
	earlier    []earlier        // answers before the one for the client
	isIdle     bool             // after an earlier answer, until the next attempt
	hasTokens  bool             // of the answer for the client
	costs      []*ratecard.Cost // of all answers with a price
	spending   spending         // that budgets limit
	refusal    *problem.Problem // that was written, nil for none

	recorders  recording.Recorders
	end        exchange.End
	isAnswered bool // the header is written
	isDetached bool // the call continues after its request
}

// serve serves one request: it runs the common steps and then calls answer. The form writes a
// problem that they return, unless the answer has begun.
func (s *setup) serve(w http.ResponseWriter, r *http.Request, f *form,
	answer func(*call) *problem.Problem) {
	s.newCall(w, r, f).serve(answer)
}

// newCall returns a call that has not begun.
func (s *setup) newCall(w http.ResponseWriter, r *http.Request, f *form) *call {
	c := &call{setup: s, form: f, writer: w, request: r, start: s.now(), id: s.requestIDs(),
		terms: s.terms(), bodyLeft: true}
	c.recorders.Secrets.Request, c.recorders.Secrets.IsChecked = r, s.keys != nil || s.callersKey
	c.recorders.Secrets.Own = s.ownSecrets
	w.Header()[f.idHeader] = []string{c.id}
	return c
}

// serve runs the steps, answers and ends the call.
func (c *call) serve(answer func(*call) *problem.Problem) {
	defer func() {
		if !c.isDetached { // or it continues in the background
			c.finish()
		}
	}()
	if p := c.run(answer); p != nil {
		c.refuse(p)
	}
}

// steps run in order for each request before its form decodes it. A step releases its resources
// with atEnd.
var steps = [...]func(*call) *problem.Problem{
	(*call).guard,
	(*call).identify,
	(*call).observe,
	(*call).admit,
	(*call).readConversion,
	(*call).readBody,
	(*call).enter,
}

// run runs the steps and then answers the request.
func (c *call) run(answer func(*call) *problem.Problem) *problem.Problem {
	return c.recovered(func() *problem.Problem {
		for _, step := range steps {
			if p := step(c); p != nil {
				return p
			}
		}
		c.bodyLeft = false
		return answer(c)
	})
}

// recovered returns the result of f. A panic becomes a problem of this request only.
func (c *call) recovered(f func() *problem.Problem) (p *problem.Problem) {
	defer func() {
		if reason := recover(); reason != nil {
			p = c.panicked(reason)
		}
	}()
	return f()
}

// finish frees the resources of the steps and reports the end.
func (c *call) finish() {
	for i := len(c.atEnd); i > 0; i-- {
		c.atEnd[i-1]()
	}
	c.end.Duration = c.now().Sub(c.start)
	c.recorders.End(c.end)
}

// writeWhole writes an answer with one body. It is JSON unless the header is already set otherwise.
func (c *call) writeWhole(status int, body []byte) {
	c.isAnswered, c.end.Status = true, status
	header := c.writer.Header()
	if header["Content-Type"] == nil {
		header["Content-Type"] = contentTypeJSON
	}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	if name := c.form.timeHeader; name != "" {
		header[name] = []string{strconv.FormatInt(c.now().Sub(c.start).Milliseconds(), 10)}
	}
	c.writer.WriteHeader(status)
	if err := c.writePieces(body); err != nil {
		c.end.Canceled = true // the client has left, or takes no bytes
	}
	if c.recorders.WantsBodies() {
		c.recorders.Response(exchange.Client,
			exchange.Response{Status: status, Header: header, Body: body})
	}
}

// pieceSize is the number of bytes of a whole answer that are written at a time. The write timeout
// applies to each piece.
const pieceSize = 64 << 10

// writePieces writes a body to a client that has to accept each piece in time.
func (c *call) writePieces(body []byte) error {
	deadline := eventwriter.NewDeadline(c.writer, c.writeTimeout)
	for piece := range slices.Chunk(body, pieceSize) {
		deadline.Extend()
		n, err := c.writer.Write(piece)
		c.end.BytesOut += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

var contentTypeJSON = []string{"application/json"}

// refuse writes a problem if nothing has been written yet.
func (c *call) refuse(p *problem.Problem) {
	p.Shorten()
	c.note(p)
	if c.isAnswered {
		return
	}
	if c.hasLeft() && !c.isStalled && !p.IsOfBody() {
		c.end.Canceled = true
		p = problem.ClientLeft() // package http would answer 200 with an empty body
		c.refusal = p
	}
	c.drain()
	p.SetHeaders(c.writer.Header())
	c.writeWhole(c.form.statusOf(p), c.form.appendProblem(nil, p, c.id))
}

// note records a problem for the final report.
func (c *call) note(p *problem.Problem) {
	c.beginRecording() // of a request that was refused before
	c.blank(p)
	c.refusal = p
	c.end.ErrorType, c.end.ErrorCode, c.end.ErrorMessage = p.Type, p.Code, p.Message
}

// blank removes the secrets of the request from a problem's text.
func (c *call) blank(p *problem.Problem) {
	secrets := &c.recorders.Secrets
	p.Message, p.Param, p.Code = secrets.Text(p.Message), secrets.Name(p.Param),
		secrets.Name(p.Code)
}

// randomRequestID returns a unique id.
func randomRequestID() string {
	const prefix = "req_"
	var bits [16]byte
	_, _ = rand.Read(bits[:]) // it never fails
	id := make([]byte, len(prefix)+hex.EncodedLen(len(bits)))
	copy(id, prefix)
	hex.Encode(id[len(prefix):], bits[:])
	return string(id)
}

// observe reports a new request to the observers.
func (c *call) observe() *problem.Problem {
	c.beginRecording()
	return nil
}

// beginRecording asks the observers to record the request, once.
func (c *call) beginRecording() {
	c.recorders.IsBetween = c.upstream.Service == OpenAI
	if !c.convertsOnly() {
		c.recorders.Begin(c.observers, c.begun)
	}
}

// begun returns what observers receive when a request begins.
func (c *call) begun() exchange.Start {
	start := exchange.Start{
		ID: c.id, At: c.start, Form: c.form.name, Method: c.request.Method,
		Path:       c.request.URL.Path,
		ClientName: c.clientName, UserAgent: c.request.UserAgent(),
		RemoteAddr: c.request.RemoteAddr, Mark: exchange.MarkOf(c.request.Context()),
	}
	if c.inProcess != nil {
		start.Job, start.Line = c.inProcess.Job, c.inProcess.Line
		start.ClientName = cmp.Or(start.ClientName, c.inProcess.Client)
	}
	start.Session, start.Agent, start.ParentAgent = exchange.AgentOf(c.request.Header)
	start.ClientRetry, _ = strconv.Atoi(c.request.Header.Get("X-Stainless-Retry-Count"))
	return start
}

// observeRequest reports the client's request to observers that record bodies.
func (c *call) observeRequest() {
	if !c.recorders.WantsBodies() {
		return
	}
	c.recorders.Request(exchange.Client, exchange.Request{
		Method: c.request.Method, URL: secret.WithoutKey(c.request.URL), Header: c.request.Header,
		Body: c.body,
	})
}
