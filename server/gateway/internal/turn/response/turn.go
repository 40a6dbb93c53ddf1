// Package response is the form of OpenAI's Responses API.
package response

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// Turn is a request for a response. It is made by [Read].
type Turn struct {
	way   Way
	in    *openaiapi.CreateResponseRequest
	asked string
	// answered is what the answer depends on of the request. It is held as long as a stream goes on.
	answered openaiapi.CreateResponseRequest
	size     int // of the body
	turn.Conversion
	isStream, inBackground bool
	created                time.Time
	id                     string
	// before is how many items stand in front of those of the request itself, and beforeAt stands for /input in pointers to
	// them: the client has not sent them again.
	before   int
	beforeAt string
	// made is the stream that was begun last, nil for none.
	made *stream
	// keeper keeps the response; it is nil where nothing is kept.
	keeper *Keeper
	// isReported is whether somebody wants to hear more of the conversion than losses.
	isReported bool
}

// Way is what a response depends on besides its request.
type Way struct {
	// History is what is kept for the client, nil where nothing is. Without it the other functions are not called.
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

// Read reads a request, and what it continues. What only the gateway heeds is taken out of it, so that no report has it. Its
// error is a *[problem.Problem], or one of what is kept.
func Read(ctx context.Context, r turn.Request, way Way) (*Turn, error) {
	in, err := responses.DecodeRequest(r.Body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	if p := problem.MisnamedResponseMember(in.Unknown); p != nil {
		return nil, p
	}
	t := &Turn{
		way: way, in: in, asked: jsonx.Deref(in.Model), answered: *in, size: len(r.Body), Conversion: r.Conversion, created: r.At,
		id: history.NewDocumentID(history.KindResponse), isStream: jsonx.Deref(in.Stream), isReported: r.IsListed || r.IsRecorded,
	}
	if err := t.continueHistory(ctx); err != nil {
		return nil, err
	}
	t.answered.Input = declaringItems(in.Input)
	in.Model, in.Stream, in.StreamOptions = nil, nil, nil
	return t, nil
}

// ReadCount reads a request for the tokens of an input, and what it continues.
func ReadCount(ctx context.Context, r turn.Request, way Way) (*Turn, error) {
	in, err := responses.DecodeCountRequest(r.Body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	if p := problem.MisnamedResponseMember(in.Unknown); p != nil {
		return nil, p
	}
	t := &Turn{way: way, asked: jsonx.Deref(in.Model), in: &openaiapi.CreateResponseRequest{
		Conversation: in.Conversation, Input: in.Input, Instructions: in.Instructions, ParallelToolCalls: in.ParallelToolCalls,
		PreviousResponseID: in.PreviousResponseID, Reasoning: in.Reasoning, Text: in.Text, ToolChoice: in.ToolChoice,
		Tools: in.Tools, Truncation: in.Truncation,
	}}
	if err := t.continueHistory(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// declaringItems returns the items of an input that declare tools, by which calls are told apart.
func declaringItems(input wiretype.StringOr[[]openaiapi.ResponseItem]) wiretype.StringOr[[]openaiapi.ResponseItem] {
	items, _ := input.AsValue()
	var out []openaiapi.ResponseItem
	for i := range items {
		if kind := items[i].Type; kind == openaiapi.ResponseItemTypeAdditionalTools || kind == openaiapi.ResponseItemTypeToolSearchOutput {
			out = append(out, items[i])
		}
	}
	if out == nil {
		return wiretype.StringOr[[]openaiapi.ResponseItem]{}
	}
	return wiretype.ValueOf(out)
}

// Model implements [turn.Turn].
func (t *Turn) Model() string { return t.asked }

// Streams implements [turn.Turn].
func (t *Turn) Streams() bool { return t.isStream }

// LetGo implements [turn.Turn].
func (t *Turn) LetGo() int64 {
	t.in = nil
	return turn.Needed(t.size, func() ([]byte, error) {
		if t.keeper != nil { // which keeps the input with the response
			return nil, errKept
		}
		return responses.EncodeRequest(&t.answered)
	})
}

// errKept is why the size of what a stream needs is not measured: it needs all of the body.
var errKept = errors.New("the whole request is kept")

// Carrier tells that signatures travel in reasoning items before what they sign.
func (t *Turn) Carrier(exchange.Side, *geminiapi.Part) exchange.Carrier {
	return exchange.CarrierThought
}

// ToGemini implements [turn.Turn].
func (t *Turn) ToGemini(to turn.Target) (*geminiapi.GenerateContentRequest, report.Report, error) {
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.When)}
	if to.IsVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	if t.way.History != nil {
		opts = append(opts, request.WithStore())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	t.placeInRequest(report)
	if err != nil {
		return nil, report, t.unreadable(err)
	}
	return out, report, t.RefuseLosses(report)
}

// unreadable is the problem of a request that cannot be converted. It names the item of the request.
func (t *Turn) unreadable(err error) *problem.Problem {
	refused, ok := errors.AsType[*request.Error](err)
	if !ok {
		return problem.Unreadable(err)
	}
	pointer := t.ownPointer(refused.Pointer)
	reason := refused.Reason()
	if refused.NeedsStore {
		reason += "; this gateway keeps responses if it is started with --response-store"
	}
	param := cmp.Or(pointer, t.ownPointer(problem.FirstFault(err)))
	p := problem.Invalid(refused.Code, param, problem.MessageAt(pointer, reason))
	if refused.HTTPStatus != 0 {
		p.Status = refused.HTTPStatus
	}
	return p
}

// placeInRequest has the pointers of a report name the items of the request, and not those of the whole conversation.
func (t *Turn) placeInRequest(report report.Report) {
	if t.before == 0 {
		return
	}
	for i := range report {
		report[i].Pointer = t.ownPointer(report[i].Pointer)
	}
}

// ownPointer returns the pointer into the request of one into the conversation.
func (t *Turn) ownPointer(pointer string) string {
	rest, isItem := strings.CutPrefix(pointer, "/input/")
	if !isItem || t.before == 0 {
		return pointer
	}
	index, below, hasMore := strings.Cut(rest, "/")
	n, err := strconv.Atoi(index)
	if err != nil {
		return pointer
	}
	list := "/input"
	if n < t.before {
		list = t.beforeAt
	} else {
		n -= t.before
	}
	pointer = list + "/" + strconv.Itoa(n)
	if hasMore {
		pointer += "/" + below
	}
	return pointer
}

// options are those of the answer's conversion, whole and streamed.
func (t *Turn) options() []toresponses.Option {
	opts := []toresponses.Option{
		toresponses.WithID(t.id), toresponses.WithCreated(t.created), toresponses.WithRequest(&t.answered), toresponses.WithModelName(t.asked),
	}
	if t.keeper != nil {
		opts = append(opts, toresponses.WithStore())
	}
	return opts
}

// AppendWhole implements [turn.Turn].
func (t *Turn) AppendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told turn.Told) ([]byte, turn.Finished, error) {
	response, report, err := toresponses.FromGemini(answer, t.options()...)
	end, err := t.EndWhole(answer, report, err)
	if err != nil {
		return dst, end, err
	}
	if err := t.List(&response.ExtraContent, told.Report, report); err != nil {
		return dst, end, err
	}
	if usage := response.Usage; usage != nil {
		usage.Unknown = turn.WithCost(usage.Unknown, told.Cost)
	}
	t.keeper.keep(response)
	dst, err = responses.AppendResponse(dst, response)
	return dst, end, err
}

// ownItems returns the items of an input, of which a text is one.
func ownItems(input wiretype.StringOr[[]openaiapi.ResponseItem]) []openaiapi.ResponseItem {
	if text, isText := input.AsString(); isText {
		return []openaiapi.ResponseItem{responses.UserText(text)}
	}
	items, _ := input.AsValue()
	return slices.Clip(items)
}
