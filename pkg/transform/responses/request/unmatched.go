package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// setUnmatched sets how the request is served, and reports the members that have no counterpart in
// Gemini's API.
func (c *converter) setUnmatched() error {
	if c.in.ServiceTier != nil {
		c.SetServiceTier("/service_tier", string(*c.in.ServiceTier))
	}
	c.setMetadata()
	if err := c.checkModeration(); err != nil {
		return err
	}
	c.loseUnmatched()
	return nil
}

// setMetadata sends metadata as labels if the options ask for it. The response repeats metadata in
// either case.
func (c *converter) setMetadata() {
	if c.metadata || len(c.in.Metadata) == 0 {
		c.SetLabels("/metadata", c.in.Metadata, c.metadata)
		return
	}
	c.SetLabels("/metadata", nil, false)
	c.Report.Add(report.Approximated, "/metadata", detailRepeated)
}

const detailRepeated = "not sent, because only the response repeats it"

// checkModeration refuses a moderation that should withhold flagged content, because nothing would
// be withheld.
func (c *converter) checkModeration() error {
	moderation := c.in.Moderation
	if moderation == nil {
		return nil
	}
	if policy := moderation.Policy; policy != nil {
		if jsonx.Deref(policy.Input).Mode == openaiapi.ModerationModeBlock {
			return refuse("/moderation/policy/input/mode", detailBlocks)
		}
		if jsonx.Deref(policy.Output).Mode == openaiapi.ModerationModeBlock {
			return refuse("/moderation/policy/output/mode", detailBlocks)
		}
	}
	c.Report.Add(report.Lost, "/moderation",
		"it asks for OpenAI's moderation; Gemini has safety settings instead")
	return nil
}

const detailBlocks = "is not supported: only OpenAI's own service can withhold flagged content; use safety_settings in extra_body.google"

// loseUnmatched reports what has no counterpart, unless it is Gemini's behavior anyway.
func (c *converter) loseUnmatched() {
	rest := *c.in
	if jsonx.Deref(rest.ParallelToolCalls) {
		rest.ParallelToolCalls = nil
	}
	if !jsonx.Deref(rest.Stream) {
		rest.Stream = nil
	}
	if jsonx.Deref(rest.Truncation) == openaiapi.ResponseTruncationDisabled {
		rest.Truncation = nil
	}
	if jsonx.Deref(jsonx.Deref(rest.PromptCacheOptions).Prewarm) {
		c.Report.Add(report.Lost, "/prompt_cache_options/prewarm",
			"Gemini has no request that only fills a cache; it answers")
	}
	visitMembersOfCreateResponseRequest(&rest, c.Lose(withoutCounterpart))
}

// withoutCounterpart are the members of a request without a counterpart in Gemini's API. The
// approximated ones do not change the answer: the response repeats them, or they control how the
// request is sent, or reduce its cost. It is never modified.
var withoutCounterpart = target.Fates{
	"access_programs": target.Lost("they belong to OpenAI"),
	"client_metadata": target.Approximated(
		"not sent, because they are notes of the client about itself"),
	"context_management": target.Lost("Gemini does not shorten conversations"),
	"image": target.Lost(
		"Gemini decides how much of its context images use; set media_resolution in extra_body.google"),
	"max_tool_calls":      target.Lost("Gemini decides how often it uses its tools"),
	"parallel_tool_calls": target.Lost("Gemini can always call several functions at once"),
	"prompt_cache_key":    target.Approximated(detailCached),
	"prompt_cache_options": target.Approximated(
		"not needed, because Gemini finds common prefixes by itself; cached_content selects an explicit cache"),
	"prompt_cache_retention": target.Approximated(
		"Gemini decides how long it caches common prefixes"),
	"safety_identifier": target.Approximated(detailRepeated),
	"stream":            target.Approximated("set by the method streamGenerateContent instead"),
	"stream_options":    target.Approximated("not part of Gemini's request; it is for the server that writes the stream"),
	"truncation":        target.Lost("Gemini refuses a conversation that is too long"),
	"user":              target.Approximated(detailRepeated),
}
