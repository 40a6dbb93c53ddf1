package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// The tables of this file define what a response without extensions makes of each member of an
// answer. A whole answer and each chunk of a stream have the same members, so the tables serve
// both. Code handles these cases:
//
//   - counts whose values differ (reportUsage);
//   - parts (block.go, code.go, toolcall.go), because making an item decides what it does not show
//     of its part;
//   - sources whose spans move (annotation.go), because they count over the whole text;
//   - why a candidate ended (outcomeOf) and what a refused prompt replaces (reportRefusal), because
//     both depend on the output.

// reportRest reports what the response does not show, apart from the parts.
func (c *converter) reportRest(*encoder) {
	for at := range c.in.Candidates {
		position := c.in.WirePosition(at)
		switch {
		case at > 0:
			c.report.Add(report.Lost, answer.Pointer(position, ""), detailOtherCandidate)
		case c.plain:
			wire := c.in.Candidates[at].WireMetadata()
			wire.Index = &c.in.Candidates[at].Index
			reportCandidate(&c.report, answer.Pointer(position, ""), wire)
		}
	}
	answer.AddJoined(&c.report, c.in)
	if c.plain {
		c.loseEnvelope()
	}
	answer.AddIgnored(&c.report, c.in)
}

const (
	detailOtherCandidate = "a response has only one answer"
	detailRefusal        = "the response has failed and says that the prompt was refused"
)

// reportRefusal reports what a refused prompt replaces.
func (c *converter) reportRefusal() {
	if len(c.in.Candidates) == 0 {
		c.report.Add(report.Added, "/candidates", detailRefusal)
		return
	}
	if c.plain && c.in.Candidates[0].NativeFinishReason != "" {
		c.report.Add(report.Lost, answer.Pointer(c.in.WirePosition(0), "/finishReason"),
			answer.DetailRefused)
	}
}

// loseEnvelope reports what a response without extensions does not show, apart from its candidates.
func (c *converter) loseEnvelope() {
	rest, own := answer.WireMembers(c.in), jsonx.Deref(c.responseRest())
	rest.ResponseID, rest.ModelVersion = own.ResponseID, own.ModelVersion
	reportResponse(&c.report, &rest, c.blocked != nil)
}

// responseMembers and usageMembers are the same in every form. reportUsage handles counts whose
// values differ.
var (
	responseMembers = answer.NewResponseTable(detailNoCounterpart)
	usageMembers    = answer.NewUsageTable(detailNoCounterpart)
)

// candidateMembers are the members of a candidate except its content. Records that become
// annotations, searches and log probabilities are shown in part. The table does not say which of
// their values are shown. Sources of the answer as a whole, scores and the like are not.
var candidateMembers = &answer.CandidateTable{Detail: detailNoCounterpart,
	Members: []answer.Member[geminiapi.Candidate]{
		partly("/groundingMetadata",
			func(c *geminiapi.Candidate) **geminiapi.GroundingMetadata { return &c.GroundingMetadata }),
		partly("/citationMetadata",
			func(c *geminiapi.Candidate) **geminiapi.CitationMetadata { return &c.CitationMetadata }),
		partly("/urlContextMetadata",
			func(c *geminiapi.Candidate) **geminiapi.URLContextMetadata { return &c.URLContextMetadata }),
		partly("/logprobsResult",
			func(c *geminiapi.Candidate) **geminiapi.LogprobsResult { return &c.LogprobsResult }),
		answer.ContentRow,
		{Pointer: "/finishReason", Take: answer.If(isFinishShown,
			answer.Value(func(c *geminiapi.Candidate) **geminiapi.FinishReason { return &c.FinishReason }),
		)},
		answer.FirstIndexRow,
		answer.EmptyMessageRow,
	}}

// partly returns the table row of a record that is shown in part.
func partly[V any](pointer string,
	of func(*geminiapi.Candidate) **V) answer.Member[geminiapi.Candidate] {
	return answer.Member[geminiapi.Candidate]{Pointer: pointer, Take: answer.Value(of),
		Kind: report.Lost, Detail: detailPartly}
}

// isFinishShown reports whether the response's status or error shows why a candidate ended.
func isFinishShown(c *geminiapi.Candidate) bool {
	native := jsonx.Deref(c.FinishReason)
	return native == geminiapi.FinishReasonStop || native == geminiapi.FinishReasonMaxTokens ||
		fateOf(&finished{reason: normalize.MapFinishReason(native), native: native}) == failed
}

// These are the same in every form.
var (
	contentMembers  = answer.NewContentTable(detailNoCounterpart)
	callMembers     = answer.NewCallTable(detailNoCounterpart)
	callPartMembers = answer.NewCallPartTable(detailNoCounterpart)
)

// reportResponse reports what a response without extensions does not show of the wire's own
// members. isRefusal reports whether it is a refusal.
func reportResponse(entries *report.Report, wire *geminiapi.GenerateContentResponse,
	isRefusal bool) {
	responseMembers.Report(entries, "", wire, answer.FeedbackShown(isRefusal))
	if wire.UsageMetadata != nil {
		usageMembers.Report(entries, "", wire.UsageMetadata, unshown.Nothing)
	}
}

// reportCandidate reports what a response without extensions does not show of the own members of
// the candidate at a pointer.
func reportCandidate(entries *report.Report, at string, wire *geminiapi.Candidate) {
	answer.ReportCandidate(entries, at, wire, candidateMembers, contentMembers, unshown.Nothing)
}

const detailPartly = "converted only in part, to annotations, searches and log probabilities"
