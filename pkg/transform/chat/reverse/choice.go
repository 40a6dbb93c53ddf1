package reverse

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

const modelRole = "model"

// candidate converts a choice.
func (c *converter) candidate(choice *openaiapi.Choice, at string) geminiapi.Candidate {
	m := &choice.Message
	t := turn{options: &c.options, report: &c.report, at: at + "/message",
		google: googleOf(m.ExtraContent)}
	t.message(m, c.blocked)
	out := t.candidate()
	e := finish{reason: reasonOf(&choice.FinishReason, choice.Unknown),
		native: choice.NativeFinishReason, at: at, failure: failureOf(choice.Unknown)}
	if e.reason == "" && e.native == nil && !c.blocked {
		c.report.add(report.Added, at+"/finish_reason", "the choice ended without a reason")
		e.complete()
	}
	c.end(&out, &t, e, c.blocked)
	out.LogprobsResult, out.AvgLogprobs = logprobs(choice.Logprobs, &t.google, c.fromGemini,
		&c.report, at)
	if !c.fromGemini {
		sources := cited{text: t.text(), annotations: m.Annotations,
			at: pointersBelow(at+"/message/annotations", len(m.Annotations))}
		if choice == c.first {
			sources.lists = sourceListsIn(c.in.Unknown, "")
		}
		out.GroundingMetadata = sources.grounding(&c.report)
	} else if len(m.Annotations) > 0 {
		c.report.add(report.Approximated, at+"/message/annotations", detailOwn)
	}
	c.report.loseUnknown(at, choice.Unknown)
	c.report.loseMessage(&choice.Message, at+"/message")
	c.report.loseGoogle(at+"/message", m.ExtraContent, withoutCandidateMembers(t.google))
	return out
}

// candidate returns a candidate with all that the extension says about it, except its parts.
func (t *turn) candidate() geminiapi.Candidate {
	g := &t.google
	out := jsonx.Deref(g.Candidate)
	content := jsonx.Deref(out.Content)
	content.Parts = t.parts
	if content.Role == nil {
		content.Role = new(modelRole)
	}
	out.Content = &content
	if len(t.parts) == 0 && jsonx.Deref(content.Role) == modelRole && content.Unknown == nil {
		out.Content = nil
	}
	setIfPresent(&out.FinishMessage, g.FinishMessage)
	setIfPresent(&out.GroundingMetadata, g.GroundingMetadata)
	setIfPresent(&out.CitationMetadata, g.CitationMetadata)
	setIfPresent(&out.URLContextMetadata, g.URLContextMetadata)
	if g.SafetyRatings != nil {
		out.SafetyRatings = g.SafetyRatings
	}
	return out
}

func setIfPresent[T any](member **T, value *T) {
	if value != nil {
		*member = value
	}
}

// withoutCandidateMembers returns an extension without the members that candidates use.
func withoutCandidateMembers(g openaiapi.GoogleExtraContent) openaiapi.GoogleExtraContent {
	g.Candidate, g.FinishMessage, g.GroundingMetadata, g.CitationMetadata = nil, nil, nil, nil
	g.URLContextMetadata, g.SafetyRatings, g.AvgLogprobs, g.LogprobsResult = nil, nil, nil, nil
	return g
}

// loseMessage reports what a candidate does not show of a message.
func (r *reporter) loseMessage(m *openaiapi.ResponseMessage, at string) {
	r.differs(at+"/role", string(m.Role), string(openaiapi.RoleAssistant))
	r.loseUnknown(at, m.Unknown, memberContent, memberReasoning, memberReasoningText,
		memberReasoningDetails, memberThinkingBlocks)
}
