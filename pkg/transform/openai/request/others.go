package request

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// setOthers sets how the request is served, and reports the members without a counterpart in Gemini's.
func (c *converter) setOthers() error {
	c.setServiceTier()
	c.setStore()
	c.setLabels()
	c.loseRest()
	return nil
}

// loseRest reports what has no counterpart, unless it is what Gemini does anyway.
func (c *converter) loseRest() {
	rest := *c.in
	if optional.Value(rest.ParallelToolCalls) {
		rest.ParallelToolCalls = nil
	}
	if !optional.Value(rest.Stream) {
		rest.Stream = nil
	}
	visitMembersOfCreateChatCompletionRequest(&rest, func(name string) {
		if m, ok := withoutCounterpart[name]; ok {
			c.report.Add(m.kind, "/"+name, m.detail)
		}
	})
}

// withoutCounterpart are the members of a request without a counterpart in Gemini's. Those that are
// approximated do not change the answer: they steer how the request is sent, or make it cheaper. It is
// never written to.
var withoutCounterpart = map[string]struct {
	kind   transform.Kind
	detail string
}{
	"logit_bias":             {transform.Lost, "Gemini does not let tokens be weighted"},
	"moderation":             {transform.Lost, "it asks for OpenAI's own service; Gemini has safety settings"},
	"parallel_tool_calls":    {transform.Lost, "Gemini may always call several functions at once"},
	"prediction":             {transform.Lost, "Gemini makes no use of an expected answer"},
	"prompt_cache_key":       {transform.Approximated, detailCached},
	"prompt_cache_options":   {transform.Approximated, "Gemini finds common beginnings by itself; explicit caches go by cached_content"},
	"prompt_cache_retention": {transform.Approximated, "Gemini decides how long it keeps common beginnings"},
	"safety_identifier":      {transform.Lost, "Gemini is not told of the end user"},
	"stream":                 {transform.Approximated, "choose the method streamGenerateContent"},
	"stream_options":         {transform.Approximated, "for whoever writes the stream; Gemini always sends token counts"},
	"user":                   {transform.Lost, "Gemini is not told of the end user"},
	"verbosity":              {transform.Lost, "Gemini has no such setting; a system message can say it"},
}

// setServiceTier sets the quality of service, which the Gemini API knows and Vertex AI does not.
func (c *converter) setServiceTier() {
	const pointer = "/service_tier"
	if c.in.ServiceTier == nil {
		return
	}
	tier, known := serviceTiers[*c.in.ServiceTier]
	switch {
	case !known:
		c.report.Add(transform.Lost, pointer, "Gemini does not know this tier")
	case tier == "" || tier == geminiapi.ServiceTierStandard && c.vertex:
		c.report.Add(transform.Approximated, pointer, "left out, as it is what the service does by itself")
	case c.vertex:
		c.report.Add(transform.Lost, pointer, "Vertex AI takes no tier in the request")
	case c.out.ServiceTier != nil:
		c.report.Add(transform.Lost, pointer, detailInExtraBody)
	default:
		c.out.ServiceTier = &tier
		if *c.in.ServiceTier == openaiapi.ServiceTierFast {
			c.report.Add(transform.Approximated, pointer, "the quickest tier that Gemini has is priority")
		}
	}
}

// serviceTiers are Gemini's names of OpenAI's tiers, "" for its default. It is never written
// to. Bought capacity, scale, has no counterpart.
var serviceTiers = map[openaiapi.ServiceTier]geminiapi.ServiceTier{
	openaiapi.ServiceTierAuto:     "",
	openaiapi.ServiceTierDefault:  geminiapi.ServiceTierStandard,
	openaiapi.ServiceTierFlex:     geminiapi.ServiceTierFlex,
	openaiapi.ServiceTierFast:     geminiapi.ServiceTierPriority,
	openaiapi.ServiceTierPriority: geminiapi.ServiceTierPriority,
}

// setStore sets whether the call may be kept for later use, which the Gemini API calls its log.
func (c *converter) setStore() {
	const pointer = "/store"
	switch {
	case c.in.Store == nil:
	case c.vertex && *c.in.Store:
		c.report.Add(transform.Lost, pointer, "Vertex AI keeps no answers")
	case c.vertex:
		c.report.Add(transform.Approximated, pointer, "left out, as Vertex AI keeps no answers anyway")
	default:
		set(c, pointer, c.in.Store, &c.out.Store)
	}
}

// setLabels carries metadata over as labels if it is asked to, as far as labels may hold it. Labels of extra_body go
// to the Gemini API too, as Google's newer SDKs send them, though its description has none and older SDKs refused
// them (github.com/googleapis/python-genai/issues/2296).
func (c *converter) setLabels() {
	const pointer = "/metadata"
	if len(c.out.Labels) > 0 && !c.vertex {
		c.report.Add(transform.Approximated, c.extraBodyPointers["labels"], "sent as they are; only Vertex AI is known to use labels")
	}
	switch {
	case len(c.in.Metadata) == 0:
	case !c.metadata:
		c.report.Add(transform.Lost, pointer, "Gemini keeps no notes; an option carries them over as labels")
	case !c.vertex:
		c.report.Add(transform.Lost, pointer, "only Vertex AI takes labels")
	case c.out.Labels != nil:
		c.report.Add(transform.Lost, pointer, detailInExtraBody)
	default:
		labels := make(map[string]string, len(c.in.Metadata))
		for _, key := range slices.Sorted(maps.Keys(c.in.Metadata)) {
			if value := c.in.Metadata[key]; isLabelKey(key) && isLabelText(value) {
				labels[key] = value
			} else {
				c.report.Add(transform.Lost, below(pointer, key), "a label has up to 63 small letters, digits, _ and -, and its key begins with a letter")
			}
		}
		if len(labels) > 0 {
			c.out.Labels = labels
		}
	}
}

func isLabelKey(key string) bool {
	first, _ := utf8.DecodeRuneInString(key)
	return unicode.IsLetter(first) && isLabelText(key)
}

// isLabelText reports whether Google Cloud takes a text in a label.
func isLabelText(text string) bool {
	isOther := func(r rune) bool {
		isSmall := unicode.IsLetter(r) && !unicode.IsUpper(r)
		return !isSmall && !unicode.IsDigit(r) && r != '_' && r != '-'
	}
	return utf8.RuneCountInString(text) <= 63 && !strings.ContainsFunc(text, isOther)
}
