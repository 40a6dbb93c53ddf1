package gateway

import (
	"cmp"
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// held are the first chunks of a stream that show nothing yet.
type held struct {
	chunks []*geminiapi.GenerateContentResponse
	size   int // of them as JSON
	// unusable is the chunk that ends an unusable answer, if nothing follows it.
	unusable *geminiapi.GenerateContentResponse
}

const (
	// maxHeld is the maximum number of such chunks before the end of an answer.
	maxHeld = 8
	// maxHeldSize is the maximum size of such chunks. A chunk may have 64 MiB.
	maxHeldSize = 1 << 20
)

// mayHold reports whether a chunk after others is held back: one that shows nothing, or that ends
// an unusable answer. In a stream, content may follow such an end: each round of code execution
// but the last may end with STOP, and each candidate has its own end.
func mayHold(others int, isUnusable bool, chunk *geminiapi.GenerateContentResponse) bool {
	return isUnusable && others <= maxHeld || others < maxHeld && isSilent(chunk)
}

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
	h.chunks, h.size = append(h.chunks, own), h.size+len(body)
	return nil
}

// usage returns the token counts of the answer so far.
func (h *held) usage() (last *geminiapi.UsageMetadata) {
	for _, chunk := range h.chunks {
		last = cmp.Or(chunk.UsageMetadata, last)
	}
	return last
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
