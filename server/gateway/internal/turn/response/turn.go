// Package response contains what the gateway adds to OpenAI's Responses API: stored responses and
// conversations, and conversations that are shortened.
package response

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Turn is a turn of the Responses API. [Extend] makes it. It implements [turn.Extra].
type Turn struct {
	*turn.Turn
	way Way
	in  *openaiapi.CreateResponseRequest
	// inBackground reports that the response is made in the background.
	inBackground bool
	// before is the number of stored items before the request's own items. beforeAt replaces /input
	// in pointers to them, because the client has not sent them again.
	before   int
	beforeAt string
	// items are the stored items and the request's own items, for the lane. They are nil without a
	// lane. continuesLane reports that the stored items come from the lane.
	items         []openaiapi.ResponseItem
	continuesLane bool
	// newest is the response in the latest event, or nil before the first event. whole is a
	// response with one body.
	newest, whole *openaiapi.Response
	shortening    shortening
	// keeper stores the response. It is nil if nothing is stored.
	keeper *Keeper
}

// Way has the inputs of a response apart from its request.
type Way struct {
	// History is the client's stored data. If it is nil, nothing is stored and the other functions
	// are not called.
	History *history.History
	// IsUnderWay reports whether a response is in progress in the background.
	IsUnderWay func(id string) bool
	// Hold reserves memory for bytes that the request continues.
	Hold func(bytes int64) error
	// Clean removes the secrets of the request from data that is stored.
	Clean func([]byte) []byte
	// NotKept is called with the reason why a response is not stored.
	NotKept func(error)
	// Owner is the client, for whom compaction items are sealed. Sealer opens and seals them, and
	// Prompt asks the model for a summary.
	Owner  responsestore.Owner
	Sealer *compaction.Sealer
	Prompt string
	// Shortens reports that conversations may be shortened. Compacts reports that the client asks
	// for a shortened conversation and not for a response.
	Shortens, Compacts bool
	// HasDoneMark reports that streams end with [DONE].
	HasDoneMark bool
	// Lane is the lane of the request on a connection. It is nil for a request by HTTP.
	Lane *Lane
}

// Extend adds what the request continues to a turn that asks for a response, or for its input
// tokens. Its error is a *[problem.Problem], or an error about stored data.
func Extend(ctx context.Context, t *turn.Turn, way Way) (*Turn, error) {
	in, ok := t.Request.Body().(*openaiapi.CreateResponseRequest)
	if !ok {
		return nil, nil
	}
	x := &Turn{Turn: t, way: way, in: in}
	t.Extra, t.Options.ID, t.Options.HasDoneMark = x, history.NewDocumentID(history.KindResponse),
		way.HasDoneMark
	t.Stores, t.Options.FailsOnce = way.History != nil, way.Lane != nil
	if way.Compacts { // the client keeps the result
		in.Store, in.Background, t.IsStream = new(false), nil, false
	}
	if err := x.continueHistory(ctx); err != nil {
		return nil, err
	}
	if x.shortening.begin(); way.Compacts {
		t.Request = compactRequest{t.Request, x}
	}
	if x.shortening.plan != nil {
		t.Options.FirstItems = x.FirstItems
	}
	t.Options.Stored, t.HoldsBody = x.keeper != nil, x.keeper != nil
	x.in = nil // which the turn releases
	return x, nil
}

// Carrier implements [turn.Extra]. Signatures travel in reasoning items before the part that they
// sign.
func (x *Turn) Carrier(exchange.Side, *geminiapi.Part) exchange.Carrier {
	return exchange.CarrierThought
}

// Edit stores a response that is complete or has failed. A background response is stored later,
// with its events.
func (x *Turn) Edit(document any) {
	switch d := document.(type) {
	case *openaiapi.Response:
		x.whole = d
		x.keep(d)
	case *openaiapi.ResponseEvent:
		if d.Response == nil {
			return
		}
		x.newest = d.Response
		if !x.inBackground && responses.IsTerminal(d.Type) {
			x.keep(d.Response)
		}
	}
}

// keep stores a response that is complete or has failed, and puts it into its lane.
func (x *Turn) keep(response *openaiapi.Response) {
	isStored := x.keeper.keep(response)
	x.way.Lane.keep(x.items, response, isStored && !x.continuesLane)
}

// Fell does nothing: the stream has kept the response.
func (x *Turn) Fell(*problem.Problem) {}

// Base returns the turn that is made.
func (x *Turn) Base() *turn.Turn { return x.Turn }

// Owner returns the owner of the response.
func (x *Turn) Owner() responsestore.Owner { return x.keeper.Owner }

// DocumentID returns the id of the response.
func (x *Turn) DocumentID() string { return x.Options.ID }

// Announce stores a queued response, and returns it.
func (x *Turn) Announce() ([]byte, error) {
	queued := x.queued()
	if err := x.keeper.Begin(queued); err != nil {
		return nil, err
	}
	return responses.EncodeResponse(queued)
}

// Forget deletes a response that was announced but will not be made.
func (x *Turn) Forget() error { return x.keeper.Forget(x.Options.ID) }

// Keep stores a response that was made in the background, with its events. If a client canceled it,
// its events end with response.failed, because the Responses API has no event for a cancellation.
func (x *Turn) Keep(_ *problem.Problem, isCanceled bool, events [][]byte) error {
	made := x.newest
	if made == nil {
		made = x.queued()
	}
	if isCanceled && made.Status == openaiapi.ResponseStatusFailed {
		out := *made
		out.Status, out.Error, out.CompletedAt = openaiapi.ResponseStatusCancelled, nil, nil
		made = &out
	}
	return x.keeper.Put(made, events)
}

// queued returns the response before it begins.
func (x *Turn) queued() *openaiapi.Response {
	before := x.newest
	// its first events have the status queued
	x.Request.Stream(&x.Options).Heartbeat(nil)
	out := *x.newest
	out.Status, x.newest = openaiapi.ResponseStatusQueued, before
	return &out
}

// Failed returns the events of a problem that occurred before any other event.
func (x *Turn) Failed(p *problem.Problem) []byte {
	if !x.HasStream() {
		x.Stream()
	}
	return x.Fail(nil, p)
}

// Unreadable is the problem of a request that cannot be converted. It names the item of the
// request.
func (x *Turn) Unreadable(err error) *problem.Problem {
	refused, ok := errors.AsType[*request.Error](err)
	if !ok {
		return problem.Unreadable(err)
	}
	pointer := x.ownPointer(refused.Pointer)
	reason := refused.Reason()
	if refused.NeedsStore {
		reason += "; start the gateway with --store to store responses"
	}
	param := cmp.Or(pointer, x.ownPointer(problem.FirstFault(err)))
	p := problem.Invalid(refused.Code, param, problem.MessageAt(pointer, reason))
	if refused.HTTPStatus != 0 {
		p.Status = refused.HTTPStatus
	}
	return p
}

// Place changes the pointers of a report from the whole conversation to the items of the request.
// It adds what was summarised.
func (x *Turn) Place(entries report.Report) report.Report {
	if x.before > 0 || x.shortening.items != nil {
		for i := range entries {
			entries[i].Pointer = x.ownPointer(entries[i].Pointer)
		}
	}
	if x.shortening.hasNoLimit {
		entries.Add(report.Lost, "/context_management",
			"the input limit of the model is unknown; set compact_threshold")
	}
	return append(entries, x.Dropped()...)
}

// ownPointer converts a pointer into the conversation to a pointer into the request.
func (x *Turn) ownPointer(pointer string) string {
	rest, isItem := strings.CutPrefix(pointer, "/input/")
	opened := x.shortening.items
	if !isItem || x.before == 0 && opened == nil {
		return pointer
	}
	index, below, hasMore := strings.Cut(rest, "/")
	n, err := strconv.Atoi(index)
	if err != nil {
		return pointer
	}
	if n < len(opened) { // or it is the prompt for the summary
		if opened[n].IsRestored {
			below, hasMore = "encrypted_content", true
		}
		n = opened[n].From
	}
	list := "/input"
	if n < x.before {
		list = x.beforeAt
	} else {
		n -= x.before
	}
	pointer = list + "/" + strconv.Itoa(n)
	if hasMore {
		pointer += "/" + below
	}
	return pointer
}

// ownItems returns the number of items in an input. A text is one item.
func ownItems(input wiretype.StringOr[[]openaiapi.ResponseItem]) []openaiapi.ResponseItem {
	if text, isText := input.AsString(); isText {
		return []openaiapi.ResponseItem{responses.UserText(text)}
	}
	items, _ := input.AsValue()
	return slices.Clip(items)
}
