package aisdk

import "github.com/go-json-experiment/json/jsontext"

// Finish is the last part of a stream.
type Finish struct {
	// Usage counts the tokens. The zero value is unknown usage.
	Usage Usage
	// FinishReason says why the stream ended.
	FinishReason FinishReason
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeFinish].
func (Finish) PartType() PartType { return TypeFinish }

// MarshalJSON returns what [EncodePart] returns.
func (p Finish) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p Finish) write(w *partWriter) {
	w.beginObject("usage")
	p.Usage.write(w)
	w.endObject()
	w.beginObject("finishReason")
	p.FinishReason.write(w)
	w.endObject()
	w.metadata(p.ProviderMetadata)
}

func readFinish(r *partReader) Part {
	var p Finish
	r.object("usage", func(r *partReader) { p.Usage = readUsage(r) })
	r.object("finishReason", func(r *partReader) { p.FinishReason = readFinishReason(r) })
	p.ProviderMetadata = r.metadata()
	return p
}

// UnifiedFinishReason is why a model stopped, in words that are the same for all providers.
type UnifiedFinishReason string

// The reasons why a model stops.
const (
	// FinishStop is the normal end.
	FinishStop UnifiedFinishReason = "stop"
	// FinishLength is the end of the token budget.
	FinishLength UnifiedFinishReason = "length"
	// FinishContentFilter is an end by a filter.
	FinishContentFilter UnifiedFinishReason = "content-filter"
	// FinishToolCalls is an end with calls that the client has to run.
	FinishToolCalls UnifiedFinishReason = "tool-calls"
	// FinishError is an end by an error.
	FinishError UnifiedFinishReason = "error"
	// FinishOther is an end for another reason, or none that is known.
	FinishOther UnifiedFinishReason = "other"
	// FinishInterrupted is a stream that broke off without saying why. V4 only.
	FinishInterrupted UnifiedFinishReason = "interrupted"
)

// unifiedFinishReasons has the reasons that the SDK knows, each with the first version that has it.
var unifiedFinishReasons = map[UnifiedFinishReason]int{
	FinishStop:          3,
	FinishLength:        3,
	FinishContentFilter: 3,
	FinishToolCalls:     3,
	FinishError:         3,
	FinishOther:         3,
	FinishInterrupted:   4,
}

// FinishReason says why a stream ended.
type FinishReason struct {
	// Unified is the reason in the SDK's words.
	Unified UnifiedFinishReason
	// Raw is the reason in the provider's words; "" is absent.
	Raw string
}

func (v FinishReason) write(w *partWriter) {
	switch since, known := unifiedFinishReasons[v.Unified]; {
	case !known:
		w.fail("unified", reasonUnknownValue)
	case since > 3:
		w.onlyV4("unified")
	}
	w.text("unified", string(v.Unified))
	w.optionalText("raw", v.Raw)
}

func readFinishReason(r *partReader) FinishReason {
	v := FinishReason{Unified: UnifiedFinishReason(r.text("unified")), Raw: r.optionalText("raw")}
	if _, known := unifiedFinishReasons[v.Unified]; !known {
		r.fail("unified", reasonUnknownValue)
	}
	return v
}

// Usage counts the tokens of a call. The zero value is unknown usage: nil is absent, which is not 0.
type Usage struct {
	// InputTokens counts the prompt.
	InputTokens InputTokens
	// OutputTokens counts the answer.
	OutputTokens OutputTokens
	// Raw is the provider's own record, a JSON object; nil is absent.
	Raw jsontext.Value
}

// InputTokens counts the tokens of a prompt; nil is unknown.
type InputTokens struct {
	// Total is all of them.
	Total *int
	// NoCache is those that no cache had.
	NoCache *int
	// CacheRead is those that came from a cache.
	CacheRead *int
	// CacheWrite is those that were put into a cache.
	CacheWrite *int
}

// OutputTokens counts the tokens of an answer; nil is unknown.
type OutputTokens struct {
	// Total is all of them.
	Total *int
	// Text is those of the text.
	Text *int
	// Reasoning is those of the reasoning.
	Reasoning *int
}

func (v Usage) write(w *partWriter) {
	w.beginObject("inputTokens")
	w.optionalCount("total", v.InputTokens.Total)
	w.optionalCount("noCache", v.InputTokens.NoCache)
	w.optionalCount("cacheRead", v.InputTokens.CacheRead)
	w.optionalCount("cacheWrite", v.InputTokens.CacheWrite)
	w.endObject()
	w.beginObject("outputTokens")
	w.optionalCount("total", v.OutputTokens.Total)
	w.optionalCount("text", v.OutputTokens.Text)
	w.optionalCount("reasoning", v.OutputTokens.Reasoning)
	w.endObject()
	w.optionalObject("raw", v.Raw)
}

func readUsage(r *partReader) Usage {
	var v Usage
	r.object("inputTokens", func(r *partReader) {
		v.InputTokens = InputTokens{
			Total:      r.optionalCount("total"),
			NoCache:    r.optionalCount("noCache"),
			CacheRead:  r.optionalCount("cacheRead"),
			CacheWrite: r.optionalCount("cacheWrite"),
		}
	})
	r.object("outputTokens", func(r *partReader) {
		v.OutputTokens = OutputTokens{
			Total:     r.optionalCount("total"),
			Text:      r.optionalCount("text"),
			Reasoning: r.optionalCount("reasoning"),
		}
	})
	v.Raw = r.optionalObject("raw")
	return v
}
