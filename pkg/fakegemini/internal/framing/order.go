package framing

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// InServerOrder returns a payload with the members of its messages in the order in which the servers write them,
// which is that of recorded answers. A member that is not in the order comes behind those that are. Free-form
// values keep their order. A payload that is not valid JSON is returned as it is.
//
// The Gemini API writes the parts of a content in front of its role, Vertex AI behind it.
func InServerOrder(payload jsontext.Value, isVertexAI bool) jsontext.Value {
	if !payload.IsValid() {
		return payload
	}
	return appendOrdered(make([]byte, 0, len(payload)), payload, isVertexAI)
}

func appendOrdered(dst []byte, value jsontext.Value, isVertexAI bool) []byte {
	switch value.Kind() {
	case jsontext.KindBeginObject:
		return appendOrderedObject(dst, value, isVertexAI)
	case jsontext.KindBeginArray:
		return appendOrderedList(dst, value, isVertexAI)
	default:
		return append(dst, bytes.TrimSpace(value)...)
	}
}

func appendOrderedObject(dst []byte, object jsontext.Value, isVertexAI bool) []byte {
	type member struct {
		name  string
		value jsontext.Value
		rank  int
	}
	var members []member
	for name, value := range jsonx.Members(object) {
		members = append(members, member{name, value, rank(name, isVertexAI)})
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.rank, b.rank) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, _ = jsontext.AppendQuote(dst, m.name)
		dst = append(dst, ':')
		if slices.Contains(freeForm, m.name) {
			dst = append(dst, m.value...)
			continue
		}
		dst = appendOrdered(dst, m.value, isVertexAI)
	}
	return append(dst, '}')
}

func appendOrderedList(dst []byte, list jsontext.Value, isVertexAI bool) []byte {
	dec := jsontext.NewDecoder(bytes.NewReader(list))
	dst = append(dst, '[')
	_, _ = dec.ReadToken() // the bracket of a valid list
	for i := 0; dec.PeekKind() != jsontext.KindEndArray; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		element, err := dec.ReadValue()
		if err != nil {
			break // The list is valid.
		}
		dst = appendOrdered(dst, element, isVertexAI)
	}
	return append(dst, ']')
}

// rank is the place of a member among others.
func rank(name string, isVertexAI bool) int {
	if name == "role" && isVertexAI {
		return -1
	}
	if i := slices.Index(memberOrder, name); i >= 0 {
		return i
	}
	return len(memberOrder)
}

// freeForm are the members whose values are the caller's or the model's, so that no order is the servers'.
var freeForm = []string{"args", "response", "partMetadata", "metadata", "quotaDimensions", "responseJsonSchema", "parametersJsonSchema"}

// memberOrder has the members of the messages of answers and errors in one order that fits all of them.
var memberOrder = []string{
	// error
	"error", "@type", "locale", "language", "code", "message", "errors", "status", "details",
	"field", "description", "reason", "domain", "metadata", "detail", "fieldViolations", "url",
	"links", "violations", "quotaMetric", "quotaId", "quotaDimensions", "quotaValue", "retryDelay",
	// part
	"startIndex", "endIndex", "text", "thought", "functionCall", "executableCode", "codeExecutionResult", "inlineData", "thoughtSignature",
	"name", "args", "partialArgs", "willContinue", "outcome", "output", "id", "mimeType", "data",
	// candidate
	"candidates", "content", "parts", "role", "finishReason", "index", "safetyRatings", "citationMetadata",
	"groundingMetadata", "avgLogprobs", "logprobsResult", "urlContextMetadata", "finishMessage",
	"blockReason", "blockReasonMessage", "category", "probability", "blocked", "probabilityScore", "severity", "severityScore",
	"token", "tokenId", "logProbability", "topCandidates", "chosenCandidates",
	"searchEntryPoint", "groundingChunks", "groundingSupports", "retrievalMetadata", "webSearchQueries",
	"segment", "groundingChunkIndices", "confidenceScores",
	"uri", "title", "license",
	// usage
	"totalTokens", "totalBillableCharacters", "promptFeedback", "usageMetadata", "promptTokenCount", "candidatesTokenCount", "totalTokenCount",
	"cachedContentTokenCount", "trafficType", "promptTokensDetails", "cacheTokensDetails", "candidatesTokensDetails",
	"toolUsePromptTokenCount", "toolUsePromptTokensDetails", "thoughtsTokenCount", "serviceTier",
	"modality", "tokenCount",
	// answer
	"modelVersion", "createTime", "responseId",
}
