package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// addLogprobs adds log probabilities to the open message. Both APIs use natural logarithms. It
// reports whether a message is open.
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
	event.Logprobs = append(event.Logprobs[:len(event.Logprobs):len(event.Logprobs)],
		withoutBytes(more)...)
	return true
}

func logprobsOf(tokens []normalize.TokenLogprob) []openaiapi.ResponseLogprob {
	out := make([]openaiapi.ResponseLogprob, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		out[i] = openaiapi.ResponseLogprob{Token: t.Token,
			Logprob: openaianswer.FiniteLogprob(t.Logprob), Bytes: openaianswer.TokenBytes(t.Token)}
		out[i].TopLogprobs = make([]openaiapi.ResponseTopLogprob, len(t.Top))
		for j := range t.Top {
			top := &t.Top[j]
			out[i].TopLogprobs[j] = openaiapi.ResponseTopLogprob{Token: top.Token,
				Logprob: openaianswer.FiniteLogprob(
					top.Logprob), Bytes: openaianswer.TokenBytes(top.Token)}
		}
	}
	return out
}

// withoutBytes returns log probabilities in the form of stream events.
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
