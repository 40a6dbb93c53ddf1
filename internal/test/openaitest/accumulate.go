package openaitest

import (
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// Accumulate joins chunks to a completion like clients do.
func Accumulate(chunks []openaiapi.CreateChatCompletionStreamResponse) *openaiapi.CreateChatCompletionResponse {
	out := &openaiapi.CreateChatCompletionResponse{Object: openaiapi.ObjectTypeChatCompletion,
		Choices: []openaiapi.Choice{}}
	for i := range chunks {
		c := &chunks[i]
		out.ID, out.Created, out.Model = c.ID, c.Created, c.Model
		if c.Usage != nil {
			out.Usage = c.Usage
		}
		if c.ExtraContent != nil {
			out.ExtraContent = c.ExtraContent
		}
		for j := range c.Choices {
			accumulateChoice(out, &c.Choices[j])
		}
	}
	slices.SortStableFunc(out.Choices, func(a, b openaiapi.Choice) int { return a.Index - b.Index })
	return out
}

func accumulateChoice(out *openaiapi.CreateChatCompletionResponse, c *openaiapi.ChunkChoice) {
	at := slices.IndexFunc(out.Choices, func(o openaiapi.Choice) bool { return o.Index == c.Index })
	if at < 0 {
		at = len(out.Choices)
		out.Choices = append(out.Choices, openaiapi.Choice{Index: c.Index})
	}
	choice := &out.Choices[at]
	if c.FinishReason != nil {
		choice.FinishReason, choice.NativeFinishReason = *c.FinishReason, c.NativeFinishReason
	}
	if c.Logprobs != nil {
		if choice.Logprobs == nil {
			choice.Logprobs = &openaiapi.ChoiceLogprobs{}
		}
		choice.Logprobs.Content = append(choice.Logprobs.Content, c.Logprobs.Content...)
	}
	m, d := &choice.Message, &c.Delta
	if d.Role != nil {
		m.Role = *d.Role
	}
	join(&m.Content, d.Content)
	join(&m.ReasoningContent, d.ReasoningContent)
	join(&m.Refusal, d.Refusal)
	for i := range d.ToolCalls {
		accumulateCall(m, &d.ToolCalls[i])
	}
	m.Annotations = append(m.Annotations, d.Annotations...)
	m.Images = append(m.Images, d.Images...)
	if d.Audio != nil {
		accumulateSound(m, d.Audio)
	}
	if d.ExtraContent != nil {
		m.ExtraContent = d.ExtraContent
	}
}

// accumulateSound joins the texts of the pieces of a sound like clients do.
func accumulateSound(m *openaiapi.ResponseMessage, a *openaiapi.MessageAudio) {
	if m.Audio == nil {
		m.Audio = &openaiapi.ResponseAudio{ID: *a.ID, Data: *a.Data, ExpiresAt: *a.ExpiresAt,
			Transcript: *a.Transcript}
		return
	}
	m.Audio.Data += *a.Data
	if a.ID != nil {
		m.Audio.ID += *a.ID
	}
}

func join(text **string, more *string) {
	if more != nil {
		whole := *more
		if *text != nil {
			whole = **text + whole
		}
		*text = &whole
	}
}

func accumulateCall(m *openaiapi.ResponseMessage, c *openaiapi.ToolCallChunk) {
	if c.Index == len(m.ToolCalls) {
		m.ToolCalls = append(m.ToolCalls,
			openaiapi.ToolCall{ID: *c.ID, Type: *c.Type,
				Function: &openaiapi.FunctionCall{Name: *c.Function.Name}})
	}
	call := &m.ToolCalls[c.Index]
	call.Function.Arguments += *c.Function.Arguments
	if c.ExtraContent != nil {
		call.ExtraContent = c.ExtraContent
	}
}
