package request

import (
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
	c.setStore()
	c.SetLabels("/metadata", c.in.Metadata, c.metadata)
	c.loseUnmatched()
	return nil
}

// loseUnmatched reports what has no counterpart, unless it is Gemini's behavior anyway.
func (c *converter) loseUnmatched() {
	rest := *c.in
	if jsonx.Deref(rest.ParallelToolCalls) {
		rest.ParallelToolCalls = nil
	}
	if !jsonx.Deref(rest.Stream) {
		rest.Stream = nil
	}
	visitMembersOfCreateChatCompletionRequest(&rest, c.Lose(withoutCounterpart))
}

// withoutCounterpart are the members of a request without a counterpart in Gemini's API. The
// approximated ones do not change the answer: they control how the request is sent, or reduce its
// cost. It is never written to.
var withoutCounterpart = target.Fates{
	"logit_bias": target.Lost("Gemini does not let tokens be weighted"),
	"moderation": target.Lost(
		"it asks for OpenAI's own service; Gemini has safety settings"),
	"parallel_tool_calls": target.Lost("Gemini may always call several functions at once"),
	"prediction":          target.Lost("Gemini makes no use of an expected answer"),
	"prompt_cache_key":    target.Approximated(target.DetailCached),
	"prompt_cache_options": target.Approximated(
		"Gemini finds common beginnings by itself; explicit caches go by cached_content"),
	"prompt_cache_retention": target.Approximated(
		"Gemini decides how long it keeps common beginnings"),
	"safety_identifier": target.Lost("Gemini is not told of the end user"),
	"stream":            target.Approximated("choose the method streamGenerateContent"),
	"stream_options": target.Approximated(
		"for whoever writes the stream; Gemini always sends token counts"),
	"user": target.Lost("Gemini is not told of the end user"),
	"verbosity": target.Lost(
		"Gemini has no such setting; a system message can say it"),
}

// setStore disables storage at Google if the request disables it at OpenAI. OpenAI's store keeps a
// completion for OpenAI's dashboard. It does not ask Google to store anything;
// extra_body.google.store does.
func (c *converter) setStore() {
	const pointer = "/store"
	switch {
	case c.in.Store == nil:
	case *c.in.Store:
		c.Report.Add(report.Lost, pointer,
			"no completion is kept; extra_body.google.store has Google store the call")
	case c.vertex:
		c.Report.Add(report.Approximated, pointer, "left out, as Vertex AI keeps no answers anyway")
	default:
		target.Set(&c.Request, pointer, c.in.Store, &c.Out.Store)
	}
}
