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
// cost. It is never modified.
var withoutCounterpart = target.Fates{
	"logit_bias": target.Lost("Gemini has no weights for tokens"),
	"moderation": target.Lost(
		"it asks for OpenAI's moderation; Gemini has safety settings instead"),
	"parallel_tool_calls": target.Lost("Gemini can always call several functions at once"),
	"prediction":          target.Lost("Gemini does not use an expected answer"),
	"prompt_cache_key":    target.Approximated(target.DetailCached),
	"prompt_cache_options": target.Approximated(
		"not needed, because Gemini finds common prefixes by itself; cached_content selects an explicit cache"),
	"prompt_cache_retention": target.Approximated(
		"Gemini decides how long it caches common prefixes"),
	"safety_identifier": target.Lost("not sent, because Gemini has no member for the end user"),
	"stream":            target.Approximated("set by the method streamGenerateContent instead"),
	"stream_options": target.Approximated(
		"not part of Gemini's request; it is for the server that writes the stream; Gemini always sends token counts"),
	"user": target.Lost("not sent, because Gemini has no member for the end user"),
	"verbosity": target.Lost(
		"Gemini has no such setting; a system message can ask for it"),
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
			"completions are not stored; extra_body.google.store makes Google store the call")
	case c.vertex:
		c.Report.Add(report.Approximated, pointer, "omitted, because Vertex AI stores no answers anyway")
	default:
		target.Set(&c.Request, pointer, c.in.Store, &c.Out.Store)
	}
}
