package request

import (
	"cmp"
	"strconv"

	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// avoidRefusals changes settings that the model is known to refuse.
func (c *converter) avoidRefusals() error {
	if c.in.WebSearchOptions != nil {
		return c.AvoidRefusals("/web_search_options")
	}
	return c.AvoidRefusals()
}

// validate returns an error if Gemini is known to refuse the result.
func (c *converter) validate() error {
	c.Finish()
	if c.unvalidated {
		return nil
	}
	return c.Validate(cmp.Or(c.model, c.in.Model), &target.Places{
		Content: c.history.Origin, Function: c.functionOrigin, Setting: c.settingOrigin,
	})
}

// functionOrigin returns the pointer of the function that a declaration was made from, or "".
func (c *converter) functionOrigin(index int, _ string) string {
	if index >= len(c.declared) {
		return ""
	}
	at := c.declared[index]
	if older := at - len(c.in.Tools); older >= 0 {
		return "/functions/" + strconv.Itoa(older)
	}
	return "/tools/" + strconv.Itoa(at) + "/function"
}

// settingOrigin returns the pointer of a member that has two names, or "" for other members.
func (c *converter) settingOrigin(name string) string {
	if name == "maxOutputTokens" && c.in.MaxCompletionTokens == nil {
		return "/max_tokens"
	}
	return ""
}

// origins maps members of Gemini's request to the members of OpenAI's request that set them. It is
// never written to.
var origins = target.Origins{
	Contents: "/messages",
	Tools:    "/tools",
	Settings: map[string]string{
		"candidateCount":     "/n",
		"frequencyPenalty":   "/frequency_penalty",
		"logprobs":           "/top_logprobs",
		"maxOutputTokens":    "/max_completion_tokens",
		"presencePenalty":    "/presence_penalty",
		"responseFormat":     "/response_format",
		"responseJsonSchema": "/response_format/json_schema/schema",
		"responseLogprobs":   "/logprobs",
		"responseMimeType":   "/response_format",
		"responseModalities": "/modalities",
		"responseSchema":     "/response_format/json_schema/schema",
		"seed":               "/seed",
		"speechConfig":       "/audio",
		"stopSequences":      "/stop",
		"temperature":        "/temperature",
		"thinkingConfig":     "/reasoning_effort",
		"toolConfig":         "/tool_choice",
		"topP":               "/top_p",
		"model":              "/model",
		"serviceTier":        "/service_tier",
	},
}
