// Package response has what the gateway adds to OpenAI's Responses API: responses and conversations
// that are kept.
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
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// Turn is a turn whose request is for a response. It is made by [Extend], and implements
// [turn.Extra].
type Turn struct {
	*turn.Turn
	way Way
	in  *openaiapi.CreateResponseRequest
	// inBackground is whether the response is made without the client.
	inBackground bool
	// before is how many items stand in front of those of the request itself, and beforeAt stands
	// for /input in pointers to them: the client has not sent them again.
	before   int
	beforeAt string
	// newest is the response as an event had it last, nil before that.
	newest *openaiapi.Response
	// keeper keeps the response; it is nil where nothing is kept.
	keeper *Keeper
}

// Way is what a response depends on besides its request.
type Way struct {
	// History is what is kept for the client, nil where nothing is. Without it the other functions
	// are not called.
	History *history.History
	// IsUnderWay reports whether a response is being made in the background.
	IsUnderWay func(id string) bool
	// Hold takes room for so many bytes that the request continues.
	Hold func(bytes int64) error
	// Clean returns what is kept without the secrets of the request.
	Clean func([]byte) []byte
	// NotKept is told why a response is not kept.
	NotKept func(error)
	// HasDoneMark is whether streams end in [DONE].
	HasDoneMark bool
}

// Extend adds to a turn whose request is for a response, or for the tokens of its input, what the
// request continues. Its error is a *[problem.Problem], or one of what is kept.
func Extend(ctx context.Context, t *turn.Turn, in *openaiapi.CreateResponseRequest, way Way) (*Turn,
	error) {
	x := &Turn{Turn: t, way: way, in: in}
	t.Extra, t.Options.ID, t.Options.HasDoneMark = x, history.NewDocumentID(history.KindResponse),
		way.HasDoneMark
	t.Stores = way.History != nil
	if err := x.continueHistory(ctx); err != nil {
		return nil, err
	}
	t.Options.Stored, t.HoldsBody = x.keeper != nil, x.keeper != nil
	x.in = nil // which the turn releases
	return x, nil
}

// Carrier implements [turn.Extra]: signatures travel in reasoning items before what they sign.
func (x *Turn) Carrier(exchange.Side, *geminiapi.Part) exchange.Carrier {
	return exchange.CarrierThought
}

// Edit keeps a response that is complete, or has failed. In the background it is kept later, with
// its events.
func (x *Turn) Edit(document any) {
	switch d := document.(type) {
	case *openaiapi.Response:
		x.keeper.keep(d)
	case *openaiapi.ResponseEvent:
		if d.Response == nil {
			return
		}
		x.newest = d.Response
		if !x.inBackground && responses.IsTerminal(d.Type) {
			x.keeper.keep(d.Response)
		}
	}
}

// Newest returns the response as its stream had it last, as queued where it has not begun.
func (x *Turn) Newest() *openaiapi.Response {
	if x.newest == nil {
		return x.Queued()
	}
	return x.newest
}

// Queued returns the response before there is anything of it.
func (x *Turn) Queued() *openaiapi.Response {
	before := x.newest
	// whose first events are of a response that is queued
	x.Request.Stream(&x.Options).Heartbeat(nil)
	out := *x.newest
	out.Status, x.newest = openaiapi.ResponseStatusQueued, before
	return &out
}

// Failed returns the events of a problem that came before any other event.
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
		reason += "; this gateway keeps responses if it is started with --response-store"
	}
	param := cmp.Or(pointer, x.ownPointer(problem.FirstFault(err)))
	p := problem.Invalid(refused.Code, param, problem.MessageAt(pointer, reason))
	if refused.HTTPStatus != 0 {
		p.Status = refused.HTTPStatus
	}
	return p
}

// Place has the pointers of a report name the items of the request, and not those of the whole
// conversation.
func (x *Turn) Place(entries report.Report) report.Report {
	if x.before > 0 {
		for i := range entries {
			entries[i].Pointer = x.ownPointer(entries[i].Pointer)
		}
	}
	return entries
}

// ownPointer returns the pointer into the request of one into the conversation.
func (x *Turn) ownPointer(pointer string) string {
	rest, isItem := strings.CutPrefix(pointer, "/input/")
	if !isItem || x.before == 0 {
		return pointer
	}
	index, below, hasMore := strings.Cut(rest, "/")
	n, err := strconv.Atoi(index)
	if err != nil {
		return pointer
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

// ownItems returns the items of an input, of which a text is one.
func ownItems(input wiretype.StringOr[[]openaiapi.ResponseItem]) []openaiapi.ResponseItem {
	if text, isText := input.AsString(); isText {
		return []openaiapi.ResponseItem{responses.UserText(text)}
	}
	items, _ := input.AsValue()
	return slices.Clip(items)
}
