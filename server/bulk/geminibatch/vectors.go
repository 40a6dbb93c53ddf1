package geminibatch

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// longestVector is more numbers than the vector of any model has.
const longestVector = 1 << 14

// placeholders returns vectors of zeros in place of those that requests ask for, nil where there
// are none: then what is wrong with a request is Gemini's to say.
func placeholders(requests []jsontext.Value) []jsontext.Value {
	out := make([]jsontext.Value, len(requests))
	for i, body := range requests {
		request, err := gemini.Decode[geminiapi.EmbedContentRequest](body)
		if err != nil {
			return nil
		}
		length := 1
		if config := jsonx.Deref(request.EmbedContentConfig); config.OutputDimensionality != nil {
			length = *config.OutputDimensionality
		}
		if length < 1 || length > longestVector {
			return nil
		}
		out[i] = jsontext.Value(`{"embedding":{"values":[0` + strings.Repeat(",0", length-1) +
			`]}}`)
	}
	return out
}

// vectorsOf returns the reply to a call for several vectors by the answers to calls for one each.
// It counts tokens where all of them do.
func vectorsOf(answers []jsontext.Value) []byte {
	out := []byte(`{"embeddings":[`)
	tokens, isCounted := 0, true
	for i, answer := range answers {
		if i > 0 {
			out = append(out, ',')
		}
		vector := jsonx.Member(answer, "embedding")
		if vector == nil {
			vector = jsontext.Value("{}") // which the gateway finds to be none
		}
		out = append(out, vector...)
		told, err := gemini.Decode[geminiapi.EmbedContentResponse](answer)
		if err != nil || told.UsageMetadata == nil || told.UsageMetadata.PromptTokenCount == nil {
			isCounted = false
			continue
		}
		tokens += *told.UsageMetadata.PromptTokenCount
	}
	out = append(out, ']')
	if isCounted {
		out = append(append(append(out, `,"usageMetadata":{"promptTokenCount":`...),
			strconv.Itoa(tokens)...), '}')
	}
	return append(out, '}')
}
