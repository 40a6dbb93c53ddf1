package exchange

import (
	"cmp"
	"net/http"
)

// agentHeaders are the headers by which coding agents name a session, the agent in it and the
// parent of that agent. It is read-only. Claude Code documents its headers on the page for gateways
// (code.claude.com/docs/en/llm-gateway-protocol). codex sends the others, and older versions wrote
// them with underscores.
var agentHeaders = []struct{ session, agent, parent string }{
	{"X-Claude-Code-Session-Id", "X-Claude-Code-Agent-Id", "X-Claude-Code-Parent-Agent-Id"},
	{"Session-Id", "Thread-Id", "X-Codex-Parent-Thread-Id"},
	{"Session_id", "Thread_id", "X-Codex-Parent-Thread-Id"},
}

// AgentOf returns the session, the agent and its parent that a request of a coding agent names. It
// returns "" for each that the request does not name.
func AgentOf(header http.Header) (session, agent, parent string) {
	for _, names := range agentHeaders {
		session = cmp.Or(session, header.Get(names.session))
		agent = cmp.Or(agent, header.Get(names.agent))
		parent = cmp.Or(parent, header.Get(names.parent))
	}
	return session, agent, parent
}
