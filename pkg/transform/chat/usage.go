package chat

import (
	"math"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// usage converts the counts so that prompt and completion always add up to the total: what tools of
// the server added belongs to the prompt, thinking belongs to the completion. A response without
// counts has zeros, as clients rely on the member.
func (c *converter) usage() *openaiapi.CompletionUsage {
	u := &c.in.Usage
	out := &openaiapi.CompletionUsage{
		PromptTokens:     addTokens(u.InputTokens, 0),
		CompletionTokens: addTokens(u.OutputTokens, u.ThinkingTokens),
	}
	out.TotalTokens = addTokens(out.PromptTokens, out.CompletionTokens)
	out.PromptTokensDetails = promptDetails(u)
	out.CompletionTokensDetails = completionDetails(u, out.CompletionTokens)
	if u.Wire == nil {
		if u.TotalTokens == 0 && out.TotalTokens == 0 {
			c.report.Add(report.Added, usagePointer, "the response counts no tokens")
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

const usagePointer = "/usageMetadata"

// reportCounts reports the counts that the completion has in another form. Of those that do not add
// up there is a second reading, in which the candidates' tokens include the thoughts.
func (c *converter) reportCounts(u *normalize.Usage, out *openaiapi.CompletionUsage) {
	w := u.Wire
	for _, n := range []struct {
		member string
		count  *int
	}{
		{"/promptTokenCount", w.PromptTokenCount},
		{"/candidatesTokenCount", w.CandidatesTokenCount},
		{"/thoughtsTokenCount", w.ThoughtsTokenCount},
		{"/toolUsePromptTokenCount", w.ToolUsePromptTokenCount},
		{"/cachedContentTokenCount", w.CachedContentTokenCount},
	} {
		if n.count != nil && (*n.count < 0 || *n.count > maxTokens) {
			c.report.Add(report.Approximated, usagePointer+n.member, "not a count of tokens; taken as the nearest one")
		}
	}
	if w.CachedContentTokenCount != nil && *w.CachedContentTokenCount > u.CachedTokens && *w.CachedContentTokenCount <= math.MaxInt32 {
		c.report.Add(report.Approximated, usagePointer+"/cachedContentTokenCount", "more than the prompt has; taken as all of it")
	}
	if audio := audioTokens(w.CandidatesTokensDetails); audio != nil && *audio > out.CompletionTokens {
		c.report.Add(report.Approximated, usagePointer+"/candidatesTokensDetails", "more than the candidates have; taken as all of them")
	}
	if w.CandidatesTokenCount != nil && *w.CandidatesTokenCount > 0 && u.OutputTokens == 0 {
		c.report.Add(report.Approximated, usagePointer+"/candidatesTokenCount", "read as part of the thoughts, since the counts do not add up")
	}
	if w.TotalTokenCount != nil && *w.TotalTokenCount != out.TotalTokens {
		c.report.Add(report.Approximated, usagePointer+"/totalTokenCount", "not the sum of the counts; total_tokens is")
	}
	if c.plain && u.ToolUseTokens > 0 {
		c.report.Add(report.Approximated, usagePointer+"/toolUsePromptTokenCount", "counted in prompt_tokens")
	}
}

// maxTokens is the highest count that the wire has by its description; package normalize takes
// higher ones for it.
const maxTokens = math.MaxInt32

// addTokens adds counts of tokens; one below 0 is none.
func addTokens(a, b int) int {
	const highest = math.MaxInt / 4
	return min(max(a, 0), highest) + min(max(b, 0), highest)
}

// promptDetails returns the details, nil when there are none.
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

// completionDetails returns the details, or nil without any. AudioTokens is at most completionTokens.
func completionDetails(u *normalize.Usage, completionTokens int) *openaiapi.CompletionTokensDetails {
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

// audioTokens adds up the tokens of sound in lists by modality, nil when they have no entry for it.
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
				*out = addTokens(*out, *n)
			}
		}
	}
	return out
}

func isAudio(m *geminiapi.ModalityTokenCount) bool {
	return m.Modality != nil && *m.Modality == geminiapi.ModalityAudio
}

// shownCounts are the members of the wire's record that the completion has.
var shownCounts = []string{
	"promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount",
	"cachedContentTokenCount", "totalTokenCount",
}

// showsCount reports whether a leaf of the wire's record is a count that the completion has.
func showsCount(w *geminiapi.UsageMetadata, path []string) bool {
	switch len(path) {
	case 1:
		return slices.Contains(shownCounts, path[0])
	case 3:
		list := modalityLists[path[0]]
		return list != nil && isAudio(&list(w)[position(path[1])]) && (path[2] == "modality" || path[2] == "tokenCount")
	default:
		return false
	}
}

// modalityLists are the lists whose tokens of sound the completion has.
var modalityLists = map[string]func(*geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount{
	"promptTokensDetails":        func(w *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return w.PromptTokensDetails },
	"toolUsePromptTokensDetails": func(w *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return w.ToolUsePromptTokensDetails },
	"candidatesTokensDetails":    func(w *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return w.CandidatesTokensDetails },
}
