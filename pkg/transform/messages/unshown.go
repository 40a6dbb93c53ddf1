package messages

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// A whole answer and each chunk of a stream have the same members, so that both are reported by the functions in
// this file.

// loseResponse adds what a message does not show of the response's own members. An empty block reason or message
// says nothing that could be lost.
func loseResponse(entries *report.Report, wire *geminiapi.GenerateContentResponse, isBlocked bool) {
	rest := *wire
	if rest.PromptFeedback != nil {
		feedback := *rest.PromptFeedback
		feedback.BlockReason = jsonx.NonEmpty(jsonx.Deref(feedback.BlockReason))
		feedback.BlockReasonMessage = jsonx.NonEmpty(jsonx.Deref(feedback.BlockReasonMessage))
		rest.PromptFeedback = &feedback
	}
	if rest.UsageMetadata != nil {
		loseUsage(entries, *rest.UsageMetadata)
		rest.UsageMetadata = nil
	}
	if rest.CreateTime != nil {
		entries.Add(report.Approximated, "/createTime", detailDescribes)
		rest.CreateTime = nil
	}
	if rest.IsEmpty() {
		return
	}
	entries.AddUnshown("", new(rest), func(path []string, _ string) bool {
		return path[0] == "promptFeedback" && len(path) == 2 && isBlocked && (path[1] == "blockReason" || path[1] == "blockReasonMessage")
	}, detailNoCounterpart)
}

// loseCandidate adds what a message does not show of a candidate's own members, which stand at a pointer. Why the
// candidate ended is told by the stop reason, and explained by a refusal.
func (o *options) loseCandidate(entries *report.Report, at string, wire *geminiapi.Candidate) {
	rest := *wire
	rest.Content, rest.FinishReason = nil, nil
	if jsonx.Deref(rest.Index) == 0 {
		rest.Index = nil
	}
	isRefusal := normalize.MapFinishReason(jsonx.Deref(wire.FinishReason)) == normalize.FinishContentFilter
	if !isRefusal && jsonx.Deref(rest.FinishMessage) != "" {
		entries.Add(finishMessageFate(jsonx.Deref(wire.FinishReason)), at+"/finishMessage", "the stop reason tells it in a word")
	}
	rest.FinishMessage = nil
	if len(rest.SafetyRatings) > 0 { // the usual ones spare the walk
		entries.Add(report.Lost, at+"/safetyRatings", detailNoCounterpart)
		rest.SafetyRatings = nil
	}
	if rest.AvgLogprobs != nil {
		entries.Add(report.Approximated, at+"/avgLogprobs", detailDescribes)
		rest.AvgLogprobs = nil
	}
	if !rest.IsEmpty() {
		entries.AddUnshown(at, new(rest), func(path []string, _ string) bool {
			return o.webSearch && path[0] == "groundingMetadata" && showsGrounding(path[1:])
		}, detailNoCounterpart)
	}
	if content := jsonx.Deref(wire.Content); wire.Content != nil {
		content.Parts = nil
		if role := jsonx.Deref(content.Role); role == "" || role == "model" {
			content.Role = nil
		}
		if !content.IsEmpty() {
			entries.AddUnshown(at+"/content", new(content), report.Nothing, detailNoCounterpart)
		}
	}
}

// finishMessageFate tells what becomes of the words for why a candidate ended. Those of one that ended properly say no
// more than the reason: "Model generated function call(s)."
func finishMessageFate(reason geminiapi.FinishReason) report.Kind {
	if reason == geminiapi.FinishReasonStop || reason == geminiapi.FinishReasonMaxTokens {
		return report.Approximated
	}
	return report.Lost
}

// detailDescribes is the detail for what both services add to nearly every answer: it is about the answer, and nobody who asks by
// this API has asked for it.
const detailDescribes = "it describes the answer, and the Messages API has no place for it"

const detailOtherCandidate = "a message has one answer"
