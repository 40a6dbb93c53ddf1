package chat

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// logprobs converts the log probabilities of the tokens. Both APIs use natural logarithms. It
// returns nil, for null, if the candidate has no log probabilities.
func (c *converter) logprobs(candidate *normalize.Candidate, at int) *openaiapi.ChoiceLogprobs {
	if candidate.Logprobs == nil || len(candidate.Logprobs.Tokens) == 0 {
		return nil
	}
	if !areFinite(candidate.Logprobs.Tokens) {
		c.report.Add(report.Approximated, answer.Pointer(at, "/logprobsResult"), detailNotFinite)
	}
	return choiceLogprobs(candidate.Logprobs.Tokens)
}

const detailNotFinite = "converted to -9999, because a log probability is not a finite number"

func choiceLogprobs(tokens []normalize.TokenLogprob) *openaiapi.ChoiceLogprobs {
	content := make([]openaiapi.TokenLogprob, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		content[i] = openaiapi.TokenLogprob{
			Token: t.Token, Logprob: openaianswer.FiniteLogprob(t.Logprob),
			Bytes: openaianswer.TokenBytes(t.Token), TopLogprobs: topLogprobs(t.Top),
		}
	}
	return &openaiapi.ChoiceLogprobs{Content: content}
}

func topLogprobs(tokens []normalize.TokenLogprob) []openaiapi.TopLogprob {
	out := make([]openaiapi.TopLogprob, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		out[i] = openaiapi.TopLogprob{Token: t.Token,
			Logprob: openaianswer.FiniteLogprob(t.Logprob), Bytes: openaianswer.TokenBytes(t.Token)}
	}
	return out
}

func areFinite(tokens []normalize.TokenLogprob) bool {
	for i := range tokens {
		if !openaianswer.IsFinite(tokens[i].Logprob) || !areFinite(tokens[i].Top) {
			return false
		}
	}
	return true
}
