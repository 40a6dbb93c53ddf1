package openai

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../tools/codecgen structure .:openaiapi.CreateChatCompletionRequest,openaiapi.ContentPart,openaiapi.ToolCall,openaiapi.FunctionCall ../../gen/geminiapi=../../api/openapi/gemini.yaml ../../gen/openaiapi=../../api/openapi/openai.yaml

// ValidateRequest checks a request against OpenAI's description: required members, known values,
// ranges, the forms of content that each role may have, function names, and a result for every
// call. It allows the additions of this project's description for Gemini: the model's members in a
// returned message, images and videos, extra_body. The conversion of requests accepts more than
// ValidateRequest.
//
// The error lists all violations with their locations, as JSON pointers, and says for each what
// would be right. It never contains a value of the request.
func ValidateRequest(r *openaiapi.CreateChatCompletionRequest) error {
	if r == nil {
		return fmt.Errorf("openai: %w", validation.ErrNotStruct)
	}
	var v checker
	var root codec.Location
	v.walkCreateChatCompletionRequest(&root, r)
	if v.violations == nil {
		return nil
	}
	return &validation.Error{Prefix: "openai", Violations: v.violations}
}

// checkCreateChatCompletionRequest checks the messages and the rules that span members. The walk
// that calls it checks the other rules of the description.
func (v *checker) checkCreateChatCompletionRequest(at *codec.Location,
	r *openaiapi.CreateChatCompletionRequest) {
	v.messages(at, r.Messages)
	v.sampling(at, r)
	v.choices(at, r)
	if slices.Contains(r.Modalities, openaiapi.OutputModalityAudio) {
		v.require(at, "audio", r.Audio != nil)
	}
	if g := r.ExtraBody; r.ReasoningEffort != nil && g != nil && g.Google != nil &&
		g.Google.ThinkingConfig != nil {
		v.reportMember(at, "reasoning_effort", "excluded",
			"must be absent if extra_body.google.thinking_config is set")
	}
	if r.StreamOptions != nil && !jsonx.Deref(r.Stream) {
		v.reportMember(at, "stream_options", "stream", "must be absent, because stream is not true")
	}
	v.metadata(at, r.Metadata)
}

// sampling checks the sampling parameters.
func (v *checker) sampling(at *codec.Location, r *openaiapi.CreateChatCompletionRequest) {
	if r.TopLogprobs != nil && !jsonx.Deref(r.Logprobs) {
		v.reportMember(at, "top_logprobs", "logprobs", "must be absent, because logprobs is not true")
	}
	if list, ok := r.Stop.AsValue(); ok {
		v.length(at, "stop", len(list), 1, 4)
	}
	bias := at.Member("logit_bias")
	for _, token := range slices.Sorted(maps.Keys(r.LogitBias)) {
		checkRange(v, &bias, token, new(r.LogitBias[token]), bounds{-100, 100})
	}
}

// choices checks the modes of tool_choice and function_call.
func (v *checker) choices(at *codec.Location, r *openaiapi.CreateChatCompletionRequest) {
	if text, ok := r.ToolChoice.AsString(); ok {
		checkEnum(v, at, "tool_choice", new(openaiapi.ToolChoiceMode(text)),
			"none, auto, required, validated")
	}
	if text, ok := r.FunctionCall.AsString(); ok {
		checkEnum(v, at, "function_call", new(openaiapi.FunctionCallMode(text)), "none, auto")
	}
}

func (v *checker) metadata(at *codec.Location, metadata map[string]string) {
	in := at.Member("metadata")
	if len(metadata) > 16 {
		v.report(&in, "length", "must have at most 16 members")
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		v.maxLength(&in, key, &key, 64)
		v.maxLength(&in, key, new(metadata[key]), 512)
	}
}

func (v *checker) checkFunctionObject(at *codec.Location, f *openaiapi.FunctionObject) {
	v.name(at, f.Name)
}

func (v *checker) checkJSONSchemaFormat(at *codec.Location, f *openaiapi.JSONSchemaFormat) {
	v.name(at, f.Name)
}

// name checks the name of a function or of a schema.
func (v *checker) name(at *codec.Location, name string) {
	const limit = 64
	isName := 0 < len(name) && len(name) <= limit
	for i := 0; isName && i < len(name); i++ {
		b := name[i]
		isName = 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' ||
			b == '-'
	}
	if !isName {
		v.reportMember(at, "name", "name",
			"must have 1 to 64 letters, digits, underscores and dashes")
	}
}

func (v *checker) checkPrediction(at *codec.Location, p *openaiapi.Prediction) {
	v.content(at, p.Content, textOnly)
}

func (v *checker) checkInputFile(at *codec.Location, f *openaiapi.InputFile) {
	v.require(at, "file_data", f.FileData != nil || f.FileID != nil)
}
