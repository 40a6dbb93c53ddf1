package gemini

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"slices"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Stream creates an interaction and yields its events as they arrive. Each loop over the result
// sends the request. An error is the last pair, with a nil event. Breaking out of the loop ends the
// call.
//
// If the stream of a stored interaction breaks, also at Google's limit of 600 seconds, the client
// reads the rest. If the events have ids, it reads those after the last one. Otherwise the server
// sends all events again: a second interaction.created says so, and an [interactions.Accumulator]
// begins again. The client does so at most three times in a row without a new event.
//
// If the server sends a long answer in several streams, the client joins them into one: see
// [WithContinuation] and [interactions.Join]. The indexes of steps continue, and the last event has
// the sum of the tokens.
// The status requires_continuation is only yielded if the client stops before the end.
func (i Interactions) Stream(ctx context.Context, req *interactionsapi.CreateInteractionRequest,
	opts ...CallOption) iter.Seq2[*interactionsapi.StreamEvent, error] {
	return func(yield func(*interactionsapi.StreamEvent, error) bool) {
		s, err := i.settings(opts)
		if err != nil {
			yield(nil, err)
			return
		}
		own, err := s.interactionRequest(req, true)
		if err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := s.limit(ctx)
		defer cancel()
		run := &interactionStream{settings: s, request: own, yield: yield,
			isStored: own.Store == nil || *own.Store, sent: jsonx.Deref(own.ContinuationToken)}
		run.run(ctx)
	}
}

// Events yields the events of a stored interaction: those after the event with an id, or all events
// for "". It ends with the interaction, which may still be running. Breaks are handled as in
// [Interactions.Stream].
func (i Interactions) Events(ctx context.Context, id, lastEventID string,
	opts ...CallOption) iter.Seq2[*interactionsapi.StreamEvent, error] {
	return func(yield func(*interactionsapi.StreamEvent, error) bool) {
		s, err := i.settings(opts)
		if err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := s.limit(ctx)
		defer cancel()
		run := &interactionStream{settings: s, yield: yield, isStored: true, id: id,
			lastEvent: lastEventID, isResuming: true}
		run.run(ctx)
	}
}

// interactionStream is an interaction that comes in one stream or several:
//
//	stream ends with                 next
//	requires_continuation, a token   a request with the token
//	another interaction.completed    the end
//	a break of a stored interaction  the events after the last one
//	a break after a checkpoint       a request with the token of the checkpoint
//	anything else                    the end, with the error
type interactionStream struct {
	settings *settings
	request  *interactionsapi.CreateInteractionRequest // nil for a stored interaction
	yield    func(*interactionsapi.StreamEvent, error) bool
	isStored bool

	id         string                       // of the interaction
	lastEvent  string                       // id of the last event, or ""
	usage      *interactionsapi.Usage       // of the streams that were continued
	begun      *interactionsapi.Interaction // the end of the first stream, if it was continued
	joined     joinedSteps
	streams    int    // number of requests
	sent       string // the token of the request
	checkpoint string // a token after which no step event came, or ""
	reconnects int    // in a row without a new event
	isResuming bool   // the next request reads the stored interaction

	part interactionPart
}

// interactionPart is the state of the stream that is read.
type interactionPart struct {
	isLeft    bool // the caller left the loop
	hasEvents bool
	isDone    bool
	token     string // that continues the interaction
	err       error
}

// run yields the events of all streams.
func (r *interactionStream) run(ctx context.Context) {
	for {
		r.part = interactionPart{}
		r.streams++
		op, err := r.operation()
		if err != nil {
			r.yield(nil, err)
			return
		}
		r.read(ctx, op)
		switch {
		case r.part.isLeft:
			return
		case r.part.isDone:
			r.deliverAll(r.joined.release())
			return
		case !r.goesOn(ctx):
			if r.deliverAll(r.joined.release()) && r.part.err != nil {
				r.yield(nil, r.part.err)
			}
			return
		}
	}
}

// operation returns the operation of the next stream.
func (r *interactionStream) operation() (*operation, error) {
	s := r.settings
	if !r.isResuming {
		return s.creation(r.request, "streamInteraction")
	}
	op, err := s.interaction("resumeInteraction", http.MethodGet, r.id)
	if err != nil {
		return nil, err
	}
	op.query = append(op.query, pair{"stream", "true"})
	if r.lastEvent != "" {
		op.query = append(op.query, pair{"last_event_id", r.lastEvent})
	}
	return op, nil
}

// goesOn reports whether another stream follows, and prepares it.
func (r *interactionStream) goesOn(ctx context.Context) bool {
	if token := r.part.token; token != "" && r.part.err == nil {
		r.joined.next()
		r.sent, r.checkpoint = token, ""
		r.request = continuedInteraction(r.request, r.id, token)
		r.id, r.lastEvent, r.reconnects, r.isResuming = "", "", 0, false
		return true
	}
	if r.part.err == nil || ctx.Err() != nil || !mayResume(r.part.err, r.part.hasEvents) {
		return false
	}
	if r.part.hasEvents {
		r.reconnects = 0
	}
	if r.reconnects++; r.reconnects > maxReconnects {
		return false
	}
	switch {
	case r.isStored && r.id != "" && (r.lastEvent != "" || !r.joined.isLater):
		r.isResuming = true
		return true
	case r.isResuming:
	case r.checkpoint != "" && r.checkpoint != r.sent && r.streams <= r.settings.rounds:
		r.sent = r.checkpoint
		r.joined.next()
		r.request = continuedInteraction(r.request, r.id, r.checkpoint)
		r.id, r.lastEvent, r.checkpoint = "", "", ""
		return true
	}
	return false
}

// mayResume reports whether the failure of a stream may be temporary. If the API refused the
// request before it sent an event, the client has already retried as often as it may.
func mayResume(err error, hasEvents bool) bool {
	if _, isRefused := errors.AsType[*Error](err); isRefused && !hasEvents {
		return false
	}
	return verdictOf(err).Again || errors.Is(err, wire.ErrTruncated)
}

// read reads one stream.
func (r *interactionStream) read(ctx context.Context, op *operation) {
	op.isStream = true
	opened := &openInteraction{settings: r.settings}
	x, err := r.settings.send(ctx, op, opened.begin)
	if err != nil {
		r.part.err = err
		return
	}
	x.request.Body, x.op.body = nil, nil
	defer opened.reply.Close()
	isLeft := true // also after a panic in the loop
	defer func() { x.ended(err, isLeft) }()
	err = r.deliver(x, opened)
	isLeft = r.part.isLeft
}

// deliver yields the events of a stream. It records the error that ends it.
func (r *interactionStream) deliver(x *exchange, opened *openInteraction) error {
	event, err := opened.first, opened.err
	for err == nil {
		if event.Interaction != nil {
			x.observed.chunk(observedInteraction(event.Interaction))
		}
		if !r.take(event) {
			return nil
		}
		event, err = opened.next()
	}
	if err == io.EOF {
		r.part.isDone = r.part.token == ""
		return nil
	}
	r.part.err = x.failed(err)
	return r.part.err
}

// take handles an event and yields it. It reports whether the stream is read on.
func (r *interactionStream) take(e *interactionsapi.StreamEvent) bool {
	r.part.hasEvents = true
	if id := jsonx.Deref(e.EventID); id != "" {
		r.lastEvent = id
	}
	switch e.EventType {
	case interactionsapi.EventTypeInteractionCreated:
		if e.Interaction != nil && jsonx.Deref(e.Interaction.ID) != "" {
			r.id = *e.Interaction.ID
		}
		if r.joined.isLater {
			return true // the interaction has begun already
		}
		r.joined = joinedSteps{} // or begins again
	case interactionsapi.EventTypeInteractionStatusUpdate:
		if token := jsonx.Deref(e.ContinuationToken); token != "" {
			r.checkpoint = token
		}
		if r.joined.isLater && e.Status != nil &&
			*e.Status == interactionsapi.InteractionStatusInProgress {
			return true
		}
	case interactionsapi.EventTypeStepStart, interactionsapi.EventTypeStepDelta,
		interactionsapi.EventTypeStepStop:
		r.checkpoint = ""
	case interactionsapi.EventTypeInteractionCompleted:
		if r.completes(e) {
			return true
		}
	}
	return r.deliverAll(r.joined.push(e))
}

// deliverAll yields events. It reports whether the stream is read on.
func (r *interactionStream) deliverAll(events []*interactionsapi.StreamEvent) bool {
	for _, e := range events {
		if !r.yield(e, nil) {
			r.part.isLeft = true
			return false
		}
	}
	return true
}

// completes handles the end of a stream: it adds up the tokens, and gives the end of a continued
// interaction the members that describe its request. It reports whether the client requests more.
func (r *interactionStream) completes(e *interactionsapi.StreamEvent) bool {
	if e.Interaction == nil {
		return false
	}
	r.usage = interactions.JoinUsage(r.usage, e.Interaction.Usage)
	e.Interaction.Usage = r.usage
	if r.begun == nil {
		r.begun = e.Interaction
	}
	e.Interaction.Created = r.begun.Created
	e.Interaction.PreviousInteractionID = r.begun.PreviousInteractionID
	token := continuationOf(e.Interaction)
	if token == "" || token == r.sent || r.request == nil || r.streams > r.settings.rounds {
		return false
	}
	r.part.token = token
	return true
}

// openInteraction is a stream after its first event.
type openInteraction struct {
	settings *settings
	reply    *transport.Reply
	reader   *interactions.StreamReader
	first    *interactionsapi.StreamEvent
	err      error // io.EOF for a stream without an event
}

// begin reads the first event. After its error the client may request the stream again.
func (o *openInteraction) begin(reply *transport.Reply) error {
	o.reply = reply
	o.reader = interactions.NewStreamReader(o.settings.raw.record(reply))
	o.first, o.err = o.next()
	if o.err != nil && o.err != io.EOF {
		return ofReply(reply.Status, o.err)
	}
	reply.Begin()
	return nil
}

// next returns the next event. An error that the server reports is an *[Error].
func (o *openInteraction) next() (*interactionsapi.StreamEvent, error) {
	event, err := o.reader.Next()
	if _, isReported := errors.AsType[*interactions.Error](err); isReported {
		return nil, DecodeError(0, nil, slices.Clone(o.reader.Bytes()))
	}
	return event, err
}
