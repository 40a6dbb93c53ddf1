package geminibatch

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// longestVector is larger than the vector length of any model.
const longestVector = 1 << 14

// placeholders returns zero vectors in place of the requested ones. It returns nil if a request is
// invalid, so that Gemini reports the error.
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

// vectorsOf combines the answers to calls for one vector each to the reply to a call for several.
// It counts tokens if all answers do.
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
		reply, err := gemini.Decode[geminiapi.EmbedContentResponse](answer)
		if err != nil || reply.UsageMetadata == nil || reply.UsageMetadata.PromptTokenCount == nil {
			isCounted = false
			continue
		}
		tokens += *reply.UsageMetadata.PromptTokenCount
	}
	out = append(out, ']')
	if isCounted {
		out = append(append(append(out, `,"usageMetadata":{"promptTokenCount":`...),
			strconv.Itoa(tokens)...), '}')
	}
	return append(out, '}')
}
