// Package chat is the form of OpenAI's chat_completions.
package chat

import (
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// Turn is a request for a chat completion. It is made by [Read].
type Turn struct {
	signing      *signature.Carrying
	in           *openaiapi.CreateChatCompletionRequest
	asked        string
	isStream     bool
	includeUsage bool
	isOfOne      bool // the answer has one choice
	turn.Conversion
	created  time.Time
	id       string                      // "" is that of Gemini
	carriers map[string]exchange.Carrier // of signatures that came back otherwise than in ids, where somebody asks
	// forgotten are the signatures that the memory has no more.
	forgotten report.Report
	// isReported is whether somebody wants to hear more of the conversion than losses.
	isReported bool
}

// Read reads a request. What only the gateway heeds is taken out of it, so that no report has it. The heartbeats of a stream
// are chunks where beatsByChunks says so.
func Read(r turn.Request, signing *signature.Carrying, beatsByChunks bool) (*Turn, *problem.Problem) {
	in, err := openai.DecodeRequest(r.Body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	if p := problem.UnknownChatMember(in); p != nil {
		return nil, p
	}
	t := &Turn{
		signing: signing, in: in, asked: in.Model, isStream: jsonx.Deref(in.Stream), isOfOne: in.N == nil || *in.N == 1,
		Conversion: r.Conversion, created: r.At, isReported: r.IsListed || r.IsRecorded,
	}
	if t.isStream && beatsByChunks { // which come before Gemini's id is known, and all chunks have one
		t.id = "chatcmpl-" + strings.TrimPrefix(r.ID, "req_")
	}
	if in.StreamOptions != nil {
		t.includeUsage = jsonx.Deref(in.StreamOptions.IncludeUsage)
	}
	in.Model, in.Stream, in.StreamOptions = "", nil, nil
	if r.IsRecorded {
		t.noteCarriers(in.Messages)
	}
	t.forgotten = signing.Recall(in.Messages)
	return t, nil
}

// Model implements [turn.Turn].
func (t *Turn) Model() string { return t.asked }

// Streams implements [turn.Turn].
func (t *Turn) Streams() bool { return t.isStream }

// LetGo implements [turn.Turn].
func (t *Turn) LetGo() int64 {
	t.in = nil
	return 0
}

// ToGemini implements [turn.Turn].
func (t *Turn) ToGemini(to turn.Target) (*geminiapi.GenerateContentRequest, report.Report, error) {
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.When)}
	if to.IsVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	report = append(report, t.forgotten...)
	if err != nil {
		return nil, report, problem.Unreadable(err)
	}
	return out, report, t.RefuseLosses(report)
}

// options are those of the answer's conversion, whole and streamed.
func (t *Turn) options() []chat.Option {
	opts := make([]chat.Option, 0, 8)
	opts = append(opts, chat.WithCreated(t.created), chat.WithID(t.id))
	if t.asked != "" {
		opts = append(opts, chat.WithModelName(t.asked))
	}
	return t.signing.Options(opts)
}

// AppendWhole implements [turn.Turn].
func (t *Turn) AppendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told turn.Told) ([]byte, turn.Finished, error) {
	if p := problem.SilentFailure(answer); p != nil {
		return dst, turn.Finished{Reason: normalize.FinishError}, p
	}
	completion, report, err := chat.FromGemini(answer, t.options()...)
	end := turn.Finished{Report: report}
	if err != nil {
		return dst, end, err
	}
	end.Reason = reasonOf(completion.Choices[0].FinishReason, completion.Choices[0].NativeFinishReason)
	if err := t.RefuseLosses(report); err != nil {
		return dst, end, err
	}
	if err := t.List(&completion.ExtraContent, told.Report, report); err != nil {
		return dst, end, err
	}
	t.signing.DropRepeated(completion.Choices)
	if usage := completion.Usage; usage != nil {
		usage.Unknown = turn.WithCost(usage.Unknown, told.Cost)
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
