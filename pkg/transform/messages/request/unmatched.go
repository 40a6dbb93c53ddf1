package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

// setUnmatched sets how the request is served, and reports the members that have no counterpart in
// Gemini's API.
func (c *converter) setUnmatched() error {
	if err := c.checkThread(); err != nil {
		return err
	}
	c.setService()
	c.loseOutputConfig()
	c.loseContextManagement()
	c.loseUnmatched()
	return nil
}

// CodeThreadNotFound is the error code after which Anthropic's clients send the conversation again
// from its beginning.
const CodeThreadNotFound = "thread_not_found"

// checkThread refuses a request that continues a conversation stored at Anthropic. A request that
// starts one contains all messages; the tool loop of Anthropic's Node.js client sends such
// requests.
func (c *converter) checkThread() error {
	switch thread := c.in.Thread; {
	case thread == nil || thread.Kind() == jsontext.KindNull:
		return nil
	case string(jsonx.Member(thread, "type")) == `"create"`:
		c.Report.Add(report.Approximated, "/thread",
			"nothing is stored; the next request must have all messages again")
		return nil
	}
	return &Error{Pointer: "/thread",
		Problem: "continues a conversation that is not stored; send all of its messages", Code: CodeThreadNotFound}
}

// setService sets the service tier.
func (c *converter) setService() {
	const tierAt, speedAt = "/service_tier", "/speed"
	hasTier := c.in.ServiceTier != nil && c.Out.ServiceTier == nil // extra_body has none
	switch tier := jsonx.Deref(c.in.ServiceTier); {
	case c.in.ServiceTier == nil:
	case tier == anthropicapi.RequestServiceTierStandardOnly:
		c.SetServiceTier(tierAt, "default")
	default:
		c.SetServiceTier(tierAt, string(tier))
	}
	switch speed := jsonx.Deref(c.in.Speed); {
	case c.in.Speed == nil:
	case speed == anthropicapi.SpeedStandard:
		c.Report.Add(report.Approximated, speedAt,
			"omitted, because it is the default of the service")
	case hasTier && c.Out.ServiceTier != nil:
		c.Report.Add(report.Lost, speedAt, "service_tier is used, and Gemini has one tier for both")
	default:
		c.SetServiceTier(speedAt, string(speed))
	}
}

// loseOutputConfig reports the members of output_config other than effort and format.
func (c *converter) loseOutputConfig() {
	in := c.in.OutputConfig
	if in == nil {
		return
	}
	if in.TaskBudget != nil {
		c.Report.Add(report.Lost, "/output_config/task_budget",
			"Gemini does not count over several requests")
	}
	c.LoseUnknown("/output_config", in.Unknown)
}

// loseContextManagement reports the requested context edits. Keeping all thinking, as Claude Code
// requests, is Gemini's behavior.
func (c *converter) loseContextManagement() {
	in := c.in.ContextManagement
	if in == nil {
		return
	}
	const pointer = "/context_management"
	for i, edit := range in.Edits {
		keepsAll := string(jsonx.Member(edit, "type")) == `"clear_thinking_20251015"` &&
			isAll(jsonx.Member(edit, "keep"))
		kind, detail := report.Lost, "Gemini does not edit a conversation"
		if keepsAll {
			kind, detail = report.Approximated,
				"omitted, because Gemini keeps all thinking that clients send back"
		}
		c.Report.Add(kind, pointer+"/edits/"+itoa(i), detail)
	}
	c.LoseUnknown(pointer, in.Unknown)
}

// isAll reports whether a setting is "all", in either of its forms.
func isAll(keep jsontext.Value) bool {
	return string(keep) == `"all"` || string(jsonx.Member(keep, "type")) == `"all"`
}

// loseUnmatched reports what has no counterpart, unless it is Gemini's behavior anyway.
func (c *converter) loseUnmatched() {
	rest := *c.in
	if !jsonx.Deref(rest.Stream) {
		rest.Stream = nil
	}
	visitMembersOfCreateMessageRequest(&rest, c.Lose(withoutCounterpart))
}

// withoutCounterpart are the members of a request without a counterpart in Gemini's API. The
// approximated ones do not change the answer: they control how the request is sent, or reduce its
// cost. It is never modified.
var withoutCounterpart = target.Fates{
	"billing_policy":        target.Approximated("not sent, because it is statistics for Anthropic's servers"),
	"cache_control":         target.Approximated(target.DetailCached),
	"compaction":            target.Lost("Gemini does not summarize conversations"),
	"container":             target.Lost("Gemini's tools have no container to reuse"),
	"diagnostics":           target.Approximated("not sent, because it asks about Anthropic's cache"),
	"fallback_credit_token": target.Approximated("not sent, because it is statistics for Anthropic's servers"),
	"fallbacks":             target.Lost("no other model answers if a model refuses"),
	"inference_geo":         target.Lost("not part of Gemini's request; the URL of the call decides where the model runs"),
	"metadata": target.Approximated(
		"not sent, because it identifies the end user to Anthropic's servers, and Gemini has no member for it"),
	"stream": target.Approximated("set by the method streamGenerateContent instead"),
}

// addServers lets the model use MCP servers, which Gemini contacts itself.
func (c *converter) addServers() error {
	if len(c.in.MCPServers) == 0 {
		return nil
	}
	if c.VertexAI {
		return &refusal.Error{Pointer: "/mcp_servers",
			Problem: "must be empty, because Vertex AI calls no MCP servers; declare their tools as functions"}
	}
	servers := make([]geminiapi.MCPServer, len(c.in.MCPServers))
	for i := range c.in.MCPServers {
		in, pointer := &c.in.MCPServers[i], "/mcp_servers/"+itoa(i)
		if in.URL == "" {
			return &refusal.Error{Pointer: pointer + "/url",
				Problem: "must be set, with the address of the server"}
		}
		transport := &geminiapi.StreamableHTTPTransport{URL: &in.URL}
		if token := jsonx.Deref(in.AuthorizationToken); token != "" {
			transport.Headers = map[string]string{"Authorization": "Bearer " + token}
		}
		servers[i] = geminiapi.MCPServer{Name: &in.Name, StreamableHTTPTransport: transport}
		if in.Type != "" && in.Type != "url" {
			c.Report.Add(report.Approximated, pointer+"/type", "the server is called at its address")
		}
		if in.ToolConfiguration != nil {
			c.Report.Add(report.Lost, pointer+"/tool_configuration",
				"Gemini gets all tools of a server")
		}
		c.LoseUnknown(pointer, in.Unknown)
	}
	c.Out.Tools = append(c.Out.Tools, geminiapi.Tool{MCPServers: servers})
	return nil
}
