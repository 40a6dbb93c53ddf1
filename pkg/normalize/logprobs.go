package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Logprobs are the log probabilities (natural logarithm) of a candidate's tokens.
type Logprobs struct {
	// Average is the mean over all tokens, nil if the wire has none.
	Average *float64 `json:"average,omitzero"`
	// Sum is the sum over all tokens, nil if the wire has none.
	Sum *float64 `json:"sum,omitzero"`
	// Tokens are the chosen tokens in order, each with its alternatives.
	Tokens []TokenLogprob `json:"tokens,omitzero" validate:"dive"`
	// Wire is the wire's complete record, nil if only the average was sent.
	Wire *geminiapi.LogprobsResult `json:"wire,omitzero" validate:"-"`
}

// TokenLogprob is a token with its log probability.
type TokenLogprob struct {
	// Token is the token's text.
	Token string `json:"token"`
	// ID is the token's number in the model's vocabulary, nil if the wire has none.
	ID *int `json:"id,omitzero"`
	// Logprob is the natural logarithm of the token's probability; 0 is certainty.
	Logprob float64 `json:"logprob"`
	// Top are the most probable tokens at this position, the best first. It is empty if they were
	// not requested. Its tokens have no Top of their own.
	Top []TokenLogprob `json:"top,omitzero" validate:"dive"`
}

// newLogprobs returns nil if the candidate has neither an average nor a record.
func newLogprobs(c *geminiapi.Candidate) *Logprobs {
	if c.AvgLogprobs == nil && c.LogprobsResult == nil {
		return nil
	}
	out := &Logprobs{Average: c.AvgLogprobs, Wire: c.LogprobsResult}
	if result := c.LogprobsResult; result != nil {
		out.Sum = result.LogProbabilitySum
		out.Tokens = tokenLogprobs(result.ChosenCandidates)
		alignTop(out.Tokens, result.TopCandidates)
	}
	return out
}

func tokenLogprobs(list []geminiapi.LogprobsResultCandidate) []TokenLogprob {
	if len(list) == 0 {
		return nil
	}
	return appendTokens(make([]TokenLogprob, 0, len(list)), list)
}

func appendTokens(out []TokenLogprob, list []geminiapi.LogprobsResultCandidate) []TokenLogprob {
	for i := range list {
		c := &list[i]
		out = append(out,
			TokenLogprob{Token: jsonx.Deref(c.Token), ID: c.TokenID,
				Logprob: jsonx.Deref(c.LogProbability)})
	}
	return out
}

// alignTop gives each token the alternatives at the same position of the wire's other list. All
// alternatives share one array, which saves an allocation per token.
func alignTop(tokens []TokenLogprob, top []geminiapi.TopCandidates) {
	top = top[:min(len(top), len(tokens))]
	size := 0
	for i := range top {
		size += len(top[i].Candidates)
	}
	all := make([]TokenLogprob, 0, size)
	for i := range top {
		start := len(all)
		all = appendTokens(all, top[i].Candidates)
		if len(all) > start {
			tokens[i].Top = all[start:len(all):len(all)]
		}
	}
}
