package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// reportRest reports what the response does not show besides the parts.
func (c *converter) reportRest(*encoder) {
	for at := range c.in.Candidates {
		position := c.in.WirePosition(at)
		switch {
		case at > 0:
			c.report.Add(report.Lost, pointer(position, ""), detailOtherCandidate)
		case c.plain:
			wire := c.in.Candidates[at].WireMetadata()
			wire.Index = &c.in.Candidates[at].Index
			loseCandidate(&c.report, pointer(position, ""), wire)
		}
	}
	for _, position := range c.in.MovedIndexes {
		c.report.Add(report.Approximated, pointer(position, "/index"), detailIndexMoved)
	}
	c.report = append(c.report, c.in.JoinedPieces...)
	if c.plain {
		c.loseEnvelope()
	}
	for _, pointer := range c.in.Ignored {
		if !c.report.Covers(pointer) {
			c.report.Add(report.Lost, pointer, "a value of this type makes no sense here")
		}
	}
}

const (
	detailOtherCandidate = "a response has one answer"
	detailIndexMoved     = "a candidate before it has the index; this one has the lowest that is free"
	detailRefusal        = "the response has failed, and says that the prompt was refused"
)

// reportRefusal reports what a refused prompt replaces.
func (c *converter) reportRefusal() {
	if len(c.in.Candidates) == 0 {
		c.report.Add(report.Added, "/candidates", detailRefusal)
		return
	}
	if c.plain && c.in.Candidates[0].NativeFinishReason != "" {
		c.report.Add(report.Lost, pointer(c.in.WirePosition(0), "/finishReason"), "the prompt was refused")
	}
}

// loseEnvelope reports what a response without extensions does not show besides its candidates.
func (c *converter) loseEnvelope() {
	rest := jsonx.Deref(c.responseRest())
	rest.PromptFeedback, rest.UsageMetadata = c.in.PromptFeedback, c.in.Usage.Wire
	if c.in.Extra != nil {
		rest.ModelStatus = c.in.Extra.ModelStatus
	}
	loseResponse(&c.report, &rest, c.blocked != nil)
}

// loseResponse adds what a response without extensions does not show of the wire's own members. An empty block reason or
// message says nothing that could be lost.
func loseResponse(report *report.Report, wire *geminiapi.GenerateContentResponse, isBlocked bool) {
	rest := *wire
	if rest.PromptFeedback != nil {
		feedback := *rest.PromptFeedback
		feedback.BlockReason = jsonx.NonEmpty(jsonx.Deref(feedback.BlockReason))
		feedback.BlockReasonMessage = jsonx.NonEmpty(jsonx.Deref(feedback.BlockReasonMessage))
		rest.PromptFeedback = &feedback
	}
	if rest.IsEmpty() {
		return
	}
	report.AddUnshown("", &rest, func(path []string, _ string) bool {
		switch path[0] {
		case "usageMetadata":
			return showsCount(path[1:])
		case "promptFeedback":
			return len(path) == 2 && isBlocked && (path[1] == "blockReason" || path[1] == "blockReasonMessage")
		default:
			return false
		}
	}, detailNoCounterpart)
}

// loseCandidate adds what a response without extensions does not show of a candidate's own members, which stand at a
// pointer. Of records that are told as annotations, searches and log probabilities it does not say which leaf has a
// place there: what is behind the answer as a whole, scores and the like have none.
func loseCandidate(entries *report.Report, at string, wire *geminiapi.Candidate) {
	rest := *wire
	for _, record := range []struct {
		member string
		isSet  bool
	}{
		{"/groundingMetadata", rest.GroundingMetadata != nil},
		{"/citationMetadata", rest.CitationMetadata != nil},
		{"/urlContextMetadata", rest.URLContextMetadata != nil},
		{"/logprobsResult", rest.LogprobsResult != nil},
	} {
		if record.isSet {
			entries.Add(report.Lost, at+record.member, detailPartly)
		}
	}
	rest.GroundingMetadata, rest.CitationMetadata, rest.URLContextMetadata, rest.LogprobsResult = nil, nil, nil, nil
	rest.Content = nil
	if native := jsonx.Deref(rest.FinishReason); native == geminiapi.FinishReasonStop || native == geminiapi.FinishReasonMaxTokens ||
		fateOf(&finished{reason: normalize.MapFinishReason(native), native: native}) == failed {
		rest.FinishReason = nil // the status, or the error, says it
	}
	if jsonx.Deref(rest.Index) == 0 {
		rest.Index = nil
	}
	if jsonx.Deref(rest.FinishMessage) == "" {
		rest.FinishMessage = nil
	}
	if !rest.IsEmpty() {
		entries.AddUnshown(at, &rest, report.Nothing, detailNoCounterpart)
	}
	if content := jsonx.Deref(wire.Content); wire.Content != nil {
		content.Parts = nil
		if role := jsonx.Deref(content.Role); role == "" || role == modelRole {
			content.Role = nil
		}
		if !content.IsEmpty() {
			entries.AddUnshown(at+"/content", &content, report.Nothing, detailNoCounterpart)
		}
	}
}

const detailPartly = "told only as far as annotations, searches and log probabilities have a place for it"

// withoutPieces returns a part without what says that a function call comes in pieces, which package normalize reports.
func withoutPieces(part *geminiapi.Part) *geminiapi.Part {
	if part == nil || part.FunctionCall == nil {
		return part
	}
	call := *part.FunctionCall
	if jsonx.Deref(call.Name) == "" || jsonx.Deref(call.WillContinue) || len(call.PartialArgs) > 0 {
		call.WillContinue, call.PartialArgs = nil, nil
	}
	out := *part
	out.FunctionCall = &call
	return &out
}
