package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// usage converts the token counts so that prompt and completion always add up to the total. Tokens
// that server tools added count for the prompt, thinking counts for the completion. A response
// without counts gets zeros, because clients rely on the member.
func (c *converter) usage() *openaiapi.CompletionUsage {
	u := &c.in.Usage
	out := &openaiapi.CompletionUsage{
		PromptTokens:     openaianswer.AddTokens(u.InputTokens, 0),
		CompletionTokens: openaianswer.AddTokens(u.OutputTokens, u.ThinkingTokens),
	}
	out.TotalTokens = openaianswer.AddTokens(out.PromptTokens, out.CompletionTokens)
	out.PromptTokensDetails = promptDetails(u)
	out.CompletionTokensDetails = completionDetails(u, out.CompletionTokens)
	if u.Wire == nil {
		if u.TotalTokens == 0 && out.TotalTokens == 0 {
			c.report.Add(report.Added, answer.UsagePointer, "the response has no token counts")
		}
		return out
	}
	if u.Wire.TrafficType != nil && !c.plain {
		out.ExtraProperties = &openaiapi.UsageExtraProperties{
			Google: &openaiapi.GoogleUsage{TrafficType: new(string(*u.Wire.TrafficType))},
		}
	}
	c.reportCounts(u, out)
	return out
}

// reportCounts reports the counts that the completion shows in another form.
func (c *converter) reportCounts(u *normalize.Usage, out *openaiapi.CompletionUsage) {
	if audio := audioTokens(u.Wire.CandidatesTokensDetails); audio != nil &&
		*audio > out.CompletionTokens {
		c.report.Add(report.Approximated, answer.UsagePointer+"/candidatesTokensDetails",
			"more than the count of the candidates, which is used instead")
	}
	openaianswer.ReportCounts(&c.report, u, out.TotalTokens, "prompt_tokens", c.plain)
}

// promptDetails returns the details of the prompt's token counts, or nil without details.
func promptDetails(u *normalize.Usage) *openaiapi.PromptTokensDetails {
	var out openaiapi.PromptTokensDetails
	if u.CachedTokens > 0 || u.Wire != nil && u.Wire.CachedContentTokenCount != nil {
		out.CachedTokens = &u.CachedTokens
	}
	if u.Wire != nil {
		out.AudioTokens = audioTokens(u.Wire.PromptTokensDetails, u.Wire.ToolUsePromptTokensDetails)
	}
	if out.CachedTokens == nil && out.AudioTokens == nil {
		return nil
	}
	return new(out)
}

// completionDetails returns the details of the completion's token counts, or nil without details.
// AudioTokens is at most completionTokens.
func completionDetails(u *normalize.Usage,
	completionTokens int) *openaiapi.CompletionTokensDetails {
	var out openaiapi.CompletionTokensDetails
	if u.ThinkingTokens > 0 || u.Wire != nil && u.Wire.ThoughtsTokenCount != nil {
		out.ReasoningTokens = &u.ThinkingTokens
	}
	if u.Wire != nil {
		out.AudioTokens = audioTokens(u.Wire.CandidatesTokensDetails)
	}
	if out.AudioTokens != nil {
		*out.AudioTokens = min(*out.AudioTokens, completionTokens)
	}
	if out.ReasoningTokens == nil && out.AudioTokens == nil {
		return nil
	}
	return new(out)
}

// audioTokens sums the audio tokens in lists by modality. It returns nil if no list has an entry
// for audio.
func audioTokens(lists ...[]geminiapi.ModalityTokenCount) *int {
	var out *int
	for _, list := range lists {
		for i := range list {
			if !isAudio(&list[i]) {
				continue
			}
			if out == nil {
				out = new(int)
			}
			if n := list[i].TokenCount; n != nil {
				*out = openaianswer.AddTokens(*out, *n)
			}
		}
	}
	return out
}

func isAudio(m *geminiapi.ModalityTokenCount) bool {
	return m.Modality != nil && *m.Modality == geminiapi.ModalityAudio
}

// showsSound reports whether a value of Gemini's counts is an audio token count, which the
// completion has.
func showsSound(w *geminiapi.UsageMetadata, path []string) bool {
	if len(path) != 3 {
		return false
	}
	list := modalityLists[path[0]]
	return list != nil && isAudio(&list(w)[position(path[1])]) &&
		(path[2] == "modality" || path[2] == "tokenCount")
}

// modalityLists are the lists whose audio tokens the completion has.
var modalityLists = map[string]func(*geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount{
	"promptTokensDetails":        func(w *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return w.PromptTokensDetails },
	"toolUsePromptTokensDetails": func(w *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return w.ToolUsePromptTokensDetails },
	"candidatesTokensDetails":    func(w *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return w.CandidatesTokensDetails },
}
