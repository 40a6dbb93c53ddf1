package interactions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// ValidateOption says which server a request is for.
type ValidateOption func(*requestChecker)

// ForVertexAI checks a request for Vertex AI. The default is the Gemini API, which refuses members
// that only Vertex AI has, such as safety_settings.
func ForVertexAI() ValidateOption {
	return func(c *requestChecker) { c.isVertex = true }
}

// ValidateRequest checks a request against Google's documentation and what its servers were seen to
// refuse:
//
//   - The request has a model or an agent, and an input unless it continues an answer.
//   - Members that exclude each other, for example store false with background. The rule of such a
//     violation names the combination, for example store_background.
//   - Functions have names, and no schema has an empty list in required.
//   - Blocks of content have data or an address, and are in a step that may have them.
//   - Each function_result answers a call of the input. Calls of an interaction that
//     previous_interaction_id names are not known, so then any call_id passes.
//   - Members that Google removed are absent, and values of enums are in lower case.
//   - Members that only Vertex AI has are absent. See [ForVertexAI].
//
// Unknown members, types and enum values pass. The error is a *[validation.Error]. It lists all
// violations with their locations, as JSON pointers, and says for each what would be right. It
// never contains a value of the request.
func ValidateRequest(r *interactionsapi.CreateInteractionRequest, opts ...ValidateOption) error {
	if r == nil {
		return fmt.Errorf("interactions: %w", validation.ErrNotStruct)
	}
	var c requestChecker
	option.Apply(&c, opts)
	c.recipient(r)
	c.combinations(r)
	c.settings(r)
	c.formats(r)
	c.tools(r)
	c.input(r)
	if c.violations == nil {
		return nil
	}
	return &validation.Error{Prefix: "interactions", Violations: c.violations}
}

// requestChecker collects the violations of a request.
type requestChecker struct {
	isVertex   bool
	root       codec.Location
	violations []validation.Violation
}

// report adds a violation at a pointer.
func (c *requestChecker) report(pointer, rule, want string) {
	c.violations = append(c.violations,
		validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

// want reports a member unless a condition holds.
func (c *requestChecker) want(ok bool, at *codec.Location, name, rule, want string) {
	if !ok {
		in := at.Member(name)
		c.report(in.Pointer(), rule, want)
	}
}

// vertexOnly reports a member that is set in a request for the Gemini API.
func (c *requestChecker) vertexOnly(isSet bool, at *codec.Location, name string) {
	c.want(!isSet || c.isVertex, at, name, "vertex",
		"must be absent on the Gemini API; only Vertex AI has it")
}

// removed reports a member that Google refuses.
func (c *requestChecker) removed(isSet bool, at *codec.Location, name, want string) {
	c.want(!isSet, at, name, "removed", "must be absent; "+want)
}

// lowerCase reports a value of an enum that would be known in lower case.
func (c *requestChecker) lowerCase(at *codec.Location, name, value string) {
	c.want(value == strings.ToLower(value), at, name, "case", "must be in lower case")
}

// recipient checks that a request is for a model or for an agent.
func (c *requestChecker) recipient(r *interactionsapi.CreateInteractionRequest) {
	hasModel, hasAgent := jsonx.Deref(r.Model) != "", jsonx.Deref(r.Agent) != ""
	c.want(hasModel || hasAgent, &c.root, "model", "required",
		"must be set, unless agent is set")
	c.want(!hasModel || !hasAgent, &c.root, "agent", "model_agent",
		"must be absent, because model is set")
	c.want(!hasAgent || hasModel || r.GenerationConfig == nil, &c.root, "generation_config",
		"agent_generation_config", "must be absent, because agent is set; use agent_config")
	c.want(!hasModel || hasAgent || r.AgentConfig == nil, &c.root, "agent_config",
		"model_agent_config", "must be absent, because model is set; use generation_config")
}

// combination is a combination of members that Google refuses.
type combination struct {
	rule   string // names it
	member string // that is wrong
	want   string
	isIn   func(*interactionsapi.CreateInteractionRequest) bool
}

// combinations are the combinations that Google refuses. Those of tools are in toolCombinations.
// The list is never modified.
var combinations = []combination{
	{"store_background", "store", "must not be false, because background is true",
		func(r *interactionsapi.CreateInteractionRequest) bool {
			return isFalse(r.Store) && jsonx.Deref(r.Background)
		}},
	{"deep_research_background", "background", "must be true for a deep-research agent",
		func(r *interactionsapi.CreateInteractionRequest) bool {
			return isAgent(r, AgentDeepResearch) && !jsonx.Deref(r.Background)
		}},
	{"deep_research_system_instruction", "system_instruction",
		"must be absent for a deep-research agent",
		func(r *interactionsapi.CreateInteractionRequest) bool {
			return isAgent(r, AgentDeepResearch) && r.SystemInstruction != nil
		}},
	{"antigravity_background", "background", "must not be true for an antigravity agent",
		func(r *interactionsapi.CreateInteractionRequest) bool {
			return isAgent(r, AgentAntigravity) && jsonx.Deref(r.Background)
		}},
	{"antigravity_environment", "environment", "must be set for an antigravity agent",
		func(r *interactionsapi.CreateInteractionRequest) bool {
			return isAgent(r, AgentAntigravity) && r.Environment.IsZero()
		}},
	{"webhook_background", "webhook_config", "must be absent, because background is not true",
		func(r *interactionsapi.CreateInteractionRequest) bool {
			return r.WebhookConfig != nil && !jsonx.Deref(r.Background)
		}},
	{"continuation_background", "continuation_token",
		"must be absent for an agent and if background is true",
		func(r *interactionsapi.CreateInteractionRequest) bool {
			return r.ContinuationToken != nil &&
				(jsonx.Deref(r.Background) || jsonx.Deref(r.Agent) != "")
		}},
}

// isFalse reports whether a member is set and false.
func isFalse(member *bool) bool { return member != nil && !*member }

// isAgent reports whether a request is for an agent of a family. Names of agents begin with the
// family, for example deep-research-preview-04-2026.
func isAgent(r *interactionsapi.CreateInteractionRequest, family string) bool {
	return strings.HasPrefix(string(jsonx.Deref(r.Agent)), family)
}

func (c *requestChecker) combinations(r *interactionsapi.CreateInteractionRequest) {
	for i := range combinations {
		if one := &combinations[i]; one.isIn(r) {
			c.report("/"+one.member, one.rule, one.want)
		}
	}
}

// settings checks members that Google removed, members of Vertex AI, and the settings of the
// generation.
func (c *requestChecker) settings(r *interactionsapi.CreateInteractionRequest) {
	root := &c.root
	c.removed(r.CachedContent != nil, root, "cached_content",
		"the Interactions API does not use caches of generateContent")
	c.removed(r.ResponseMIMEType != nil, root, "response_mime_type", "use response_format")
	c.removed(jsonx.Member(r.Unknown, "tool_config") != nil, root, "tool_config",
		"use generation_config.tool_choice")
	c.vertexOnly(r.SafetySettings != nil, root, "safety_settings")
	c.vertexOnly(r.Labels != nil, root, "labels")
	tier := jsonx.Deref(r.ServiceTier)
	c.lowerCase(root, "service_tier", string(tier))
	c.want(tier != interactionsapi.ServiceTierDeferred || c.isVertex, root, "service_tier",
		"vertex",
		"must be another tier on the Gemini API; only Vertex AI has deferred")
	list := root.Member("response_modalities")
	for i, modality := range r.ResponseModalities {
		at := list.Element(i)
		c.enum(&at, string(modality))
	}
	c.labels(r.Labels)
	c.safety(r.SafetySettings)
	if r.AgentConfig != nil {
		at := root.Member("agent_config")
		c.vertexOnly(r.AgentConfig.EnableBigqueryTool != nil, &at, "enable_bigquery_tool")
	}
	if r.GenerationConfig != nil {
		c.generation(r.GenerationConfig)
	}
}

// enum reports a value of an enum, an element of a list, that would be known in lower case.
func (c *requestChecker) enum(at *codec.Location, value string) {
	if value != strings.ToLower(value) {
		c.report(at.Pointer(), "case", "must be in lower case")
	}
}

func (c *requestChecker) labels(labels map[string]string) {
	const longest = 63
	at := c.root.Member("labels")
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		c.want(utf8.RuneCountInString(name) <= longest &&
			utf8.RuneCountInString(labels[name]) <= longest, &at, name, "length",
			"must have at most 63 characters, in its name and its value")
	}
}

func (c *requestChecker) safety(settings []interactionsapi.SafetySetting) {
	list := c.root.Member("safety_settings")
	for i := range settings {
		at, s := list.Element(i), &settings[i]
		c.want(jsonx.Deref(s.Type) != "", &at, "type", "required", "must be set")
		c.want(jsonx.Deref(s.Threshold) != "", &at, "threshold", "required", "must be set")
		c.lowerCase(&at, "type", string(jsonx.Deref(s.Type)))
		c.lowerCase(&at, "threshold", string(jsonx.Deref(s.Threshold)))
		c.lowerCase(&at, "method", string(jsonx.Deref(s.Method)))
	}
}

// removedSettings are members of the settings of generateContent that Google refuses as unknown.
// The list is never modified.
var removedSettings = []string{"presence_penalty", "frequency_penalty", "response_logprobs",
	"logprobs", "candidate_count", "thinking_budget"}

// generation checks the settings of the generation.
func (c *requestChecker) generation(g *interactionsapi.GenerationConfig) {
	at := c.root.Member("generation_config")
	for _, name := range removedSettings {
		c.removed(jsonx.Member(g.Unknown, name) != nil, &at, name,
			"only generateContent has it")
	}
	c.want(g.MaxOutputTokens == nil || *g.MaxOutputTokens > 0, &at, "max_output_tokens", "range",
		"must be at least 1")
	c.lowerCase(&at, "thinking_level", string(jsonx.Deref(g.ThinkingLevel)))
	c.lowerCase(&at, "thinking_summaries", string(jsonx.Deref(g.ThinkingSummaries)))
	if mode, ok := g.ToolChoice.AsString(); ok {
		c.lowerCase(&at, "tool_choice", mode)
	}
	if choice, ok := g.ToolChoice.AsValue(); ok && choice.AllowedTools != nil {
		inChoice := at.Member("tool_choice")
		inTools := inChoice.Member("allowed_tools")
		c.lowerCase(&inTools, "mode", string(jsonx.Deref(choice.AllowedTools.Mode)))
	}
	c.speech(&at, g)
}

// speech checks that the voices are a list. The types of Google's SDKs also have an object with the
// list in speakers, which the Gemini API refuses.
func (c *requestChecker) speech(at *codec.Location, g *interactionsapi.GenerationConfig) {
	list := at.Member("speech_config")
	if one := g.SpeechConfig.AsOne(); one != nil && !c.isVertex {
		c.report(list.Pointer(), "list", "must be a list with one object for each speaker")
		return
	}
	voices, _ := g.SpeechConfig.AsList()
	for i := range voices {
		in := list.Element(i)
		c.want(voices[i].Speakers == nil || c.isVertex, &in, "speakers", "list",
			"must be absent; speech_config itself is the list of speakers")
	}
}

// formats checks the formats of the answer.
func (c *requestChecker) formats(r *interactionsapi.CreateInteractionRequest) {
	at := c.root.Member("response_format")
	if one := r.ResponseFormat.AsOne(); one != nil {
		c.format(&at, one)
		return
	}
	list, _ := r.ResponseFormat.AsList()
	for i := range list {
		in := at.Element(i)
		c.format(&in, &list[i])
	}
}

// formatTypes are the formats whose members are checked. Any other object may be a JSON Schema of
// the answer. The list is never modified.
var formatTypes = []interactionsapi.ResponseFormatType{interactionsapi.ResponseFormatTypeImage,
	interactionsapi.ResponseFormatTypeAudio, interactionsapi.ResponseFormatTypeVideo}

func (c *requestChecker) format(at *codec.Location, f *interactionsapi.ResponseFormat) {
	if f.Schema.Kind() == jsontext.KindBeginObject {
		in := at.Member("schema")
		c.schema(in.Pointer(), f.Schema)
	}
	if !slices.Contains(formatTypes, f.Type) {
		return
	}
	c.vertexOnly(f.GCSURI != nil, at, "gcs_uri")
	switch f.Type {
	case interactionsapi.ResponseFormatTypeImage:
		c.vertexOnly(f.Delivery != nil, at, "delivery")
	case interactionsapi.ResponseFormatTypeAudio:
		c.vertexOnly(f.Delivery != nil, at, "delivery")
		c.vertexOnly(f.MIMEType != nil, at, "mime_type")
	}
}
