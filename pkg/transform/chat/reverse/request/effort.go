package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// version is the version of a GPT model.
type version struct{ major, minor int }

// toolsWantEffortNone is the first version whose chat completions accept functions only with the
// reasoning effort none. Any other effort, or no effort, is answered with status 400: "Function
// tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use
// function tools, use /v1/responses or set reasoning_effort to 'none'." GPT-5.5 and earlier accept
// functions without an effort. Measured by BerriAI/litellm#34569 (2026-07-24) and
// livekit/agents#7169.
var toolsWantEffortNone = version{5, 6}

// setEffortDespiteTools sets the reasoning effort none if the model accepts functions with no other
// effort.
func (c *converter) setEffortDespiteTools() error {
	none := openaiapi.ReasoningEffortNone
	switch {
	case c.anyEffort, len(c.out.Tools) == 0, !wantsEffortNone(c.out.Model):
		return nil
	case c.out.ReasoningEffort != nil && *c.out.ReasoningEffort == none:
		return nil
	}
	at := "/tools"
	if c.in.GenerationConfig != nil && c.in.GenerationConfig.ThinkingConfig != nil {
		at = thinkingPointer
	}
	c.report.Add(report.Lost, at,
		"replaced by the effort none, because chat_completions accepts functions for this model only with it")
	c.out.ReasoningEffort, c.config.ThinkingConfig = &none, nil
	return nil
}

// wantsEffortNone reports whether a model accepts functions only with the effort none. A model name
// with a folder, such as openai/gpt-5.6, belongs to a router, which handles this. Chat models do
// not think.
func wantsEffortNone(model string) bool {
	v, ok := versionOf(model)
	isLater := v.major > toolsWantEffortNone.major ||
		v.major == toolsWantEffortNone.major && v.minor >= toolsWantEffortNone.minor
	return ok && isLater && !strings.Contains(model, "-chat")
}

// versionOf returns the version of a GPT model, such as 5.6 for gpt-5.6-luna and for
// ft:gpt-5.6:org::id. ok is false for other names. These include gpt-35-turbo, Azure's name for
// 3.5.
func versionOf(model string) (v version, ok bool) {
	name, ok := strings.CutPrefix(strings.TrimPrefix(model, "ft:"), "gpt-")
	if !ok {
		return v, false
	}
	if end := strings.IndexAny(name, "-:"); end >= 0 {
		name = name[:end]
	}
	major, minor, hasMinor := strings.Cut(name, ".")
	var err error
	if v.major, err = strconv.Atoi(major); err != nil || len(major) > 1 {
		return v, false
	}
	if hasMinor {
		v.minor, err = strconv.Atoi(minor)
	}
	return v, err == nil
}
