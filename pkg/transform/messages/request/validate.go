package request

import (
	"cmp"

	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// avoidRefusals changes settings that the model is known to refuse.
func (c *converter) avoidRefusals() error { return c.AvoidRefusals(c.searches...) }

// validate returns an error if Gemini is known to refuse the result.
func (c *converter) validate() error {
	c.Finish()
	if c.unvalidated || c.counted {
		return nil
	}
	return c.Validate(cmp.Or(c.model, c.in.Model), &target.Places{
		Content: c.history.Origin, Function: c.functionOrigin, Setting: c.settingOrigin,
	})
}

// functionOrigin returns the pointer of the tool that a declaration was made from, or "".
func (c *converter) functionOrigin(index int, _ string) string {
	if index >= len(c.positions) {
		return ""
	}
	at := c.positions[index]
	if later := at - len(c.in.Tools); later >= 0 {
		added := &c.history.added[later]
		return conversation.Of("/messages", added.message).In("content",
			added.block).Pointer("/tool")
	}
	return "/tools/" + itoa(at)
}

// settingOrigin returns the pointer of a member that has two names, or "" for other members.
func (c *converter) settingOrigin(name string) string {
	if name == "thinkingConfig" && c.in.Thinking == nil {
		return "/output_config/effort"
	}
	return ""
}

// origins maps members of Gemini's request to the members of Anthropic's request that set them. It
// is never modified.
var origins = target.Origins{
	Contents: "/messages",
	Tools:    "/tools",
	Settings: map[string]string{
		"maxOutputTokens":    "/max_tokens",
		"model":              "/model",
		"responseFormat":     "/output_config/format",
		"responseJsonSchema": "/output_config/format/schema",
		"responseMimeType":   "/output_config/format",
		"responseSchema":     "/output_config/format/schema",
		"serviceTier":        "/service_tier",
		"stopSequences":      "/stop_sequences",
		"temperature":        "/temperature",
		"thinkingConfig":     "/thinking",
		"toolConfig":         "/tool_choice",
		"topK":               "/top_k",
		"topP":               "/top_p",
	},
}
