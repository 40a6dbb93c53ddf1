package chat

import (
	"math"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// logprobs converts the tokens' log probabilities, which both sides give as natural logarithms; nil,
// for null, when there are none.
func (c *converter) logprobs(candidate *normalize.Candidate, at int) *openaiapi.ChoiceLogprobs {
	if candidate.Logprobs == nil || len(candidate.Logprobs.Tokens) == 0 {
		return nil
	}
	if !areFinite(candidate.Logprobs.Tokens) {
		c.report.Add(report.Approximated, pointer(at, "/logprobsResult"), detailNotFinite)
	}
	return choiceLogprobs(candidate.Logprobs.Tokens)
}

const detailNotFinite = "a log probability is no finite number; told as -9999"

func choiceLogprobs(tokens []normalize.TokenLogprob) *openaiapi.ChoiceLogprobs {
	content := make([]openaiapi.TokenLogprob, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		content[i] = openaiapi.TokenLogprob{
			Token: t.Token, Logprob: finite(t.Logprob), Bytes: tokenBytes(t.Token), TopLogprobs: topLogprobs(t.Top),
		}
	}
	return &openaiapi.ChoiceLogprobs{Content: content}
}

func topLogprobs(tokens []normalize.TokenLogprob) []openaiapi.TopLogprob {
	out := make([]openaiapi.TopLogprob, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		out[i] = openaiapi.TopLogprob{Token: t.Token, Logprob: finite(t.Logprob), Bytes: tokenBytes(t.Token)}
	}
	return out
}

// tokenBytes returns the token in UTF-8, from which clients put characters together that are spread
// over several tokens.
func tokenBytes(token string) []int {
	out := make([]int, len(token))
	for i := range len(token) {
		out[i] = int(token[i])
	}
	return out
}

// unlikely is OpenAI's value for a token that is far from likely.
const unlikely = -9999

func finite(logprob float64) float64 {
	if !isFinite(logprob) {
		return unlikely
	}
	return logprob
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func areFinite(tokens []normalize.TokenLogprob) bool {
	for i := range tokens {
		if !isFinite(tokens[i].Logprob) || !areFinite(tokens[i].Top) {
			return false
		}
	}
	return true
}

// moreLogprobs returns the wire's record when it has more than OpenAI's form does, else nil.
func moreLogprobs(w *geminiapi.LogprobsResult) *geminiapi.LogprobsResult {
	if w == nil {
		return nil
	}
	if w.LogProbabilitySum != nil || len(w.Unknown) > 0 || len(w.TopCandidates) > len(w.ChosenCandidates) ||
		haveMore(w.ChosenCandidates) {
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
		if c.TokenID != nil || len(c.Unknown) > 0 || c.LogProbability != nil && !isFinite(*c.LogProbability) {
			return true
		}
	}
	return false
}
