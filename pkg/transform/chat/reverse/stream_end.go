package reverse

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/layout"
)

// last returns the last chunk: the finish reasons, the token counts, and what is known only then.
// If the stream has failed, it has only the candidates that had finished.
func (s *Stream) last(isProper bool) *answer {
	rest := jsonx.Deref(s.google.Response)
	if s.fromGemini {
		s.forgetMadeNames()
	}
	out := s.answer()
	out.PromptFeedback, out.ModelStatus = s.google.PromptFeedback, s.google.ModelStatus
	out.TurnToken, out.Unknown = rest.TurnToken, rest.Unknown
	out.CreateTime = cmp.Or(s.google.CreateTime, s.head.createTime)
	setIfPresent(&out.ResponseID, rest.ResponseID)
	setIfPresent(&out.ModelVersion, rest.ModelVersion)
	blocked := isBlockedStream(s.google.PromptFeedback)
	for _, c := range s.choices.All() {
		if !isProper && c.finish.reason == "" || blocked && c.isRefusalAlone() {
			continue
		}
		out.Candidates = append(out.Candidates, s.endChoice(c, blocked))
	}
	out.UsageMetadata = s.endUsage()
	return out
}

// isBlockedStream reports whether the feedback says that the prompt was refused.
func isBlockedStream(feedback *geminiapi.PromptFeedback) bool {
	return feedback != nil &&
		(jsonx.Deref(feedback.BlockReason) != "" || jsonx.Deref(feedback.BlockReasonMessage) != "")
}

// isRefusalAlone reports whether a choice only says that the prompt was refused.
func (c *streamChoice) isRefusalAlone() bool {
	return c.refusal.Len() > 0 && c.extra == nil && !c.sent
}

// forgetMadeNames removes an id and a model name that package openai made.
func (s *Stream) forgetMadeNames() {
	if s.head.wireID == madeName && s.id == "" {
		s.head.id = nil
	}
	if s.head.wireModel == madeName && s.model == "" {
		s.head.model = nil
	}
}

// endUsage returns the counts of the whole stream.
func (s *Stream) endUsage() *geminiapi.UsageMetadata {
	r := s.report.about(s.usageAt)
	out := usage(s.usage, s.google.UsageMetadata, &r)
	s.report.entries = r.entries
	if s.tier == nil {
		return out
	}
	tier, known := serviceTiers[*s.tier]
	if !known || out != nil && out.ServiceTier != nil {
		return out
	}
	if out == nil {
		out = &geminiapi.UsageMetadata{}
	} else {
		out = new(*out)
	}
	out.ServiceTier = &tier
	return out
}

// endChoice returns the last chunk of a candidate. If all content was sent before, it has an empty
// text, like the last chunks of Google. In chats of @google/genai 2.32 a chunk without a part
// invalidates the turn.
func (s *Stream) endChoice(c *streamChoice, isBlocked bool) geminiapi.Candidate {
	t := turn{options: &s.options, report: &s.report,
		at: strings.TrimPrefix(c.googleAt,
			s.report.at()), google: c.google, malformed: c.calls.malformed, refused: c.isRefused}
	if c.refusal.Len() > 0 && !isBlocked {
		t.refused = true
		t.say(c.refusal.String())
	}
	c.sendCalls(&t)
	for _, signature := range c.signatures.rest() {
		t.parts = append(t.parts, geminiapi.Part{Text: new(""), ThoughtSignature: signature})
	}
	if c.held.Len() > 0 {
		t.say(unwrap(c.held.String(), s.wrapped))
	}
	s.restoreRest(c, &t)
	out := t.candidate()
	if len(t.parts) == 0 && c.sent {
		out.Content = &geminiapi.Content{Role: &s.role, Parts: []geminiapi.Part{{Text: new("")}}}
	}
	out.Index = &c.index
	if c.finish.reason == "" {
		s.report.add(report.Added, "/choices", "the stream ended without a reason")
		c.finish.complete()
		c.endingAt = s.report.at()
	}
	r := s.report.about(c.endingAt)
	t.report = &r
	s.end(&out, &t, c.finish, isBlocked)
	s.report.entries = r.entries
	if out.AvgLogprobs = c.google.AvgLogprobs; !s.fromGemini {
		out.AvgLogprobs = c.mean.value()
	}
	s.endSources(c, &out)
	return out
}

// endSources sets the sources of a candidate. Sources listed next to the choices belong to the
// first candidate.
func (s *Stream) endSources(c *streamChoice, out *geminiapi.Candidate) {
	r := s.report.about("")
	sources := cited{text: c.text.String(), annotations: c.annotations, at: c.annotationsAt}
	if s.isFirst(c) {
		sources.lists = s.sourceLists()
	}
	if !s.fromGemini {
		out.GroundingMetadata = sources.grounding(&r)
	} else {
		for _, at := range c.annotationsAt {
			r.add(report.Approximated, at, detailOwn)
		}
		for i := range sources.lists {
			r.lose(sources.lists[i].at, true)
		}
	}
	s.report.entries = r.entries
}

// isFirst reports whether a choice has the lowest index.
func (s *Stream) isFirst(c *streamChoice) bool {
	for _, first := range s.choices.All() {
		return first == c
	}
	return false
}

// restoreRest adds what only a choice's extension has: parts that no other member holds, and
// signatures of texts that were sent before.
func (s *Stream) restoreRest(c *streamChoice, t *turn) {
	if c.extra == nil {
		return
	}
	r := s.report.about("")
	t.report, t.at = &r, c.googleAt
	if len(t.google.Parts) > 0 {
		r.add(report.Approximated, c.googleAt+"/extra_content/google/parts",
			"parts that were already sent keep their place; the remaining parts follow them")
	}
	for i := range t.google.Parts {
		if part, ok := layout.After(&t.google.Parts[i]); ok {
			t.parts = append(t.parts, part)
		}
	}
	if len(t.google.Parts) == 0 && t.google.ThoughtSignature != nil {
		t.parts = append(t.parts,
			geminiapi.Part{Text: new(""), ThoughtSignature: t.google.ThoughtSignature})
	}
	if given := t.google.MIMEType; given != nil {
		r.differs(c.googleAt+"/extra_content/google/mime_type", *given, c.soundType)
	}
	t.google.Parts, t.google.ThoughtSignature, t.google.Checksum, t.google.MIMEType = nil, nil, nil,
		nil
	r.loseGoogle(c.googleAt, c.extra, withoutCandidateMembers(t.google))
	s.report.entries = r.entries
	t.report = &s.report
}
