package answercheck

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// usage checks that the counts match. All of 3,412 recorded totals are the sum of the four counts
// (gemini-wire 4.11). A total without thoughts, which are then part of candidatesTokenCount, is
// accepted too, as in package normalize.
func (c *checker) usage(at string, u *geminiapi.UsageMetadata) {
	prompt, candidates := jsonx.Deref(u.PromptTokenCount), jsonx.Deref(u.CandidatesTokenCount)
	thoughts, toolUse := jsonx.Deref(u.ThoughtsTokenCount), jsonx.Deref(u.ToolUsePromptTokenCount)
	inclusive := prompt + candidates + toolUse
	sum := inclusive + thoughts
	if u.TotalTokenCount != nil && *u.TotalTokenCount != sum &&
		(*u.TotalTokenCount != inclusive || thoughts > candidates) {
		c.number(at+"/totalTokenCount", ruleSum, *u.TotalTokenCount, fmt.Sprintf(
			"must be %d, the sum of prompt, candidates, thoughts and tool use", sum))
	}
	if cached := jsonx.Deref(u.CachedContentTokenCount); cached > max(prompt, 0) &&
		u.PromptTokenCount != nil {
		c.number(at+"/cachedContentTokenCount", ruleWithin, cached, fmt.Sprintf(
			"must be at most %d, the promptTokenCount, which includes it", prompt))
	}
	for _, d := range details {
		taken := map[geminiapi.Modality]bool{}
		for i, count := range d.of(u) {
			modality := jsonx.Deref(count.Modality)
			if taken[modality] && modality != "" {
				c.report(element(at+"/"+d.name, i)+"/modality", ruleUnique,
					"must differ from the modality of any earlier count")
			}
			taken[modality] = true
		}
		c.splits(at, &d, u)
	}
}

// splits checks that the counts by modality do not exceed the count that they split.
func (c *checker) splits(at string, d *detail, u *geminiapi.UsageMetadata) {
	if d.whole == nil {
		return
	}
	sum, whole := 0, max(jsonx.Deref(d.whole(u)), 0)
	for _, count := range d.of(u) {
		sum += jsonx.Deref(count.TokenCount)
	}
	if sum > whole {
		c.number(at+"/"+d.name, ruleWithin, sum,
			fmt.Sprintf("must add up to at most %d, the %s", whole, d.splits))
	}
}

// detail is a member that splits a count by modality.
type detail struct {
	name   string
	of     func(*geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount
	splits string                              // the count
	whole  func(*geminiapi.UsageMetadata) *int // nil if the sum may exceed the count
}

// details are the members that split a count by modality. Vertex AI was recorded with prompt
// details whose sum is above the count.
var details = []detail{
	{"cacheTokensDetails",
		func(u *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return u.CacheTokensDetails },
		"cachedContentTokenCount",
		func(u *geminiapi.UsageMetadata) *int { return u.CachedContentTokenCount }},
	{"candidatesTokensDetails",
		func(u *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return u.CandidatesTokensDetails },
		"candidatesTokenCount",
		func(u *geminiapi.UsageMetadata) *int { return u.CandidatesTokenCount }},
	{"promptTokensDetails",
		func(u *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return u.PromptTokensDetails },
		"promptTokenCount", nil},
	{"responseTokensDetails",
		func(u *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return u.ResponseTokensDetails },
		"responseTokenCount",
		func(u *geminiapi.UsageMetadata) *int { return u.ResponseTokenCount }},
	{"toolUsePromptTokensDetails",
		func(u *geminiapi.UsageMetadata) []geminiapi.ModalityTokenCount { return u.ToolUsePromptTokensDetails },
		"toolUsePromptTokenCount",
		func(u *geminiapi.UsageMetadata) *int { return u.ToolUsePromptTokenCount }},
}
