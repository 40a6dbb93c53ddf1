package reverse

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// tokenLogprobs converts log probabilities. Both APIs use natural logarithms. It returns nil if the
// input has no log probabilities.
func tokenLogprobs(in *openaiapi.ChoiceLogprobs, report *reporter,
	at string) *geminiapi.LogprobsResult {
	if in == nil {
		return nil
	}
	at += "/logprobs"
	report.loseUnknown(at, in.Unknown)
	report.lose(at+"/refusal", len(in.Refusal) > 0)
	if len(in.Content) == 0 {
		return nil
	}
	out := &geminiapi.LogprobsResult{ChosenCandidates: make([]geminiapi.LogprobsResultCandidate,
		len(in.Content))}
	hasTop := slices.ContainsFunc(in.Content,
		func(t openaiapi.TokenLogprob) bool { return len(t.TopLogprobs) > 0 })
	if hasTop {
		out.TopCandidates = make([]geminiapi.TopCandidates, len(in.Content))
	}
	for i := range in.Content {
		token, at := &in.Content[i], at+"/content/"+strconv.Itoa(i)
		out.ChosenCandidates[i] = geminiapi.LogprobsResultCandidate{
			Token: &token.Token, LogProbability: logProbability(&token.Logprob, report, at),
		}
		reportToken(token.Token, token.Bytes, report, at)
		report.loseUnknown(at, token.Unknown)
		for j := range token.TopLogprobs {
			top, at := &token.TopLogprobs[j], at+"/top_logprobs/"+strconv.Itoa(j)
			reportToken(top.Token, top.Bytes, report, at)
			report.loseUnknown(at, top.Unknown)
			out.TopCandidates[i].Candidates = append(out.TopCandidates[i].Candidates,
				geminiapi.LogprobsResultCandidate{
					Token: &top.Token, LogProbability: logProbability(&top.Logprob, report, at),
				})
		}
	}
	return out
}

// logProbability returns the logarithm of a probability, which is at most 0. OpenAI rounds certain
// tokens to values such as 0.00002. These become 0 with a report entry.
func logProbability(value *float64, entries *reporter, at string) *float64 {
	if *value <= 0 {
		return value
	}
	entries.add(report.Approximated, at+"/logprob", "replaced by 0, because the logarithm of a probability is at most 0")
	return new(0.0)
}

// reportToken reports the bytes of a token that its text does not show, for example if a character
// spans several tokens.
func reportToken(token string, bytes []int, entries *reporter, at string) {
	same := len(bytes) == len(token)
	for i := 0; same && i < len(bytes); i++ {
		same = bytes[i] == int(token[i])
	}
	if len(bytes) > 0 && !same {
		entries.add(report.Lost, at+"/bytes", "omitted, because Gemini has only the token's text")
	}
}

// logprobs sets the log probabilities of a candidate. It uses Gemini's own if the extension has
// more than a choice can hold. The average is Gemini's, or is computed for answers of other
// servers.
func logprobs(in *openaiapi.ChoiceLogprobs, google *openaiapi.GoogleExtraContent, fromGemini bool,
	entries *reporter, at string) (*geminiapi.LogprobsResult, *float64) {
	out := tokenLogprobs(in, entries, at)
	if own := google.LogprobsResult; own != nil {
		if out != nil {
			entries.add(report.Approximated, at+"/logprobs", detailOwn)
		}
		out = own
	}
	if fromGemini || google.AvgLogprobs != nil || out == nil {
		return out, google.AvgLogprobs
	}
	var mean average
	mean.add(out)
	return out, mean.value()
}

// average is the mean of log probabilities.
type average struct {
	sum   float64
	count int
}

func (a *average) add(result *geminiapi.LogprobsResult) {
	if result == nil {
		return
	}
	for i := range result.ChosenCandidates {
		a.sum += *result.ChosenCandidates[i].LogProbability
		a.count++
	}
}

// value returns the mean, or nil if no value was added.
func (a *average) value() *float64 {
	if a.count == 0 {
		return nil
	}
	return new(a.sum / float64(a.count))
}
