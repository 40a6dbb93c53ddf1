package gateway

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/internal/history"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gateway/internal/turn"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/transform"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// responsesForm is OpenAI's newer API, which codex and the agents speak.
var responsesForm = responsesOperation("responses")

// responsesOperation returns the form of an operation of that API.
func responsesOperation(name string) form {
	form := openAIOperation(name)
	form.appendProblem, form.beats = problem.AppendResponses, true
	return form
}

// CreateResponse answers an input.
func (s openAIServer) CreateResponse(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &responsesForm, func(c *call) *problem.Problem {
		t, p := readResponseTurn(c)
		if p != nil {
			return p
		}
		if t.inBackground {
			return c.startInBackground(t)
		}
		return c.generate(t)
	})
}

// responseTurn is a request for a response.
type responseTurn struct {
	*settings
	in    *openaiapi.CreateResponseRequest
	asked string
	// answered is what the answer depends on of the request. It is held as long as a stream goes on.
	answered openaiapi.CreateResponseRequest
	turn.Conversion
	isStream, inBackground bool
	created                time.Time
	id                     string
	// before is how many items stand in front of those of the request itself, and beforeAt stands for /input in pointers to
	// them: the client has not sent them again.
	before   int
	beforeAt string
	// made is the stream that was begun last, nil for none.
	made *responseStream
	// keeper keeps the response; it is nil where nothing is kept.
	keeper *keeper
	// isReported is whether somebody wants to hear more of the conversion than losses.
	isReported bool
}

// readResponseTurn reads a request, and what it continues. What only the gateway heeds is taken out of it, so that no
// report has it.
func readResponseTurn(c *call) (*responseTurn, *problem.Problem) {
	in, err := responses.DecodeRequest(c.body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	if p := problem.MisnamedResponseMember(in.Unknown); p != nil {
		return nil, p
	}
	c.body = nil // decoding keeps what it needs
	t := &responseTurn{
		settings: &c.settings, in: in, asked: optional.Value(in.Model), answered: *in, Conversion: c.wanted, created: c.start,
		id: history.NewDocumentID(history.KindResponse), isStream: optional.Value(in.Stream),
	}
	t.isReported = t.IsListed || c.recorders.WantsBodies()
	if p := t.continueHistory(c); p != nil {
		return nil, p
	}
	t.answered.Input = declaringItems(in.Input)
	in.Model, in.Stream, in.StreamOptions = nil, nil, nil
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

func (t *responseTurn) Model() string { return t.asked }

func (t *responseTurn) Streams() bool { return t.isStream }

func (t *responseTurn) LetGo() { t.in = nil }

// carrier tells that signatures travel in reasoning items before what they sign.
func (t *responseTurn) Carrier(exchange.Side, *geminiapi.Part) exchange.Carrier {
	return exchange.CarrierThought
}

func (t *responseTurn) ToGemini(to turn.Target) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	opts := []request.Option{request.ForModel(to.Model)}
	if to.IsVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	if t.responseStore != nil {
		opts = append(opts, request.WithStore())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	t.placeInRequest(report)
	if err != nil {
		return nil, report, t.unreadable(err)
	}
	return out, report, t.RefuseLosses(report)
}

// placeInRequest has the pointers of a report name the items of the request, and not those of the whole conversation.
func (t *responseTurn) placeInRequest(report transform.Report) {
	if t.before == 0 {
		return
	}
	for i := range report {
		report[i].Pointer = t.ownPointer(report[i].Pointer)
	}
}

// ownPointer returns the pointer into the request of one into the conversation.
func (t *responseTurn) ownPointer(pointer string) string {
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
func (t *responseTurn) options() []toresponses.Option {
	opts := []toresponses.Option{
		toresponses.WithID(t.id), toresponses.WithCreated(t.created), toresponses.WithRequest(&t.answered), toresponses.WithModelName(t.asked),
	}
	if t.keeper != nil {
		opts = append(opts, toresponses.WithStore())
	}
	return opts
}

func (t *responseTurn) AppendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told turn.Told) ([]byte, turn.Finished, error) {
	response, report, err := toresponses.FromGemini(answer, t.options()...)
	end := turn.Finished{Report: report}
	turn.NoteReason(&end.Reason, answer)
	if err != nil {
		return dst, end, err
	}
	if err := t.RefuseLosses(report); err != nil {
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
		return []openaiapi.ResponseItem{responses.UserMessage(text)}
	}
	items, _ := input.AsValue()
	return slices.Clip(items)
}
