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

const detailRepeated = "the response repeats it; Gemini is not told"

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
		"it asks for OpenAI's own service; Gemini has safety settings")
	return nil
}

const detailBlocks = "only OpenAI's own service could hold back what it flags; Gemini has safety settings in extra_body.google"

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
// request is sent, or reduce its cost. It is never written to.
var withoutCounterpart = target.Fates{
	"access_programs": target.Lost("they are OpenAI's own"),
	"client_metadata": target.Approximated(
		"notes of the client about itself; Gemini is not told"),
	"context_management": target.Lost("Gemini shortens no conversation"),
	"image": target.Lost(
		"Gemini decides how much of its context images take; media_resolution is in extra_body.google"),
	"max_tool_calls":      target.Lost("Gemini decides how often it uses its tools"),
	"parallel_tool_calls": target.Lost("Gemini may always call several functions at once"),
	"prompt_cache_key":    target.Approximated(detailCached),
	"prompt_cache_options": target.Approximated(
		"Gemini finds common beginnings by itself; explicit caches go by cached_content"),
	"prompt_cache_retention": target.Approximated(
		"Gemini decides how long it keeps common beginnings"),
	"safety_identifier": target.Approximated(detailRepeated),
	"stream":            target.Approximated("choose the method streamGenerateContent"),
	"stream_options":    target.Approximated("for whoever writes the stream"),
	"truncation":        target.Lost("Gemini refuses a conversation that is too long"),
	"user":              target.Approximated(detailRepeated),
}
