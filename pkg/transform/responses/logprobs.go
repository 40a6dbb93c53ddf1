package responses

import (
	"math"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// addLogprobs tells log probabilities, which both sides give as natural logarithms, of the open message. It reports
// whether there is one.
func (e *encoder) addLogprobs(tokens []normalize.TokenLogprob) bool {
	if len(tokens) == 0 {
		return true
	}
	if e.open != openaiapi.ResponseItemTypeMessage {
		return false
	}
	more := logprobsOf(tokens)
	e.message.logprobs = append(e.message.logprobs, more...)
	if !e.streams {
		return true
	}
	if e.message.text < 0 {
		e.message.text = len(e.out)
		event := e.emitOf(openaiapi.ResponseEventTypeOutputTextDelta)
		event.ContentIndex, event.Delta, event.Logprobs = firstPart, delta(""), noLogprobs
	}
	event := &e.out[e.message.text]
	event.Logprobs = append(event.Logprobs[:len(event.Logprobs):len(event.Logprobs)], withoutBytes(more)...)
	return true
}

func logprobsOf(tokens []normalize.TokenLogprob) []openaiapi.ResponseLogprob {
	out := make([]openaiapi.ResponseLogprob, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		out[i] = openaiapi.ResponseLogprob{Token: t.Token, Logprob: finite(t.Logprob), Bytes: tokenBytes(t.Token)}
		out[i].TopLogprobs = make([]openaiapi.ResponseTopLogprob, len(t.Top))
		for j := range t.Top {
			top := &t.Top[j]
			out[i].TopLogprobs[j] = openaiapi.ResponseTopLogprob{Token: top.Token, Logprob: finite(top.Logprob), Bytes: tokenBytes(top.Token)}
		}
	}
	return out
}

// withoutBytes returns log probabilities as the events of a stream have them.
func withoutBytes(list []openaiapi.ResponseLogprob) []openaiapi.ResponseLogprob {
	out := make([]openaiapi.ResponseLogprob, len(list))
	for i := range list {
		out[i] = list[i]
		out[i].Bytes = nil
		out[i].TopLogprobs = make([]openaiapi.ResponseTopLogprob, len(list[i].TopLogprobs))
		for j := range list[i].TopLogprobs {
			out[i].TopLogprobs[j] = list[i].TopLogprobs[j]
			out[i].TopLogprobs[j].Bytes = nil
		}
	}
	return out
}

// tokenBytes returns the token in UTF-8, from which clients put characters together that are spread over several tokens.
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
	if math.IsNaN(logprob) || math.IsInf(logprob, 0) {
		return unlikely
	}
	return logprob
}

// moreLogprobs returns the wire's record when it has more than OpenAI's form does, else nil.
func moreLogprobs(w *geminiapi.LogprobsResult) *geminiapi.LogprobsResult {
	if w == nil {
		return nil
	}
	if w.LogProbabilitySum != nil || len(w.Unknown) > 0 || len(w.TopCandidates) > len(w.ChosenCandidates) || haveMore(w.ChosenCandidates) {
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
		if c.TokenID != nil || len(c.Unknown) > 0 || c.LogProbability != nil && finite(*c.LogProbability) != *c.LogProbability {
			return true
		}
	}
	return false
}
