package request

import (
	"cmp"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// checkState refuses what generateContent cannot do: agents, and, without a store, interactions
// that continue another one or that run in the background.
func (c *converter) checkState() error {
	switch {
	case c.in.Agent != nil:
		return refuse("/agent",
			"must be absent: agents exist only in the Interactions API; set model")
	case cmp.Or(jsonx.Deref(c.in.Model), c.model) == "":
		return refuse("/model", "must be set, with the name of the model")
	case jsonx.Deref(c.in.PreviousInteractionID) != "" && !c.hasHistory:
		return &Error{
			Pointer: "/previous_interaction_id", Code: interactions.CodeNotFound, NeedsStore: true,
			Problem: "previous interaction " + strconv.Quote(*c.in.PreviousInteractionID) +
				" not found: nothing is stored here; send all steps as input",
		}
	case jsonx.Deref(c.in.Background) && c.in.Store != nil && !*c.in.Store:
		return refuse("/store", "must be true, because background needs a stored interaction")
	case jsonx.Deref(c.in.Background) && !c.store:
		return &Error{
			Pointer: "/background", Code: interactions.CodeInvalidRequest, NeedsStore: true,
			Problem: "must be false: nothing is stored here, so an interaction could not be polled",
		}
	}
	c.reportState()
	return nil
}

// reportState reports the members about storage.
func (c *converter) reportState() {
	switch id := c.in.PreviousInteractionID; {
	case id == nil:
	case *id == "":
		c.Report.Add(report.Approximated, "/previous_interaction_id",
			"omitted, because it is empty")
	default:
		c.Report.Add(report.Approximated, "/previous_interaction_id",
			"replaced by the steps of the interaction")
	}
	const detail = "not part of Gemini's request; it is for the server that stores interactions"
	switch {
	case !jsonx.Deref(c.in.Store):
	case c.store:
		c.Report.Add(report.Approximated, "/store", detail)
	default:
		c.Report.Add(report.Lost, "/store", "nothing is stored here")
	}
	if jsonx.Deref(c.in.Background) {
		c.Report.Add(report.Approximated, "/background", detail)
	}
}

// setUnmatched sets how the request is served, and reports the members that have no counterpart in
// Gemini's API.
func (c *converter) setUnmatched() error {
	if tier := c.in.ServiceTier; tier != nil {
		c.SetServiceTier("/service_tier", geminiTier(string(*tier)))
	}
	c.setSafety()
	c.SetLabels("/labels", c.in.Labels, true)
	c.Out.ContinuationToken = c.in.ContinuationToken
	rest := *c.in
	if !jsonx.Deref(rest.Stream) {
		rest.Stream = nil
	}
	visitMembersOfCreateInteractionRequest(&rest, c.Lose(withoutCounterpart))
	c.LoseUnknown("", c.in.Unknown)
	return nil
}

// geminiTier returns the name of a service tier that [target.Request.SetServiceTier] reads, which
// is OpenAI's.
func geminiTier(name string) string {
	switch name {
	case "standard":
		return "default"
	case "default", "auto", "fast": // which the Interactions API does not have
		return "unknown"
	default:
		return name
	}
}

// withoutCounterpart are the members of a request without a counterpart in Gemini's API. It is
// never written to.
var withoutCounterpart = target.Fates{
	"agent_config":   target.Lost("only agents have settings, and generateContent has no agents"),
	"environment":    target.Lost("generateContent has no environments"),
	"stream":         target.Approximated("set by the method streamGenerateContent instead"),
	"webhook_config": target.Lost("generateContent calls no webhooks"),
}
