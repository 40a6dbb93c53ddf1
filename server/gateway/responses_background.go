package gateway

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway/internal/background"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// The causes of context cancellation when a client ends a background response early.
var (
	errCanceled = errors.New("the response was cancelled")
	errDeleted  = errors.New("the response was deleted")
)

// maxBackground is the maximum number of background responses at a time. The events of each are in
// memory.
const maxBackground = 100

// keptTurn is a turn whose answer the gateway stores if the client asks for that.
type keptTurn interface {
	// InBackground reports whether the answer is made in the background. The other methods, except
	// Fell, are for such a turn.
	InBackground() bool
	// Fell is called with the problem of an answer that was not made in the background.
	Fell(p *problem.Problem)

	Base() *turn.Turn
	// Owner and DocumentID identify the answer in the store.
	Owner() responsestore.Owner
	DocumentID() string
	// Announce stores the answer before it is made, and returns it.
	Announce() ([]byte, error)
	// Forget deletes an answer that was announced but will not be made.
	Forget() error
	// Detach makes the answer a stream whose events are stored for clients that connect later.
	Detach()
	// Failed returns the events of a problem, or none if the stream has ended.
	Failed(p *problem.Problem) []byte
	// Keep stores the answer with its events. p is the problem that ended it, or nil.
	Keep(p *problem.Problem, isCanceled bool, events [][]byte) error
}

// startInBackground starts an answer that does not depend on the client's connection. It replies
// with the answer's current state or with its events.
func (c *call) startInBackground(kept keptTurn, stream keptStream) *problem.Problem {
	t := kept.Base()
	if p := c.askFor(t.Model()); p != nil {
		return p
	}
	if p := c.checkDetached(t); p != nil {
		return p
	}
	body, err := kept.Announce()
	if err != nil {
		return c.missing(err)
	}
	handedOver := make(chan struct{})
	inBackground := func(ctx context.Context, run *background.Run) {
		<-handedOver
		c.makeInBackground(ctx, run, kept)
	}
	run, err := c.runs.Start(c.request.Context(), kept.Owner(), kept.DocumentID(),
		c.backgroundShare(), inBackground)
	if err != nil {
		_ = kept.Forget() // otherwise it is found as a failed response
		return c.noRoomInBackground(err)
	}
	follows, writer, request, setup := t.Streams(), c.writer, c.request, c.setup
	c.end.Status = http.StatusOK
	if !follows {
		c.writeWhole(http.StatusOK, body)
	}
	c.detach(run)
	close(handedOver) // from here on the call is the run's
	if follows && setup.follow(writer, request, run, 0, stream) != nil {
		panic(http.ErrAbortHandler) // or the events so far look like all
	}
	return nil
}

// backgroundShare returns how many background responses one client may have. It is 0, no limit, if
// there is only one client.
func (c *call) backgroundShare() int {
	if c.callersKey || c.keys != nil && c.keys.Len() > 1 {
		return c.backgroundPerClient
	}
	return 0
}

// backgroundWait is the suggested wait if there is no room for a background request. A response
// takes seconds to minutes.
const backgroundWait = 10 * time.Second

// noRoomInBackground refuses a background response.
func (c *call) noRoomInBackground(err error) *problem.Problem {
	p := overloaded("this gateway is at its limit of background responses (" +
		strconv.Itoa(maxBackground) + ")")
	if errors.Is(err, background.ErrShare) {
		p.Message = "this client is at its limit of background responses (" +
			strconv.Itoa(c.backgroundPerClient) +
			", --background-per-client); wait for one or cancel one"
	}
	p.RetryAfter = backgroundWait
	return p
}

// checkDetached refuses at once what would fail later without the client: an input that cannot be
// converted, and a missing key.
func (c *call) checkDetached(t *turn.Turn) *problem.Problem {
	models, p := c.route(t.Model())
	if p != nil {
		return p
	}
	if _, p := c.ownAccount(); p != nil {
		return p
	}
	request, _, err := t.ToGemini(c.targetOf(models[0]))
	if err != nil {
		return c.failed(err)
	}
	return c.reserve(estimateOf(models[0], t.Streams(), request))
}

// detach makes the call outlive the request. The call keeps its resources until the run has ended.
func (c *call) detach(run *background.Run) {
	c.isDetached = true
	c.isAnswered = false
	c.setup.acquire() // which the request has, too
	c.writer = &eventLog{run: run, header: http.Header{}}
}

// makeInBackground produces an answer.
func (c *call) makeInBackground(ctx context.Context, run *background.Run, kept keptTurn) {
	defer c.setup.release()
	defer c.finish()
	c.request = c.request.WithContext(ctx)
	kept.Detach()
	p := c.generateDetached(kept.Base())
	if p != nil {
		c.note(p)
		// does nothing if the stream has already ended; it never returns an error
		_, _ = c.writer.Write(kept.Failed(p))
	}
	isCanceled := context.Cause(ctx) == errCanceled
	if err := kept.Keep(p, isCanceled, run.Events()); err != nil {
		c.storeFailed(err)
		_ = kept.Keep(p, isCanceled, [][]byte{}) // otherwise it is found as a failed response
	}
}

// generateDetached generates an answer without a connection that a panic could cut off.
func (c *call) generateDetached(t *turn.Turn) (p *problem.Problem) {
	defer func() {
		if recover() != nil { // which is logged already
			p = &problem.Problem{Status: http.StatusInternalServerError, Type: problem.TypeServer,
				Code: "internal_error", Message: "internal error"}
		}
	}()
	return c.recovered(func() *problem.Problem { return c.generate(t) })
}

// eventLog writes the events of a stream to a run.
type eventLog struct {
	run    *background.Run
	header http.Header
}

func (l *eventLog) Header() http.Header { return l.header }

func (l *eventLog) WriteHeader(int) {}

// Write accepts whole events. It does not store heartbeats, which are for connected clients.
func (l *eventLog) Write(events []byte) (int, error) {
	for event := range bytes.SplitSeq(events, []byte(eventtext.End)) {
		data := eventtext.Data(event)
		if bytes.HasPrefix(data, []byte("{")) {
			l.run.Append(bytes.Clone(data))
		}
	}
	return len(events), nil
}

// current returns the current state of a stored answer. state changes the stored JSON of an answer
// whose run is in progress, or whose run is nil because the gateway ended while it was.
func (c *call) current(kept *history.History, document *responsestore.Document,
	state func(stored []byte, run *background.Run) ([]byte, error)) ([]byte, error) {
	if !document.IsRunning {
		return document.JSON, nil
	}
	run := c.runs.Find(kept.Owner, document.ID)
	if run == nil {
		newest, err := kept.Store.Get(c.request.Context(), kept.Owner, document.ID)
		if err != nil {
			return nil, err
		}
		if !newest.IsRunning { // it has ended just now
			return newest.JSON, nil
		}
	}
	return state(document.JSON, run)
}

// responseState returns the state of a response that is not complete in the store. A response that
// was in progress when the gateway ended has failed.
func responseState(stored []byte, run *background.Run) ([]byte, error) {
	response, err := responses.DecodeResponse(stored)
	if err != nil {
		return nil, err
	}
	switch {
	case run == nil:
		response.Status = openaiapi.ResponseStatusFailed
		response.Error = &openaiapi.ResponseError{Code: openaiapi.ResponseErrorCodeServerError,
			Message: "the gateway stopped before the response was complete"}
	case len(run.Events()) > 0:
		response.Status = openaiapi.ResponseStatusInProgress
	}
	return responses.EncodeResponse(response)
}

// keptStream is how an API writes stored events.
type keptStream struct {
	// name returns the name of an event from its data.
	name func(data []byte) (string, error)
	// end is written after the last event.
	end string
}

// responseStream returns how the Responses API writes stored events.
func (s *setup) responseStream() keptStream {
	out := keptStream{name: responseEventName}
	if s.doneMark {
		out.end = eventtext.DoneMark
	}
	return out
}

func responseEventName(data []byte) (string, error) {
	event, err := responses.DecodeEvent(data)
	if err != nil {
		return "", err
	}
	return string(event.Type), nil
}

// followResponse sends the events of a response after a given one, as they arrive.
func (c *call) followResponse(kept *history.History, id string, after *int) *problem.Problem {
	from := 0
	if after != nil {
		from = max(*after+1, 0)
	}
	stream := c.responseStream()
	if run := c.runs.Find(kept.Owner, id); run != nil {
		return c.followRun(run, from, stream)
	}
	events, _, err := kept.Store.Entries(c.request.Context(), kept.Owner, id, responsestore.Events,
		responsestore.Page{After: from})
	if err != nil {
		return c.notFound(err, "response", id)
	}
	if first, _, err := kept.Store.Entries(c.request.Context(), kept.Owner, id,
		responsestore.Events, responsestore.Page{Limit: 1}); err != nil || len(first) == 0 {
		return problem.Invalid("", "/stream",
			"stream: only a background response has a stream to continue")
	}
	return c.replay(entryData(events), stream)
}

// entryData returns the JSON of entries.
func entryData(entries []responsestore.Entry) [][]byte {
	out := make([][]byte, len(entries))
	for i := range entries {
		out[i] = entries[i].JSON
	}
	return out
}

// followRun sends the events of a run from a given one, as they arrive.
func (c *call) followRun(run *background.Run, from int, stream keptStream) *problem.Problem {
	c.isAnswered, c.end.Status, c.end.Stream = true, http.StatusOK, true
	if err := c.setup.follow(c.writer, c.request, run, from, stream); err != nil {
		return c.cutOff(c.leftProblem(err))
	}
	return nil
}

// replay sends stored events.
func (c *call) replay(events [][]byte, stream keptStream) *problem.Problem {
	c.isAnswered, c.end.Status, c.end.Stream = true, http.StatusOK, true
	out := c.setup.eventWriter(c.writer)
	defer out.Stop()
	if err := out.Begin(); err != nil {
		return c.leftProblem(err)
	}
	for _, event := range events {
		if err := stream.send(out, event); err != nil {
			return c.leftProblem(err)
		}
	}
	if err := stream.sendEnd(out); err != nil {
		return c.leftProblem(err)
	}
	return nil
}

// lastEvents is how long a stream waits for the last events of a response after the gateway is
// closed.
const lastEvents = 5 * time.Second

// follow writes the events of a run from a given one until the run ends or the client disconnects.
// When the gateway is closed the run ends too, and its last events give the reason.
func (s *setup) follow(w http.ResponseWriter, r *http.Request, run *background.Run, from int,
	stream keptStream) error {
	out := s.eventWriter(w)
	defer out.Stop()
	if err := out.Begin(); err != nil {
		return err
	}
	sent, err := stream.sendRun(r.Context(), out, run, from)
	if err != nil && context.Cause(r.Context()) == errEnding {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), lastEvents)
		defer cancel()
		_, err = stream.sendRun(ctx, out, run, from+sent)
	}
	if err != nil {
		return err
	}
	return stream.sendEnd(out)
}

// sendRun writes the events of a run from a given one until the run ends. It returns the number of
// events that it has written.
func (s keptStream) sendRun(ctx context.Context, out *eventwriter.Writer, run *background.Run,
	from int) (sent int, err error) {
	for event, err := range run.Follow(ctx, from) {
		if err != nil {
			return sent, err
		}
		if err := s.send(out, event); err != nil {
			return sent, err
		}
		sent++
	}
	return sent, nil
}

// sendEnd ends a stream of stored events.
func (s keptStream) sendEnd(out *eventwriter.Writer) error {
	if s.end == "" {
		return nil
	}
	if err := out.Add([]byte(s.end)); err != nil {
		return err
	}
	return out.Flush()
}

// eventWriter returns a writer for the events of a response that is complete or runs in the
// background.
func (s *setup) eventWriter(w http.ResponseWriter) *eventwriter.Writer {
	settings := eventwriter.Settings{Every: s.every, WriteTimeout: s.writeTimeout,
		Heartbeat: eventtext.AppendComment}
	if s.heartbeat == HeartbeatOff {
		settings.Every = 0
	}
	return eventwriter.Start(w, settings)
}

// send writes an event whose data is stored.
func (s keptStream) send(out *eventwriter.Writer, data []byte) error {
	name, err := s.name(data)
	if err != nil {
		return err
	}
	text := append(append(eventtext.AppendName(nil, name), data...), eventtext.End...)
	if err := out.Add(text); err != nil {
		return err
	}
	return out.Flush()
}
