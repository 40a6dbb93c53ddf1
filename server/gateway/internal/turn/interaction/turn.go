// Package interaction contains what the gateway adds to Google's Interactions API: stored
// interactions.
package interaction

import (
	"context"
	"errors"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	tointeractions "github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Turn is a turn of the Interactions API. [Extend] makes it. It implements [turn.Extra].
type Turn struct {
	*turn.Turn
	way Way
	// inBackground reports that the interaction runs in the background.
	inBackground bool
	// keeper stores the interaction. It is nil if nothing is stored.
	keeper *keeper
	// built is the interaction in the events so far, and events are their JSON.
	built    interactions.Accumulator
	events   [][]byte
	hasBegun bool
	hasEnded bool
}

// Way has the inputs of an interaction apart from its request.
type Way struct {
	// History is the client's stored data. If it is nil, nothing is stored and the other functions
	// are not called.
	History *history.History
	// IsUnderWay reports whether an interaction is in progress in the background.
	IsUnderWay func(id string) bool
	// Hold reserves memory for bytes that the request continues.
	Hold func(bytes int64) error
	// Clean removes the secrets of the request from data that is stored.
	Clean func([]byte) []byte
	// NotKept is called with the reason why an interaction is not stored.
	NotKept func(error)
}

// Extend adds to a turn what the request continues. Its error is a *[problem.Problem], or an error
// about stored data.
func Extend(ctx context.Context, t *turn.Turn, way Way) (*Turn, error) {
	in, ok := t.Request.Body().(*interactionsapi.CreateInteractionRequest)
	if !ok {
		return nil, nil
	}
	x := &Turn{Turn: t, way: way}
	t.Extra = x
	if way.History == nil {
		return x, nil
	}
	t.Stores = true
	if err := x.continueHistory(ctx, in); err != nil {
		return nil, err
	}
	x.inBackground = jsonx.Deref(in.Background)
	if stores(in) {
		x.keeper = &keeper{ctx: context.WithoutCancel(ctx), History: way.History, clean: way.Clean,
			input: history.InputSteps(in.Input), previous: in.PreviousInteractionID}
		t.Options.ID = history.NewDocumentID(history.KindInteraction)
		t.Options.Stored, t.HoldsBody = true, true
	}
	return x, nil
}

// stores reports whether a request asks for a stored interaction. Google's API stores by default,
// the gateway does not. But a request to run in the background makes no sense otherwise.
func stores(in *interactionsapi.CreateInteractionRequest) bool {
	if in.Store == nil {
		return jsonx.Deref(in.Background)
	}
	return *in.Store
}

// continueHistory reads the steps before the request.
func (x *Turn) continueHistory(ctx context.Context,
	in *interactionsapi.CreateInteractionRequest) error {
	previous := jsonx.Deref(in.PreviousInteractionID)
	request, ok := x.Request.(tointeractions.Continuation)
	if previous == "" || !ok {
		return nil
	}
	steps, err := x.way.History.Steps(ctx, previous)
	if errors.Is(err, history.ErrUnfinished) && !x.way.IsUnderWay(previous) {
		return problem.Invalid("", "/previous_interaction_id",
			"/previous_interaction_id: the gateway stopped before the interaction had ended")
	}
	if err != nil {
		return err
	}
	if err := x.way.Hold(x.way.History.Read()); err != nil {
		return err
	}
	request.Continue(steps)
	return nil
}

// InBackground reports whether the interaction runs in the background.
func (x *Turn) InBackground() bool { return x.inBackground && x.keeper != nil }

// Carrier implements [turn.Extra]. Signatures travel in thought steps before the part that they
// sign.
func (x *Turn) Carrier(exchange.Side, *geminiapi.Part) exchange.Carrier {
	return exchange.CarrierThought
}

// Place implements [turn.Extra]. The report of the conversion has the request's own pointers.
func (x *Turn) Place(entries report.Report) report.Report { return entries }

// Unreadable implements [turn.Extra].
func (x *Turn) Unreadable(err error) *problem.Problem {
	p := problem.Unreadable(err)
	if refused, ok := errors.AsType[*request.Error](err); ok && refused.NeedsStore &&
		x.way.History == nil {
		p.Message += "; start the gateway with --store to store interactions"
	}
	return p
}

// Edit gives the events of a stored interaction their ids, and stores an interaction that has
// ended. A background interaction is stored later, with its events.
func (x *Turn) Edit(document any) {
	if x.keeper == nil {
		return
	}
	switch d := document.(type) {
	case *interactionsapi.Interaction:
		if err := x.keeper.put(d, nil, false); err != nil {
			x.way.NotKept(err)
			d.ID = nil // as of an interaction that is not stored
		}
	case *interactionsapi.StreamEvent:
		x.note(d)
	}
}

// note adds an event to the interaction so far.
func (x *Turn) note(e *interactionsapi.StreamEvent) {
	x.hasBegun = true
	x.hasEnded = e.EventType == interactionsapi.EventTypeInteractionCompleted
	e.EventID = new(strconv.Itoa(len(x.events) + 1))
	data, err := interactions.EncodeEvent(e)
	if err != nil { // which ends the stream
		return
	}
	x.events = append(x.events, data)
	copied := *e // the next event may have the memory
	if err := x.built.Push(&copied); err != nil {
		x.way.NotKept(err)
	}
	if x.hasEnded && !x.inBackground {
		if err := x.keeper.put(x.built.Interaction(), x.events, false); err != nil {
			x.way.NotKept(err)
		}
	}
}

// Fell stores a stream that ended with a problem in the middle. The client can read it again,
// because it has the id. It does nothing for other answers.
func (x *Turn) Fell(p *problem.Problem) {
	if x.keeper == nil || !x.hasBegun || x.hasEnded || x.inBackground {
		return
	}
	events := append(x.events, eventtext.Data(x.Fail(nil, p)))
	if err := x.keeper.put(x.ended(p, interactionsapi.InteractionStatusFailed), events,
		false); err != nil {
		x.way.NotKept(err)
	}
}

// ended returns the interaction so far, with the reason why it ended early.
func (x *Turn) ended(p *problem.Problem,
	status interactionsapi.InteractionStatus) *interactionsapi.Interaction {
	out := *x.running()
	if x.hasBegun {
		out.Steps = wholeSteps(x.built.Interaction().Steps)
	}
	out.Status = status
	if status == interactionsapi.InteractionStatusFailed && p != nil {
		body, err := interactions.DecodeErrorResponse(x.Form.AppendError(nil, p.InForm("")))
		if err == nil {
			out.Errors = []interactionsapi.Error{body.Error}
		}
	}
	return &out
}

// wholeSteps returns steps without a last call whose arguments are not complete.
func wholeSteps(steps []interactionsapi.Step) []interactionsapi.Step {
	for n := len(steps); n > 0; n-- {
		probe := interactionsapi.Interaction{Steps: steps[n-1 : n]}
		if _, err := interactions.EncodeResponse(&probe); err == nil {
			return steps[:n]
		}
	}
	return nil
}

// The following steps are only for a background interaction.

// DocumentID returns the id of the interaction.
func (x *Turn) DocumentID() string { return x.Options.ID }

// Owner returns the owner of the interaction.
func (x *Turn) Owner() responsestore.Owner { return x.keeper.Owner }

// Base returns the turn that is made.
func (x *Turn) Base() *turn.Turn { return x.Turn }

// Detach makes the answer a stream whose events are stored for clients that connect later.
func (x *Turn) Detach() { x.IsStream = true }

// Announce stores an interaction that is about to be made, and returns it.
func (x *Turn) Announce() ([]byte, error) {
	begun := x.running()
	if err := x.keeper.put(begun, nil, true); err != nil {
		return nil, err
	}
	return interactions.EncodeResponse(begun)
}

// running returns the interaction before its first step.
func (x *Turn) running() *interactionsapi.Interaction {
	created := x.Options.Created.UTC().Format(timeLayout)
	out := &interactionsapi.Interaction{ID: &x.Options.ID, Object: new("interaction"),
		Status:  interactionsapi.InteractionStatusInProgress,
		Created: &created, Updated: &created, PreviousInteractionID: x.keeper.previous}
	if x.Asked != "" {
		out.Model = &x.Asked
	}
	return out
}

// Forget deletes an interaction that was announced but will not be made.
func (x *Turn) Forget() error {
	return x.keeper.Store.Delete(x.keeper.ctx, x.keeper.Owner, x.Options.ID)
}

// Failed returns the events of a problem. It returns none if the stream has ended.
func (x *Turn) Failed(p *problem.Problem) []byte {
	if x.hasEnded {
		return nil
	}
	if !x.HasStream() {
		x.Stream()
	}
	return x.Fail(nil, p)
}

// Keep stores an interaction that has ended, with its events. p is the problem that ended it, or
// nil.
func (x *Turn) Keep(p *problem.Problem, isCanceled bool, events [][]byte) error {
	var made *interactionsapi.Interaction
	switch {
	case x.hasEnded:
		made = x.built.Interaction()
	case isCanceled:
		made = x.ended(p, interactionsapi.InteractionStatusCancelled)
	default:
		made = x.ended(p, interactionsapi.InteractionStatusFailed)
	}
	return x.keeper.put(made, events, false)
}
