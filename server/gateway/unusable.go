package gateway

import (
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// hint changes the request of an attempt after an unusable answer.
func hint(request *geminiapi.GenerateContentRequest, last *upstream.UnusableError) {
	if last == nil {
		return
	}
	turn.AddHint(request, last.IsCall)
	if last.IsCall && last.Repeats > 0 {
		turn.RequireCall(request)
	}
}

// unusable returns an error for an unusable answer. It is an [upstream.UnusableError]
// while the model may be called again, and then the problem of an empty answer. The forms decide
// about a malformed call that remains.
func (a *answering) unusable(t *upstream.Try, answer *geminiapi.GenerateContentResponse) error {
	if a.maxRepeats() == 0 {
		return nil
	}
	p, isCall := problem.Unusable(answer)
	switch {
	case p == nil || p.Code == problem.CodeEmptyAnswer && a.mayBeEmpty:
		return nil
	case t.MayRepeat():
		a.by.note(answer)
		a.wasted = append(a.wasted, wasted{a.by, a.tier, answer.UsageMetadata})
		return t.Again(p, isCall)
	case p.Code == problem.CodeEmptyAnswer:
		a.by.note(answer)
		a.usage = answer.UsageMetadata
		return t.Again(p, isCall)
	default:
		return nil
	}
}

// mayAnswerEmpty reports whether an empty answer can be the right one: the model continues its own
// text, or stops at a text of the client.
func mayAnswerEmpty(request *geminiapi.GenerateContentRequest) bool {
	if config := request.GenerationConfig; config != nil && len(config.StopSequences) > 0 {
		return true
	}
	last := len(request.Contents) - 1
	return last >= 0 && request.Contents[last].Role != nil &&
		*request.Contents[last].Role == "model"
}

// wasted is the usage of an unusable answer.
type wasted struct {
	by    answeredBy
	tier  *geminiapi.ServiceTier
	usage *geminiapi.UsageMetadata
}

// addWasted adds the usage and the cost of the unusable answers.
func (a *answering) addWasted() {
	e := &a.end
	for i := range a.wasted {
		w := &a.wasted[i]
		usage := normalize.NewUsage(w.usage)
		if usage.TotalTokens == 0 {
			continue
		}
		details := e.Usage.Wire
		hadNone := e.Usage.TotalTokens == 0
		e.Usage = e.Usage.Plus(usage)
		e.Usage.Wire = details
		cost, err := a.price(&w.by, w.tier, usage, a.start)
		switch {
		case err != nil:
			continue // as the answer itself
		case hadNone:
			e.Cost, e.Unpriced = cost, ""
		case e.Cost != nil && e.Cost.Currency == cost.Currency:
			sum := *e.Cost
			sum.Amount += cost.Amount
			sum.Lines = append(sum.Lines[:len(sum.Lines):len(sum.Lines)], cost.Lines...)
			e.Cost = &sum
		}
	}
}

// held are the first chunks of a stream that show nothing yet.
type held struct {
	chunks []*geminiapi.GenerateContentResponse
}

// mostHeld is the maximum number of such chunks.
const mostHeld = 8

func (h *held) hasRoom() bool { return len(h.chunks) < mostHeld }

// errHeldChunk cannot happen, because the chunk was just decoded.
var errHeldChunk = errors.New("gateway: a chunk cannot be encoded")

// add keeps a copy of a chunk, because the stream uses its memory again.
func (h *held) add(chunk *geminiapi.GenerateContentResponse) error {
	body, err := json.Marshal(chunk)
	if err != nil {
		return errors.Join(errHeldChunk, err)
	}
	own, err := gemini.DecodeResponse(body)
	if err != nil {
		return errors.Join(errHeldChunk, err)
	}
	h.chunks = append(h.chunks, own)
	return nil
}

// hasEnd reports whether a chunk ends its only candidate.
func hasEnd(chunk *geminiapi.GenerateContentResponse) bool {
	return len(chunk.Candidates) == 1 && chunk.Candidates[0].FinishReason != nil
}

// isSilent reports whether a chunk has no thought, no content and no end yet.
func isSilent(chunk *geminiapi.GenerateContentResponse) bool {
	if chunk.PromptFeedback != nil || len(chunk.Candidates) > 1 {
		return false
	}
	for i := range chunk.Candidates {
		candidate := &chunk.Candidates[i]
		if candidate.FinishReason != nil || candidate.GroundingMetadata != nil ||
			hasThought(candidate.Content) || problem.ShowsAnything(candidate.Content) {
			return false
		}
	}
	return true
}

func hasThought(content *geminiapi.Content) bool {
	if content == nil {
		return false
	}
	for i := range content.Parts {
		if part := &content.Parts[i]; part.Thought != nil && *part.Thought && part.Text != nil &&
			*part.Text != "" {
			return true
		}
	}
	return false
}
