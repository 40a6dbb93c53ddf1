package answercheck

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/requestcheck"
)

// candidate checks one candidate.
func (c *checker) candidate(at string, candidate *geminiapi.Candidate) {
	if content := candidate.Content; content != nil {
		if role := jsonx.Deref(content.Role); role != "" && role != "model" {
			c.report(at+"/content/role", ruleRole, `must be "model"; the answer is the model's`)
		}
		for i := range content.Parts {
			c.part(element(at+"/content/parts", i), &content.Parts[i])
		}
	}
	if c.isWhole && candidate.Content == nil && len(candidate.Unknown) > 0 &&
		candidate.FinishReason == nil {
		c.report(at+"/content", ruleContent,
			"must be set; the candidate has only unknown members")
	}
	if candidate.GroundingMetadata != nil {
		c.grounding(at, candidate)
	}
	if candidate.CitationMetadata != nil {
		c.citations(at+"/citationMetadata/citationSources",
			candidate.CitationMetadata.CitationSources)
		c.citations(at+"/citationMetadata/citations", candidate.CitationMetadata.Citations)
	}
	if jsonx.Deref(candidate.FinishReason) == geminiapi.FinishReasonUnspecified {
		c.report(at+"/finishReason", ruleRequired,
			"must be a reason; the API omits FINISH_REASON_UNSPECIFIED")
	}
	if jsonx.Deref(candidate.FinishReason) == geminiapi.FinishReasonContinuation &&
		jsonx.Deref(candidate.ContinuationToken) == "" {
		c.report(at+"/continuationToken", ruleRequired,
			"must be set, because finishReason is CONTINUATION")
	}
	c.ratings(at+"/safetyRatings", candidate.SafetyRatings)
	if l := candidate.LogprobsResult; l != nil && l.TopCandidates != nil &&
		len(l.TopCandidates) != len(l.ChosenCandidates) {
		c.report(at+"/logprobsResult/topCandidates", ruleLength, fmt.Sprintf(
			"must have %d elements, one for each of chosenCandidates", len(l.ChosenCandidates)))
	}
}

// part checks that a part holds one kind of data. A lone signature, and members that the
// description does not know, also count as content; the table reports the unknown members.
func (c *checker) part(at string, p *geminiapi.Part) {
	switch data := requestcheck.DataOf(p); {
	case len(data) > 1:
		c.report(at, ruleOneMember, "must hold one of "+strings.Join(data, " and "))
	case len(data) == 0 && len(p.Unknown) == 0 && jsonx.Deref(p.ThoughtSignature) == "":
		c.report(at, ruleOneMember,
			"must hold content, one of "+strings.Join(requestcheck.PartData(), ", "))
	}
	if p.InlineData != nil {
		c.mimeType(at+"/inlineData", p.InlineData.MIMEType)
	}
	if p.FileData != nil {
		c.mimeType(at+"/fileData", p.FileData.MIMEType)
	}
	if call := p.FunctionCall; c.isWhole && call != nil && jsonx.Deref(call.Name) == "" {
		c.report(at+"/functionCall/name", ruleRequired, "must be set")
	}
}

// mimeType checks the type of media.
func (c *checker) mimeType(at string, name *string) {
	if kind, form, _ := strings.Cut(jsonx.Deref(name), "/"); name != nil &&
		(kind == "" || form == "") {
		c.report(at+"/mimeType", ruleMIMEType, "must be a MIME type such as image/png")
	}
}

// ratings checks that each category has one rating.
func (c *checker) ratings(list string, ratings []geminiapi.SafetyRating) {
	taken := map[geminiapi.HarmCategory]bool{}
	for i := range ratings {
		category := jsonx.Deref(ratings[i].Category)
		if taken[category] && category != "" {
			c.report(element(list, i)+"/category", ruleUnique,
				"must differ from the category of any earlier rating")
		}
		taken[category] = true
	}
}

// citations checks the ranges of citation sources.
func (c *checker) citations(list string, sources []geminiapi.CitationSource) {
	for i := range sources {
		s := &sources[i]
		if s.EndIndex != nil && jsonx.Deref(s.StartIndex) > *s.EndIndex {
			c.number(element(list, i)+"/endIndex", ruleOrder, *s.EndIndex, fmt.Sprintf(
				"must be at least %d, the startIndex", *s.StartIndex))
		}
	}
}
