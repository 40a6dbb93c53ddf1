package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// The functions of this file spare valid completions of the usual kinds the cost of validator, which
// would take as long as the whole conversion. The tags have the say: what breaks one of them is never
// let past here, as a test proves for each of them, and what is not looked at here is left to them.

func holds(r *openaiapi.CreateChatCompletionResponse) bool {
	return r.ID != "" && r.Object == openaiapi.ObjectTypeChatCompletion && r.Created >= 0 && r.Model != "" &&
		r.Moderation == nil && all(r.Choices, choiceHolds) && checkChoices(r) == nil &&
		(r.Usage == nil || usageHolds(r.Usage)) && extraHolds(r.ExtraContent)
}

func all[T any](list []T, hold func(*T) bool) bool {
	for i := range list {
		if !hold(&list[i]) {
			return false
		}
	}
	return true
}

func choiceHolds(c *openaiapi.Choice) bool {
	return c.Index >= 0 && c.FinishReason.Valid() && checkChoice(c) == nil && messageHolds(&c.Message) &&
		(c.Logprobs == nil || all(c.Logprobs.Content, tokenHolds) && all(c.Logprobs.Refusal, tokenHolds))
}

func messageHolds(m *openaiapi.ResponseMessage) bool {
	return m.Role == openaiapi.RoleAssistant && m.FunctionCall == nil && all(m.ToolCalls, callHolds) &&
		all(m.Annotations, annotationHolds) && checkMessage(m) == nil && all(m.Images, imageHolds) &&
		(m.Audio == nil || m.Audio.ID != "" && m.Audio.ExpiresAt >= 0) && extraHolds(m.ExtraContent)
}

func callHolds(c *openaiapi.ToolCall) bool {
	return c.ID != "" && c.Type == openaiapi.ToolTypeFunction && c.Custom == nil &&
		c.Function != nil && c.Function.Name != "" && jsontext.Value(c.Function.Arguments).IsValid() &&
		extraHolds(c.ExtraContent)
}

func annotationHolds(a *openaiapi.Annotation) bool {
	return a.Type == openaiapi.AnnotationTypeURLCitation && a.URLCitation.StartIndex >= 0 &&
		a.URLCitation.EndIndex >= a.URLCitation.StartIndex && a.URLCitation.URL != ""
}

func imageHolds(p *openaiapi.ContentPart) bool {
	return p.Type == openaiapi.ContentPartTypeImageURL && p.ImageURL != nil && !p.ImageURL.URL.IsZero() &&
		p.InputAudio == nil && p.File == nil && p.VideoURL == nil && p.PromptCacheBreakpoint == nil &&
		countHolds(p.Index) && extraHolds(p.ExtraContent)
}

func tokenHolds(t *openaiapi.TokenLogprob) bool {
	return bytesHold(t.Bytes) && all(t.TopLogprobs, func(t *openaiapi.TopLogprob) bool { return bytesHold(t.Bytes) })
}

func bytesHold(list []int) bool {
	return all(list, func(b *int) bool { return 0 <= *b && *b <= 255 })
}

func usageHolds(u *openaiapi.CompletionUsage) bool {
	return u.PromptTokens >= 0 && u.CompletionTokens >= 0 && u.TotalTokens >= 0 && checkUsage(u) == nil &&
		(u.PromptTokensDetails == nil || promptDetailsHold(u.PromptTokensDetails)) &&
		(u.CompletionTokensDetails == nil || completionDetailsHold(u.CompletionTokensDetails))
}

func promptDetailsHold(d *openaiapi.PromptTokensDetails) bool {
	return countHolds(d.CachedTokens) && countHolds(d.CacheWriteTokens) && countHolds(d.TextTokens) &&
		countHolds(d.ImageTokens) && countHolds(d.AudioTokens)
}

func completionDetailsHold(d *openaiapi.CompletionTokensDetails) bool {
	return countHolds(d.ReasoningTokens) && countHolds(d.TextTokens) && countHolds(d.AudioTokens) &&
		countHolds(d.AcceptedPredictionTokens) && countHolds(d.RejectedPredictionTokens)
}

func extraHolds(e *openaiapi.ExtraContent) bool {
	return e == nil || e.Vertex == nil && (e.Google == nil || all(e.Google.Parts, func(p *openaiapi.PreservedPart) bool {
		return countHolds(p.Index) && countHolds(p.Length)
	}))
}

func countHolds(n *int) bool { return n == nil || *n >= 0 }
