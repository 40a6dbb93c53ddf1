package interactions

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// conclusion is the end of an interaction, without its steps, and the report entries about it.
type conclusion struct {
	interaction *interactionsapi.Interaction
	// candidate and grounding have pointers into the candidate.
	candidate, grounding report.Report
	// response has pointers into the response.
	response report.Report
}

// conclude ends the steps and returns the rest of the interaction. candidate is nil for a response
// without candidates. A whole answer and a stream end in the same way.
func (e *encoder) conclude(in *normalize.Response, candidate *normalize.Candidate,
	blocked *normalize.BlockedError, who *identity,
	kept *interactionsapi.Interaction) (out conclusion) {
	e.endSteps(candidate)
	usage := usageOf(&in.Usage)
	created, times := e.time(in.CreateTime)
	changed := changedCounts(&in.Usage, usage)
	out.response = append(times, changed...)
	ending := e.ending(candidate, blocked, &out)
	made := &struct { // one allocation
		interactionsapi.Interaction
		name string
	}{name: objectName}
	out.interaction = &made.Interaction
	made.Interaction = interactionsapi.Interaction{
		ID: who.id, Model: who.model, Agent: who.agent, Object: &made.name,
		Status: ending.status, Errors: ending.errors, ContinuationToken: ending.continuation,
		Usage: usage, ServiceTier: serviceTier(&in.Usage),
		Created: created, Updated: created, PreviousInteractionID: e.previous,
	}
	grounding := wireGrounding(candidate)
	entries, isShown := e.groundingReport(grounding)
	out.grounding = entries
	if !e.plain {
		google := googleMembers{parts: e.kept}
		google.addResponse(in, e.options, who, len(changed) > 0)
		if candidate != nil {
			google.addCandidate(candidate, &ending, isShown, e.showsPages(candidate.URLContext))
		}
		out.interaction.Unknown = google.extension()
	}
	restore(out.interaction, kept)
	return out
}

// endSteps ends the steps, and adds those of tools that only metadata have.
func (e *encoder) endSteps(candidate *normalize.Candidate) {
	e.end()
	if candidate != nil {
		e.derived(wireGrounding(candidate), candidate.URLContext)
	}
	e.settle()
	e.end()
}

// ending returns why the interaction ends.
func (e *encoder) ending(candidate *normalize.Candidate, blocked *normalize.BlockedError,
	out *conclusion) end {
	if blocked != nil {
		if candidate != nil && candidate.NativeFinishReason != "" && e.plain {
			out.candidate.Add(report.Lost, "/finishReason", answer.DetailRefused)
		}
		return refused(blocked)
	}
	if candidate == nil {
		return end{status: interactionsapi.InteractionStatusFailed}
	}
	ending, entries := endOf(&finished{candidate.NativeFinishReason, candidate.FinishMessage,
		continuationToken(candidate.Extra)}, e.made)
	out.candidate = entries
	return ending
}

// wireGrounding returns the metadata about sources of a candidate, or nil.
func wireGrounding(candidate *normalize.Candidate) *geminiapi.GroundingMetadata {
	if candidate == nil || candidate.Grounding == nil {
		return nil
	}
	return candidate.Grounding.Wire
}
