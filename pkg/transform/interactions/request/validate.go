package request

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// avoidRefusals changes settings that the model is known to refuse.
func (c *converter) avoidRefusals() error { return c.AvoidRefusals(c.searches...) }

// validate returns an error if Gemini is known to refuse the result.
func (c *converter) validate() error {
	c.Finish()
	if c.unvalidated {
		return nil
	}
	return c.Validate(cmp.Or(c.model, jsonx.Deref(c.in.Model)), &target.Places{
		Content: c.history.origin, Function: c.functionOrigin, Setting: c.settingOrigin,
	})
}

// functionOrigin returns the pointer of the tool that a function was made from, or "".
func (c *converter) functionOrigin(index int, _ string) string {
	if index >= len(c.positions) {
		return ""
	}
	return "/tools/" + strconv.Itoa(c.positions[index])
}

// settingOrigin returns the pointer of a member that has two names, or "" for other members.
func (c *converter) settingOrigin(name string) string {
	switch {
	case strings.HasPrefix(name, "response") && c.in.ResponseFormat.IsZero() &&
		name != "responseModalities":
		return "/response_mime_type"
	case name == "responseModalities" && len(c.in.ResponseModalities) == 0:
		return "/response_format"
	case name == "thinkingConfig" && c.generation.ThinkingLevel == nil:
		return generationAt + "/thinking_summaries"
	}
	return ""
}

// generationAt is the pointer of the settings of the answer.
const generationAt = "/generation_config"

// origins maps members of Gemini's request to the members of the request that set them. It is never
// written to.
var origins = target.Origins{
	Contents: "/input",
	Tools:    "/tools",
	Settings: map[string]string{
		"audioTranscriptionConfig": generationAt + "/transcription_config",
		"cachedContent":            "/cached_content",
		"continuationToken":        "/continuation_token",
		"imageConfig":              generationAt + "/image_config",
		"labels":                   "/labels",
		"maxOutputTokens":          generationAt + "/max_output_tokens",
		"model":                    "/model",
		"responseFormat":           "/response_format",
		"responseJsonSchema":       "/response_format",
		"responseMimeType":         "/response_format",
		"responseModalities":       "/response_modalities",
		"responseSchema":           "/response_format",
		"safetySettings":           "/safety_settings",
		"seed":                     generationAt + "/seed",
		"serviceTier":              "/service_tier",
		"speechConfig":             generationAt + "/speech_config",
		"stopSequences":            generationAt + "/stop_sequences",
		"temperature":              generationAt + "/temperature",
		"thinkingConfig":           generationAt + "/thinking_level",
		"toolConfig":               generationAt + "/tool_choice",
		"topK":                     generationAt + "/top_k",
		"topP":                     generationAt + "/top_p",
	},
}
