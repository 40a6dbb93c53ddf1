package gateway

import (
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/gemwire/gemwire/pkg/transform/openai/request"
)

// chatCompletionsForm is the API that most clients speak.
var chatCompletionsForm = openAIOperation("chat_completions")

// CreateChatCompletion answers a conversation.
func (s openAIServer) CreateChatCompletion(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &chatCompletionsForm, func(c *call) *problem.Problem {
		t, p := readChatTurn(c)
		if p != nil {
			return p
		}
		return c.generate(t)
	})
}

// chatTurn is a request for a chat completion.
type chatTurn struct {
	*settings
	in           *openaiapi.CreateChatCompletionRequest
	asked        string
	isStream     bool
	includeUsage bool
	isOfOne      bool // the answer has one choice
	conversion
	created  time.Time
	id       string                      // "" is that of Gemini
	carriers map[string]exchange.Carrier // of signatures that came back otherwise than in ids, where somebody asks
	// forgotten are the signatures that the memory has no more.
	forgotten transform.Report
	// isReported is whether somebody wants to hear more of the conversion than losses.
	isReported bool
}

// readChatTurn reads a request. What only the gateway heeds is taken out of it, so that no report has it.
func readChatTurn(c *call) (*chatTurn, *problem.Problem) {
	in, err := openai.DecodeRequest(c.body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	if p := problem.UnknownChatMember(in); p != nil {
		return nil, p
	}
	c.body = nil // decoding keeps what it needs
	t := &chatTurn{
		settings: &c.settings, in: in, asked: in.Model, isStream: optional.Value(in.Stream), isOfOne: in.N == nil || *in.N == 1, conversion: c.conversion(), created: c.start,
	}
	if t.isStream && c.heartbeat == HeartbeatChunk { // which come before Gemini's id is known, and all chunks have one
		t.id = "chatcmpl-" + strings.TrimPrefix(c.id, "req_")
	}
	t.isReported = t.isListed || c.recorders.WantsBodies()
	if in.StreamOptions != nil {
		t.includeUsage = optional.Value(in.StreamOptions.IncludeUsage)
	}
	in.Model, in.Stream, in.StreamOptions = "", nil, nil
	if c.recorders.WantsBodies() {
		t.noteCarriers(in.Messages)
	}
	t.forgotten = t.signatures.recall(in.Messages)
	return t, nil
}

func (t *chatTurn) model() string { return t.asked }

func (t *chatTurn) streams() bool { return t.isStream }

func (t *chatTurn) letGo() { t.in = nil }

func (t *chatTurn) toGemini(to target) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	opts := []request.Option{request.ForModel(to.model)}
	if to.isVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	report = append(report, t.forgotten...)
	if err != nil {
		return nil, report, problem.Unreadable(err)
	}
	return out, report, t.refuseLosses(report)
}

// options are those of the answer's conversion, whole and streamed.
func (t *chatTurn) options() []toopenai.Option {
	opts := make([]toopenai.Option, 0, 8)
	opts = append(opts, toopenai.WithCreated(t.created), toopenai.WithID(t.id))
	if t.asked != "" {
		opts = append(opts, toopenai.WithModelName(t.asked))
	}
	return t.signatures.options(opts)
}

func (t *chatTurn) appendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told told) ([]byte, finished, error) {
	if p := problem.SilentFailure(answer); p != nil {
		return dst, finished{reason: normalize.FinishError}, p
	}
	completion, report, err := toopenai.FromGemini(answer, t.options()...)
	end := finished{report: report}
	if err != nil {
		return dst, end, err
	}
	end.reason = reasonOf(completion.Choices[0].FinishReason, completion.Choices[0].NativeFinishReason)
	if err := t.refuseLosses(report); err != nil {
		return dst, end, err
	}
	if err := t.list(&completion.ExtraContent, told.report, report); err != nil {
		return dst, end, err
	}
	t.signatures.dropRepeated(completion.Choices)
	if usage := completion.Usage; usage != nil {
		usage.Unknown = withCost(usage.Unknown, told.cost)
	}
	dst, err = openai.AppendResponse(dst, completion)
	return dst, end, err
}

// reasonOf returns why a choice ended, for which chat_completions has fewer words.
func reasonOf(reason openaiapi.FinishReason, native *string) normalize.FinishReason {
	switch reason {
	case openaiapi.FinishReasonToolCalls:
		return normalize.FinishToolUse
	case openaiapi.FinishReasonLength:
		return normalize.FinishLength
	case openaiapi.FinishReasonContentFilter:
		return normalize.FinishContentFilter
	}
	if native == nil {
		return normalize.FinishStop
	}
	return normalize.MapFinishReason(geminiapi.FinishReason(*native))
}
