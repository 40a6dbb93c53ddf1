package gateway

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/gemwire/gemwire/pkg/transform/openai/request"
	"github.com/go-json-experiment/json/jsontext"
)

// chatCompletionsForm is the API that most clients speak.
var chatCompletionsForm = form{name: "chat_completions", appendProblem: appendOpenAIProblem}

// CreateChatCompletion answers a conversation.
func (s openAIServer) CreateChatCompletion(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &chatCompletionsForm, func(c *call) *Problem {
		t, p := readChatTurn(c)
		if p != nil {
			return p
		}
		return c.generate(t)
	})
}

// chatTurn is a request for a chat completion.
type chatTurn struct {
	in           *openaiapi.CreateChatCompletionRequest
	asked        string
	isStream     bool
	includeUsage bool
	conversion
	created time.Time
	id      string // "" is that of Gemini
}

// conversion is how much of what a conversion does the client wants to hear of.
type conversion struct {
	isStrict bool // nothing may be lost
	isListed bool // the answer lists all
}

// conversion reads what the client wants to hear of.
func (c *call) conversion() conversion {
	header := c.request.Header
	return conversion{
		isStrict: c.strict || header.Get("X-Gemwire-Strict") == "true",
		isListed: header.Get("X-Gemwire-Report") == "true",
	}
}

// readChatTurn reads a request. What only the gateway heeds is taken out of it, so that no report has it.
func readChatTurn(c *call) (*chatTurn, *Problem) {
	in, err := openai.DecodeRequest(c.body)
	if err != nil {
		return nil, unreadable(err)
	}
	t := &chatTurn{
		in: in, asked: in.Model, isStream: optional.Value(in.Stream), conversion: c.conversion(), created: c.start,
	}
	if t.isStream && c.heartbeat == HeartbeatChunk { // which come before Gemini's id is known, and all chunks have one
		t.id = "chatcmpl-" + strings.TrimPrefix(c.id, "req_")
	}
	if in.StreamOptions != nil {
		t.includeUsage = optional.Value(in.StreamOptions.IncludeUsage)
	}
	in.Model, in.Stream, in.StreamOptions = "", nil, nil
	return t, nil
}

func (t *chatTurn) model() string { return t.asked }

func (t *chatTurn) streams() bool { return t.isStream }

func (t *chatTurn) toGemini(to target) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	opts := []request.Option{request.ForModel(to.model)}
	if to.isVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	if err != nil {
		return nil, report, unreadable(err)
	}
	if p := t.unknownMember(report); p != nil {
		return nil, report, p
	}
	return out, report, t.check(report)
}

// unknownMember refuses a member of the request that nobody knows, as OpenAI does: it is as likely misspelt as not. Those
// of other servers whose form alone is not known are lost instead, and so are unknown members further inside, where
// clients of other servers leave many.
func (t *chatTurn) unknownMember(report transform.Report) *Problem {
	for name := range rawobject.Members(t.in.Unknown) {
		pointer := string(jsontext.Pointer("").AppendToken(name))
		isLost := slices.ContainsFunc(report, func(e transform.Entry) bool { return e.Pointer == pointer && e.Kind == transform.Lost })
		if isLost && !openai.IsForeignMember(name) {
			return invalidRequest("unknown_parameter", pointer, pointer+": no such parameter is known")
		}
	}
	return nil
}

// check refuses losses where none may be. Its error is a *Problem.
func (s conversion) check(report transform.Report) error {
	if !s.isStrict {
		return nil
	}
	if err := report.Strict(); err != nil {
		return lossy(err.(*transform.LossError))
	}
	return nil
}

// options are those of the answer's conversion, whole and streamed.
func (t *chatTurn) options() []toopenai.Option {
	opts := make([]toopenai.Option, 0, 4)
	opts = append(opts, toopenai.WithCreated(t.created), toopenai.WithID(t.id))
	if t.asked != "" {
		opts = append(opts, toopenai.WithModelName(t.asked))
	}
	return opts
}

func (t *chatTurn) appendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, _ transform.Report) ([]byte, finished, error) {
	completion, report, err := toopenai.FromGemini(answer, t.options()...)
	if err == nil {
		err = t.check(report)
	}
	if err != nil {
		return dst, finished{}, err
	}
	end := finished{report: report}
	dst, err = openai.AppendResponse(dst, completion)
	return dst, end, err
}

func (t *chatTurn) stream() turnStream {
	opts := t.options()
	if t.includeUsage {
		opts = append(opts, toopenai.WithUsage())
	}
	return &chatStream{turn: t, chunks: toopenai.NewStream(opts...)}
}

// chatStream makes the events of a streamed completion.
type chatStream struct {
	turn   *chatTurn
	chunks *toopenai.Stream
}

func (s *chatStream) push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	chunks, err := s.chunks.Push(chunk)
	return s.append(dst, chunks, err)
}

func (s *chatStream) end(dst []byte, _ transform.Report) ([]byte, error) {
	chunks, err := s.chunks.Close(nil)
	if dst, err = s.append(dst, chunks, err); err != nil {
		return dst, err
	}
	return append(dst, "data: [DONE]\n\n"...), nil
}

// append appends an event for each chunk. The error is that which the chunks came with, or of writing them.
func (s *chatStream) append(dst []byte, chunks []openaiapi.CreateChatCompletionStreamResponse, failure error) ([]byte, error) {
	for i := range chunks {
		var err error
		dst = append(dst, "data: "...)
		if dst, err = openai.AppendChunk(dst, &chunks[i]); err != nil {
			return dst, err
		}
		dst = append(dst, "\n\n"...)
	}
	return dst, failure
}

func (s *chatStream) fail(dst []byte, p *Problem) []byte {
	dst = append(dst, "data: "...)
	dst = appendOpenAIProblem(dst, p)
	return append(dst, "\n\n"...)
}

// heartbeat appends a chunk without choices, as the one with the usage is.
func (s *chatStream) heartbeat(dst []byte) []byte {
	dst, _ = s.append(dst, []openaiapi.CreateChatCompletionStreamResponse{{
		ID: s.turn.id, Object: openaiapi.ObjectTypeChatCompletionChunk, Created: s.turn.created.Unix(),
		Model: cmp.Or(s.turn.asked, "gemini"), Choices: []openaiapi.ChunkChoice{},
	}}, nil)
	return dst
}

func (s *chatStream) finished() finished { return finished{report: s.chunks.Report()} }
