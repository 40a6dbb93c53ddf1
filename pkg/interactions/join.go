package interactions

import (
	"slices"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Join joins the answers to a request that the server answered in several replies, each with the
// continuation token of the one before. The result has the steps of all replies, without the
// repeated input at the beginning of later ones. It has the id and the status of the last reply,
// and the time, the input and the previous interaction of the first. Tokens are added up;
// initial_input_tokens has those of the first input. Join does not change its arguments. It returns
// nil for no replies.
//
// A server stops at a limit of tokens, usually within an output or a thought, and the next reply
// begins with a step of the same type. Both are one step in the result, unless the thought has its
// signature. Google's SDKs return two steps there; [Text] is the same.
func Join(replies ...*interactionsapi.Interaction) *interactionsapi.Interaction {
	if len(replies) == 0 {
		return nil
	}
	first := replies[0]
	if len(replies) == 1 {
		return first
	}
	out := *replies[len(replies)-1]
	out.Created, out.Input, out.PreviousInteractionID = first.Created, first.Input,
		first.PreviousInteractionID
	out.Steps, out.Usage = slices.Clone(first.Steps), first.Usage
	for _, reply := range replies[1:] {
		steps := reply.Steps
		for len(steps) > 0 && steps[0].Type == interactionsapi.StepTypeUserInput {
			steps = steps[1:]
		}
		out.Steps = appendRest(out.Steps, steps)
		out.Usage = JoinUsage(out.Usage, reply.Usage)
	}
	return &out
}

// appendRest appends the steps of a reply to the steps of earlier replies. Its first step may
// continue the last one.
func appendRest(before, rest []interactionsapi.Step) []interactionsapi.Step {
	last := len(before) - 1
	if last < 0 || len(rest) == 0 || !Continues(&before[last], &rest[0]) {
		return append(before, rest...)
	}
	before[last] = joinSteps(&before[last], &rest[0])
	return append(before, rest[1:]...)
}

// Continues reports whether the first step of a reply continues the last step of the reply before
// it, which requires continuation: both are outputs, or both are thoughts and the first one has no
// signature yet. [Join] makes one step of them.
func Continues(before, rest *interactionsapi.Step) bool {
	if before.Type != rest.Type {
		return false
	}
	switch rest.Type {
	case interactionsapi.StepTypeModelOutput:
		return before.Error == nil
	case interactionsapi.StepTypeThought:
		return jsonx.Deref(before.Signature) == ""
	default:
		return false
	}
}

// joinSteps returns a step and its continuation as one step.
func joinSteps(before, rest *interactionsapi.Step) interactionsapi.Step {
	joined := newBuildingStep(0, before)
	blocks := ContentOf(rest)
	if joined.isThought() {
		blocks = rest.Summary
	}
	for i := range blocks {
		block := blocks[i]
		block.Annotations = MovedAnnotations(block.Annotations, joined.textLength())
		joined.addContent(block)
	}
	joined.sign(rest.Signature)
	out := joined.build()
	out.Error = rest.Error
	out.Unknown = jsonx.MergeObjects(before.Unknown, rest.Unknown)
	return out
}

// MovedAnnotations returns annotations whose offsets count from an earlier byte. It does not change
// its argument.
func MovedAnnotations(annotations []interactionsapi.Annotation,
	by int) []interactionsapi.Annotation {
	if by == 0 || len(annotations) == 0 {
		return annotations
	}
	out := slices.Clone(annotations)
	for i := range out {
		out[i].StartIndex, out[i].EndIndex = moved(out[i].StartIndex, by),
			moved(out[i].EndIndex, by)
	}
	return out
}

// moved returns an offset that counts from an earlier byte.
func moved(offset *int, by int) *int {
	if offset == nil {
		return nil
	}
	return new(*offset + by)
}

// JoinUsage returns the tokens of an answer before and after a continuation, count by count and
// modality by modality. It changes neither.
func JoinUsage(before, rest *interactionsapi.Usage) *interactionsapi.Usage {
	switch {
	case rest == nil:
		return before
	case before == nil:
		return rest
	}
	out := *rest
	addCount(&out.TotalTokens, before.TotalTokens)
	addCount(&out.TotalInputTokens, before.TotalInputTokens)
	addCount(&out.TotalCachedTokens, before.TotalCachedTokens)
	addCount(&out.TotalOutputTokens, before.TotalOutputTokens)
	addCount(&out.TotalToolUseTokens, before.TotalToolUseTokens)
	addCount(&out.TotalThoughtTokens, before.TotalThoughtTokens)
	out.InputTokensByModality = joinModalities(before.InputTokensByModality,
		out.InputTokensByModality)
	out.CachedTokensByModality = joinModalities(before.CachedTokensByModality,
		out.CachedTokensByModality)
	out.OutputTokensByModality = joinModalities(before.OutputTokensByModality,
		out.OutputTokensByModality)
	out.ToolUseTokensByModality = joinModalities(before.ToolUseTokensByModality,
		out.ToolUseTokensByModality)
	out.GroundingToolCount = joinTools(before.GroundingToolCount, out.GroundingToolCount)
	out.InitialInputTokens = before.InitialInputTokens
	jsonx.Keep(&out.InitialInputTokens, before.TotalInputTokens)
	out.Unknown = jsonx.MergeObjects(before.Unknown, out.Unknown)
	return &out
}

// addCount adds an earlier count to a count.
func addCount(count **int, before *int) {
	if before != nil {
		*count = new(*before + jsonx.Deref(*count))
	}
}

func joinModalities(before,
	rest []interactionsapi.ModalityTokens) []interactionsapi.ModalityTokens {
	out := slices.Clone(before)
	for _, more := range rest {
		i := slices.IndexFunc(out, func(m interactionsapi.ModalityTokens) bool {
			return jsonx.Deref(m.Modality) == jsonx.Deref(more.Modality)
		})
		if i < 0 {
			out = append(out, more)
			continue
		}
		out[i].Tokens = new(jsonx.Deref(out[i].Tokens) + jsonx.Deref(more.Tokens))
	}
	return out
}

func joinTools(before, rest []interactionsapi.GroundingToolCount) []interactionsapi.GroundingToolCount {
	out := slices.Clone(before)
	for _, more := range rest {
		i := slices.IndexFunc(out, func(c interactionsapi.GroundingToolCount) bool {
			return jsonx.Deref(c.Type) == jsonx.Deref(more.Type)
		})
		if i < 0 {
			out = append(out, more)
			continue
		}
		out[i].Count = new(jsonx.Deref(out[i].Count) + jsonx.Deref(more.Count))
	}
	return out
}
