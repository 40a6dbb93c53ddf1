package openaianswer

import (
	"math"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// TokenBytes returns a token in UTF-8. Clients join the bytes of characters that span several
// tokens.
func TokenBytes(token string) []int {
	out := make([]int, len(token))
	for i := range len(token) {
		out[i] = int(token[i])
	}
	return out
}

// unlikely is OpenAI's value for a very unlikely token.
const unlikely = -9999

// FiniteLogprob returns a log probability. For a number that JSON does not have, it returns
// OpenAI's lowest value.
func FiniteLogprob(logprob float64) float64 {
	if !IsFinite(logprob) {
		return unlikely
	}
	return logprob
}

// IsFinite reports whether JSON can represent a number.
func IsFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// MoreLogprobs returns Gemini's log probabilities if they have more data than OpenAI's, else nil.
func MoreLogprobs(w *geminiapi.LogprobsResult) *geminiapi.LogprobsResult {
	if w == nil {
		return nil
	}
	if w.LogProbabilitySum != nil || len(w.Unknown) > 0 ||
		len(w.TopCandidates) > len(w.ChosenCandidates) || haveMore(w.ChosenCandidates) {
		return w
	}
	for i := range w.TopCandidates {
		if len(w.TopCandidates[i].Unknown) > 0 || haveMore(w.TopCandidates[i].Candidates) {
			return w
		}
	}
	return nil
}

func haveMore(list []geminiapi.LogprobsResultCandidate) bool {
	for i := range list {
		c := &list[i]
		if c.TokenID != nil || len(c.Unknown) > 0 ||
			c.LogProbability != nil && !IsFinite(*c.LogProbability) {
			return true
		}
	}
	return false
}
