package normalize_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
)

func TestLogprobs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"none", `{}`, `null`},
		{"only the average", `{"avgLogprobs":-0.25}`, `{"average":-0.25}`},
		{
			"chosen tokens and their alternatives",
			`{"avgLogprobs":-0.5,"logprobsResult":{"logProbabilitySum":-1,
			  "chosenCandidates":[{"token":"The","tokenId":7,"logProbability":-0.75},{"token":" tide"}],
			  "topCandidates":[{"candidates":[{"token":"The","tokenId":7,"logProbability":-0.75},{"token":"A","logProbability":-1.5}]},
			                   {"candidates":[{"token":" tide","logProbability":0}]}]}}`,
			`{"average":-0.5,"sum":-1,"tokens":[
			  {"token":"The","id":7,"logprob":-0.75,"top":[{"token":"The","id":7,"logprob":-0.75},{"token":"A","logprob":-1.5}]},
			  {"token":" tide","logprob":0,"top":[{"token":" tide","logprob":0}]}]}`,
		},
		{
			"a gap and too many alternatives",
			`{"logprobsResult":{"chosenCandidates":[{"token":"a"},{"token":"b"}],"topCandidates":[{},{"candidates":[{"token":"c"}]},{"candidates":[{"token":"d"}]}]}}`,
			`{"tokens":[{"token":"a","logprob":0},{"token":"b","logprob":0,"top":[{"token":"c","logprob":0}]}]}`,
		},
		{
			"too few alternatives",
			`{"logprobsResult":{"chosenCandidates":[{"token":"a"},{"token":"b"}],"topCandidates":[{"candidates":[{"token":"c"}]}]}}`,
			`{"tokens":[{"token":"a","logprob":0,"top":[{"token":"c","logprob":0}]},{"token":"b","logprob":0}]}`,
		},
		{"nothing chosen", `{"logprobsResult":{"topCandidates":[{"candidates":[{"token":"c"}]}]}}`, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			logprobs := normalized(t, `{"candidates":[`+tt.in+`]}`).Candidates[0].Logprobs
			if logprobs != nil {
				logprobs.Wire = nil // the record itself, which another test looks at
			}
			equalJSON(t, asJSON(t, logprobs), tt.want)
		})
	}
}

func TestAlternativesOfATokenAreItsOwn(t *testing.T) {
	t.Parallel()
	tokens := normalized(t,
		`{"candidates":[{"logprobsResult":{"chosenCandidates":[{"token":"a"},{"token":"b"}],
		"topCandidates":[{"candidates":[{"token":"a"}]},{"candidates":[{"token":"b"}]}]}}]}`).Candidates[0].Logprobs.Tokens
	_ = append(tokens[0].Top, normalize.TokenLogprob{Token: "overwritten"})
	if got := tokens[1].Top[0].Token; got != "b" {
		t.Errorf("adding to the first token's alternatives changed the second's to %q", got)
	}
}
