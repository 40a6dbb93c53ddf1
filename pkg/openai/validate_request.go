package openai

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// ValidateRequest checks that a request keeps what OpenAI's description asks of clients: required
// members, known values, ranges, the forms of content that each role may have, names of functions, and
// a result for every call. What this project's description adds for Gemini is allowed: the model's
// members in a message that comes back, images and videos, extra_body. What converts requests takes more
// than passes here.
//
// The error lists all violations with their places, as JSON pointers, and says for each what would be
// right; it never holds a value of the request.
func ValidateRequest(r *openaiapi.CreateChatCompletionRequest) error {
	if r == nil {
		return fmt.Errorf("openai: %w", validation.ErrNotStruct)
	}
	var c requestCheck
	c.require("/model", r.Model != "")
	c.messages(r.Messages)
	c.sampling(r)
	c.output(r)
	c.tools(r)
	c.service(r)
	if c.violations == nil {
		return nil
	}
	return &validation.Error{Prefix: "openai", Violations: c.violations}
}

// requestCheck collects what is wrong with a request.
type requestCheck struct {
	violations []validation.Violation
}

func (c *requestCheck) add(pointer, rule, want string) {
	c.violations = append(c.violations, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

func (c *requestCheck) require(pointer string, isThere bool) {
	if !isThere {
		c.add(pointer, "required", "must be set")
	}
}

// known checks an enum.
func (c *requestCheck) known(pointer string, isKnown bool, want string) {
	if !isKnown {
		c.add(pointer, "oneof", "must be "+want)
	}
}

func (c *requestCheck) between(pointer string, value *float64, lowest, highest float64) {
	if value != nil && !(lowest <= *value && *value <= highest) {
		c.add(pointer, "range", fmt.Sprintf("must be from %v to %v", lowest, highest))
	}
}

func (c *requestCheck) countBetween(pointer string, value *int, lowest, highest int) {
	if value != nil && (*value < lowest || *value > highest) {
		c.add(pointer, "range", fmt.Sprintf("must be from %d to %d", lowest, highest))
	}
}

func (c *requestCheck) atMost(pointer, text string, characters int) {
	if utf8.RuneCountInString(text) > characters {
		c.add(pointer, "max", "must have at most "+strconv.Itoa(characters)+" characters")
	}
}

// sampling checks how tokens are chosen.
func (c *requestCheck) sampling(r *openaiapi.CreateChatCompletionRequest) {
	c.between("/temperature", r.Temperature, 0, 2)
	c.between("/top_p", r.TopP, 0, 1)
	c.between("/frequency_penalty", r.FrequencyPenalty, -2, 2)
	c.between("/presence_penalty", r.PresencePenalty, -2, 2)
	c.countBetween("/n", r.N, 1, 128)
	c.countBetween("/top_logprobs", r.TopLogprobs, 0, 20)
	if r.TopLogprobs != nil && !optional.Value(r.Logprobs) {
		c.add("/top_logprobs", "logprobs", "must be absent, as logprobs is not true")
	}
	if list, ok := r.Stop.AsValue(); ok && (len(list) < 1 || len(list) > 4) {
		c.add("/stop", "length", "must have 1 to 4 elements")
	}
	for _, token := range slices.Sorted(maps.Keys(r.LogitBias)) {
		c.between(below("/logit_bias", token), new(r.LogitBias[token]), -100, 100)
	}
	if r.ReasoningEffort != nil {
		c.known("/reasoning_effort", r.ReasoningEffort.Valid(), "none, minimal, low, medium, high, xhigh or max")
		if g := r.ExtraBody; g != nil && g.Google != nil && g.Google.ThinkingConfig != nil {
			c.add("/reasoning_effort", "excluded", "must be absent beside extra_body.google.thinking_config")
		}
	}
}

// output checks the kinds and the form of the answer.
func (c *requestCheck) output(r *openaiapi.CreateChatCompletionRequest) {
	for i, modality := range r.Modalities {
		c.known("/modalities/"+strconv.Itoa(i), modality.Valid(), "text, audio or image")
		if modality == openaiapi.OutputModalityAudio {
			c.require("/audio", r.Audio != nil)
		}
	}
	if r.Audio != nil {
		c.require("/audio/voice", !r.Audio.Voice.IsZero())
		c.known("/audio/format", r.Audio.Format.Valid(), "wav, aac, mp3, flac, opus or pcm16")
		if voice, ok := r.Audio.Voice.AsValue(); ok {
			c.require("/audio/voice/id", voice.ID != "")
		}
	}
	if r.Verbosity != nil {
		c.known("/verbosity", r.Verbosity.Valid(), "low, medium or high")
	}
	if format, ok := r.ResponseFormat.AsValue(); ok {
		c.responseFormat(&format)
	}
}

func (c *requestCheck) responseFormat(format *openaiapi.ResponseFormat) {
	const pointer = "/response_format"
	c.known(pointer+"/type", format.Type.Valid(), "text, json_object or json_schema")
	if format.Type != openaiapi.ResponseFormatTypeJSONSchema {
		return
	}
	if format.JSONSchema == nil {
		c.require(pointer+"/json_schema", false)
		return
	}
	c.name(pointer+"/json_schema/name", format.JSONSchema.Name)
	c.object(pointer+"/json_schema/schema", format.JSONSchema.Schema)
}

// object checks a free-form value that has to be an object when it is there.
func (c *requestCheck) object(pointer string, value jsontext.Value) {
	if kind := value.Kind(); len(value) > 0 && kind != jsontext.KindBeginObject && kind != jsontext.KindNull {
		c.add(pointer, "object", "must be an object")
	}
}

// name checks the name of a function or of a schema.
func (c *requestCheck) name(pointer, name string) {
	const limit = 64
	isName := 0 < len(name) && len(name) <= limit
	for i := 0; isName && i < len(name); i++ {
		b := name[i]
		isName = 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '-'
	}
	if !isName {
		c.add(pointer, "name", "must have 1 to 64 letters, digits, underscores and dashes")
	}
}

// service checks how the request is served, and what only OpenAI's service makes use of.
func (c *requestCheck) service(r *openaiapi.CreateChatCompletionRequest) {
	if r.ServiceTier != nil {
		c.known("/service_tier", r.ServiceTier.Valid(), "auto, default, flex, scale, priority or fast")
	}
	if r.StreamOptions != nil && !optional.Value(r.Stream) {
		c.add("/stream_options", "stream", "must be absent, as stream is not true")
	}
	c.atMost("/safety_identifier", optional.Value(r.SafetyIdentifier), 64)
	c.metadata(r.Metadata)
	c.caching(r)
	if r.Moderation != nil {
		c.require("/moderation/model", r.Moderation.Model != "")
	}
	if r.Prediction != nil {
		c.known("/prediction/type", r.Prediction.Type.Valid(), "content")
		c.require("/prediction/content", !r.Prediction.Content.IsZero())
		c.content("/prediction", r.Prediction.Content, textOnly)
	}
	if r.WebSearchOptions != nil {
		c.webSearch(r.WebSearchOptions)
	}
}

func (c *requestCheck) metadata(metadata map[string]string) {
	if len(metadata) > 16 {
		c.add("/metadata", "length", "must have at most 16 members")
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		c.atMost(below("/metadata", key), key, 64)
		c.atMost(below("/metadata", key), metadata[key], 512)
	}
}

func (c *requestCheck) caching(r *openaiapi.CreateChatCompletionRequest) {
	if r.PromptCacheRetention != nil {
		c.known("/prompt_cache_retention", r.PromptCacheRetention.Valid(), "in_memory or 24h")
	}
	if options := r.PromptCacheOptions; options != nil {
		c.known("/prompt_cache_options/mode", options.Mode == nil || options.Mode.Valid(), "implicit or explicit")
		c.known("/prompt_cache_options/ttl", options.TTL == nil || options.TTL.Valid(), "30m")
	}
}

func (c *requestCheck) webSearch(options *openaiapi.WebSearchOptions) {
	const pointer = "/web_search_options"
	c.known(pointer+"/search_context_size", options.SearchContextSize == nil || options.SearchContextSize.Valid(), "low, medium or high")
	if options.UserLocation != nil {
		c.known(pointer+"/user_location/type", options.UserLocation.Type.Valid(), "approximate")
	}
}

// below returns the pointer of a member.
func below(pointer, name string) string {
	return string(jsontext.Pointer(pointer).AppendToken(name))
}
