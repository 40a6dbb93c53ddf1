package reverse

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/reasoning"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// These are members of a message or a delta that only other servers have, with its thoughts. They
// are among the unknown members.
const (
	memberReasoning        = "reasoning"
	memberReasoningText    = "reasoning_text" // GitHub Copilot's
	memberReasoningDetails = "reasoning_details"
	memberThinkingBlocks   = "thinking_blocks"
)

// thoughtsIn reads the members of a message or a delta that may hold thoughts. It reports what the
// thoughts do not show.
func thoughtsIn(content *string, unknown jsontext.Value, entries *reporter,
	at string) reasoning.Members {
	out := reasoning.Members{Content: jsonx.Deref(content)}
	if unknown == nil {
		return out
	}
	said := jsonx.Member(unknown, memberReasoning)
	out.Reasoning = stringOf(said)
	entries.lose(at+"/"+memberReasoning, said.Kind() == jsontext.KindBeginObject)
	text := jsonx.Member(unknown, memberReasoningText)
	if out.Content == "" {
		out.Content, out.ContentMember = stringOf(text), memberReasoningText
	}
	entries.lose(at+"/"+memberReasoningText, text != nil && out.Content != stringOf(text))
	out.Details = elementsOf[openaiapi.ReasoningDetail](unknown, memberReasoningDetails, entries,
		at)
	out.Blocks = elementsOf[reasoning.Block](unknown, memberThinkingBlocks, entries, at)
	out.Report(func(kind report.Kind, pointer,
		detail string) {
		entries.add(kind, at+pointer, detail)
	})
	for i := range out.Details {
		entries.loseUnknown(at+"/"+memberReasoningDetails+"/"+strconv.Itoa(i),
			out.Details[i].Unknown)
	}
	for i := range out.Blocks {
		entries.loseUnknown(at+"/"+memberThinkingBlocks+"/"+strconv.Itoa(i), out.Blocks[i].Unknown)
	}
	return out
}

// elementsOf returns the elements of a list. If the list cannot be understood, it reports the list
// and returns nil.
func elementsOf[T any](unknown jsontext.Value, member string, report *reporter, at string) []T {
	value := jsonx.Member(unknown, member)
	if value == nil {
		return nil
	}
	var out []T
	if json.Unmarshal(value, &out) != nil {
		report.lose(at+"/"+member, true)
		return nil
	}
	return out
}

func stringOf(value jsontext.Value) string {
	var text string
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// sign assigns the thought signatures in reasoning_details to the parts.
func (t *turn) sign(thoughts *reasoning.Members) {
	if len(thoughts.Details) == 0 {
		return
	}
	var ids []string
	for i := range t.parts {
		if call := t.parts[i].FunctionCall; call != nil {
			ids = append(ids, jsonx.Deref(call.ID))
		}
	}
	alone := reasoning.Sign(t.parts, ids, thoughts.Details,
		func(kind report.Kind, pointer, detail string) { t.report.add(kind, t.at+pointer, detail) })
	if alone != nil {
		t.parts = append(t.parts, geminiapi.Part{Text: new(""), ThoughtSignature: alone})
	}
}
