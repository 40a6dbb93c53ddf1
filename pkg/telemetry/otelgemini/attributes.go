package otelgemini

import (
	"strings"
	"unicode"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/otelgenai"
	"github.com/gemwire/gemwire/pkg/gemini"
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
)

// operations are the methods that the convention has a name for.
var operations = map[string]genaiconv.OperationNameAttr{
	"generateContent":       genaiconv.OperationNameGenerateContent,
	"streamGenerateContent": genaiconv.OperationNameGenerateContent,
	"embedContent":          genaiconv.OperationNameEmbeddings,
	"batchEmbedContents":    genaiconv.OperationNameEmbeddings,
}

// operationName returns the convention's name of a method. Other methods get their own name in the
// same style, such as "count_tokens".
func operationName(method string) genaiconv.OperationNameAttr {
	if name, ok := operations[method]; ok {
		return name
	}
	var out strings.Builder
	for _, r := range method {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return genaiconv.OperationNameAttr(out.String())
}

func providerName(call gemini.CallInfo) genaiconv.ProviderNameAttr {
	if call.IsVertexAI {
		return genaiconv.ProviderNameGCPVertexAI
	}
	return genaiconv.ProviderNameGCPGemini
}

// commonAttributes returns the attributes that spans and metrics share.
func commonAttributes(call gemini.CallInfo) []attribute.KeyValue {
	attrs := []attribute.KeyValue{semconv.ServerAddress(call.ServerAddress),
		semconv.ServerPort(call.ServerPort)}
	if call.Model != "" {
		attrs = append(attrs, semconv.GenAIRequestModel(call.Model))
	}
	return attrs
}

// requestAttributes returns the settings of a request.
func requestAttributes(call gemini.CallInfo) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	if call.IsStream {
		attrs = append(attrs, semconv.GenAIRequestStream(true))
	}
	config := call.Config
	if config == nil {
		return attrs
	}
	attrs = add(attrs, semconv.GenAIRequestChoiceCount, config.CandidateCount)
	attrs = add(attrs, semconv.GenAIRequestMaxTokens, config.MaxOutputTokens)
	attrs = add(attrs, semconv.GenAIRequestSeed, config.Seed)
	attrs = add(attrs, semconv.GenAIRequestTemperature, config.Temperature)
	attrs = add(attrs, semconv.GenAIRequestTopP, config.TopP)
	attrs = add(attrs, semconv.GenAIRequestFrequencyPenalty, config.FrequencyPenalty)
	attrs = add(attrs, semconv.GenAIRequestPresencePenalty, config.PresencePenalty)
	if config.TopK != nil {
		attrs = append(attrs, semconv.GenAIRequestTopK(float64(*config.TopK)))
	}
	if config.StopSequences != nil {
		attrs = append(attrs, semconv.GenAIRequestStopSequences(config.StopSequences...))
	}
	return attrs
}

// add adds an attribute for a member that is set.
func add[T any](attrs []attribute.KeyValue, with func(T) attribute.KeyValue,
	value *T) []attribute.KeyValue {
	if value == nil {
		return attrs
	}
	return append(attrs, with(*value))
}

// resultAttributes returns the metadata of an answer.
func resultAttributes(result gemini.CallResult, usage otelgenai.Usage) []attribute.KeyValue {
	attrs := []attribute.KeyValue{attribute.Int("gemwire.attempts", result.Attempts)}
	if result.ResponseID != "" {
		attrs = append(attrs, semconv.GenAIResponseID(result.ResponseID))
	}
	if result.ModelVersion != "" {
		attrs = append(attrs, semconv.GenAIResponseModel(result.ModelVersion))
	}
	if reasons := reasonsOf(result); len(reasons) > 0 {
		attrs = append(attrs, semconv.GenAIResponseFinishReasons(reasons...))
	}
	if result.IsLeft {
		attrs = append(attrs, attribute.Bool("gemwire.stream.left", true))
	}
	if result.Usage == nil {
		return attrs
	}
	return append(attrs, usage.Attributes()...)
}

// reasonsOf returns the finish reasons in the convention's style, such as "max_tokens". For a
// refused prompt it returns the block reason.
func reasonsOf(result gemini.CallResult) []string {
	reasons := result.FinishReasons
	if len(reasons) == 0 && result.BlockReason != "" {
		reasons = []geminiapi.FinishReason{geminiapi.FinishReason(result.BlockReason)}
	}
	out := make([]string, len(reasons))
	for i, reason := range reasons {
		out[i] = strings.ToLower(string(reason))
	}
	return out
}
