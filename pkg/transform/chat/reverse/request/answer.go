package request

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// modelTurn is a turn of the model before its conversion: the parts of one or more contents.
type modelTurn struct {
	parts []geminiapi.Part
	at    []string // the pointers of the parts
}

// answer adds a content of the model to its turn. Results in it come from functions that Google has
// run. They are handled like other results.
func (b *conversation) answer(in *geminiapi.Content, pointer string) error {
	switch {
	case len(in.Parts) == 0:
		b.report.Add(report.Approximated, pointer, detailEmpty)
		return nil
	case len(b.model.parts) > 0:
		b.report.Add(report.Approximated, pointer,
			"joined with the content before it, which has the same role")
	}
	for i := range in.Parts {
		p, at := &in.Parts[i], pointer+"/parts/"+strconv.Itoa(i)
		if p.FunctionResponse == nil {
			b.model.parts, b.model.at = append(b.model.parts, *p), append(b.model.at, at)
			continue
		}
		if err := b.endAnswer(); err != nil {
			return err
		}
		b.report.Add(report.Approximated, at,
			"converted to a tool message, although it is in a turn of the model")
		if err := b.result(p, at); err != nil {
			return err
		}
	}
	return nil
}

// endAnswer adds the message of the open model turn. It is the message that package openai makes
// from an answer with these parts.
func (b *conversation) endAnswer() error {
	turn := b.model
	if len(turn.parts) == 0 {
		return nil
	}
	b.model = modelTurn{}
	m, err := b.message(&turn)
	if err != nil {
		return err
	}
	if isEmpty(m) { // The user's turn continues: servers refuse two user messages in a row.
		return nil
	}
	if err := b.checkAnswered(); err != nil {
		return err
	}
	b.endQuestion()
	b.calls = b.callsOf(&turn, m.ToolCalls)
	b.out.Messages = append(b.out.Messages, *m)
	b.results = len(b.out.Messages)
	return nil
}

// isEmpty reports whether a message of the model is empty. Thoughts alone are empty without the
// extensions.
func isEmpty(m *openaiapi.ChatMessage) bool {
	return m.Content.IsZero() && len(m.ToolCalls) == 0 && m.ReasoningContent == nil &&
		m.ExtraContent == nil &&
		len(m.Images) == 0 && m.Audio == nil
}

// message makes the message of a turn. Most turns are a single text, which takes a shorter path.
func (b *conversation) message(turn *modelTurn) (*openaiapi.ChatMessage, error) {
	if text, ok := loneText(turn.parts); ok {
		return new(openai.AssistantText(text)), nil
	}
	answer := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
		Content:      &geminiapi.Content{Parts: turn.parts, Role: new(modelRole)},
		FinishReason: new(geminiapi.FinishReasonStop),
	}}}
	out, report, err := chat.FromGemini(answer,
		append(b.answerOptions(), chat.WithToolCallIDs(turn.madeID))...)
	if err != nil {
		return nil, turn.error(err)
	}
	for _, e := range report {
		if pointer, ok := turn.pointer(e.Pointer); ok {
			b.report.Add(e.Kind, pointer, e.Detail)
		}
	}
	m := openai.AssistantTurn(&out.Choices[0].Message)
	m.Refusal = nil
	if b.plain && m.Audio != nil {
		m.Audio = nil
		b.loseSound(turn)
	}
	if m.ExtraContent != nil {
		m.ExtraContent = turnExtension(m.ExtraContent)
	}
	return &m, nil
}

// loneText returns the text of a turn that consists of one text.
func loneText(parts []geminiapi.Part) (text string, ok bool) {
	if len(parts) != 1 || jsonx.Deref(parts[0].Text) == "" {
		return "", false
	}
	rest := parts[0]
	rest.Text = nil
	return *parts[0].Text, rest.IsEmpty()
}

// answerOptions returns the options to convert a turn as an answer. Only the message of the answer
// is used.
func (b *conversation) answerOptions() []chat.Option {
	if b.answering == nil {
		b.answering = []chat.Option{chat.WithID(modelRole), chat.WithModelName(modelRole),
			chat.WithCreated(time.Unix(0, 0))}
		if b.plain {
			b.answering = append(b.answering, chat.WithoutExtensions())
		}
		b.answering = slices.Clip(b.answering)
	}
	return b.answering
}

// turnExtension returns a message's extension without the members that only an answer has.
func turnExtension(extra *openaiapi.ExtraContent) *openaiapi.ExtraContent {
	google := *extra.Google
	google.Candidate = nil
	if google.IsEmpty() {
		return nil
	}
	return &openaiapi.ExtraContent{Google: &google}
}

// loseSound reports the sound of the model. OpenAI accepts it back only by OpenAI's own id.
func (b *conversation) loseSound(turn *modelTurn) {
	for i := range turn.parts {
		if turn.parts[i].InlineData != nil {
			b.report.Add(report.Lost, turn.at[i],
				"OpenAI accepts sound of the model only by OpenAI's id")
		}
	}
}

// madeID returns an id for a call without one. [request.ToGemini] recognizes such an id and knows
// that Gemini sent none.
func (t *modelTurn) madeID(_ string, _, part int) string {
	content, position, _ := strings.Cut(strings.TrimPrefix(t.at[part], "/contents/"), "/parts/")
	return callid.Made + content + "-" + position
}

const answerParts = "/candidates/0/content/parts"

// pointer converts a pointer into the answer to a pointer into the turn's contents. ok is false if
// it does not refer to a part.
func (t *modelTurn) pointer(of string) (pointer string, ok bool) {
	rest, ok := strings.CutPrefix(of, answerParts)
	if !ok {
		return "", false
	}
	position, member, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	i, err := strconv.Atoi(position)
	if err != nil || i >= len(t.at) { // all parts
		content, _, _ := strings.Cut(t.at[0], "/parts/")
		return content + "/parts", true
	}
	if member != "" {
		member = "/" + member
	}
	return t.at[i] + member, true
}

func (t *modelTurn) error(err error) error {
	out := &Error{Problem: "cannot be understood", Err: err}
	if part, ok := errors.AsType[*normalize.PartError](err); ok {
		out.Pointer, _ = t.pointer(part.Pointer)
		out.Problem, out.Err = part.Problem, nil
	}
	return out
}

// callsOf returns the calls of a message, which correspond to the calls among the turn's parts. It
// gives each call an id that is unique in the turn and not too long.
func (b *conversation) callsOf(turn *modelTurn, calls []openaiapi.ToolCall) []pendingCall {
	out := make([]pendingCall, 0, len(calls))
	taken := make(map[string]bool, len(calls))
	for i := range turn.parts {
		part := &turn.parts[i]
		if part.FunctionCall == nil || len(out) == len(calls) {
			continue
		}
		at, call := turn.at[i]+"/functionCall", &calls[len(out)]
		if taken[call.ID] || b.plain && len(call.ID) > longestName {
			b.report.Add(report.Approximated, at+"/id",
				"replaced, because it is too long or the id of another call")
			call.ID = turn.madeID("", 0, i)
		}
		taken[call.ID] = true
		call.Function.Name = b.nameOf(call.Function.Name, at+"/name")
		out = append(out,
			pendingCall{id: call.ID, wireID: jsonx.Deref(part.FunctionCall.ID),
				name: jsonx.Deref(part.FunctionCall.Name), at: at})
	}
	return out
}
