package answer

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

const (
	// maxAlternatives is the maximum number of alternatives per token.
	maxAlternatives = 20
	// maxAllAlternatives is the maximum for all candidates together; a long answer has fewer per
	// token.
	maxAllAlternatives = 100_000
)

// logprobs gives each token of a text a probability and the requested number of alternatives. The
// chosen token is always the most likely one.
func (a *author) logprobs(text string) *geminiapi.LogprobsResult {
	result := &geminiapi.LogprobsResult{}
	alternatives := 0
	pieces := tokens(text)
	if a.config.Logprobs != nil {
		most := min(maxAlternatives, maxAllAlternatives/(len(pieces)*a.candidateCount()))
		alternatives = min(max(*a.config.Logprobs, 0), most)
	}
	sum := 0.0
	for i, token := range pieces {
		chosen := geminiapi.LogprobsResultCandidate{Token: &token, TokenID: new(tokenID(token)),
			LogProbability: new(a.logprob(i))}
		sum += *chosen.LogProbability
		result.ChosenCandidates = append(result.ChosenCandidates, chosen)
		if alternatives > 0 {
			result.TopCandidates = append(result.TopCandidates,
				geminiapi.TopCandidates{Candidates: likeliest(chosen, alternatives)})
		}
	}
	result.LogProbabilitySum = &sum
	return result
}

// likeliest returns the most likely tokens at a position, starting with the chosen one.
func likeliest(chosen geminiapi.LogprobsResultCandidate,
	count int) []geminiapi.LogprobsResultCandidate {
	out := []geminiapi.LogprobsResultCandidate{chosen}
	for i := 1; i < count; i++ {
		token := *chosen.Token + strconv.Itoa(i)
		out = append(out, geminiapi.LogprobsResultCandidate{
			Token: &token, TokenID: new(tokenID(token)),
			LogProbability: new(*chosen.LogProbability - float64(i)),
		})
	}
	return out
}

// logprob returns the log probability of a token from its position: from -1 to 0, in steps that are
// exact in JSON.
func (a *author) logprob(index int) float64 {
	return -float64(a.seed[index%len(a.seed)]) / 256
}

// averageLogprob returns the mean of the tokens of a text.
func (a *author) averageLogprob(text string) float64 {
	count := countTokens(text)
	sum := 0.0
	for i := range count {
		sum += a.logprob(i)
	}
	return sum / float64(max(count, 1))
}

// tokenID returns a number for a token.
func tokenID(token string) int {
	id := 0
	for _, b := range []byte(token) {
		id = (id*31 + int(b)) % 250_000
	}
	return id
}
