package agent

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
)

// SessionUpdate is data from events that a host stores with a session. It is partial: "" is a value
// that the events do not have. Its JSON form omits these, and includes the token. In printed or
// logged form, an update shows neither the token nor the relay's address.
type SessionUpdate struct {
	// GeminiSessionID is the id of the agent's own session, from its event init.
	GeminiSessionID string `json:"geminiSessionId,omitzero"`
	// SandboxID is the id of the sandbox that the agent runs in, from the event sandbox.
	SandboxID string `json:"sandboxId,omitzero"`
	// RelaySessionID, RelayToken and RelayURL say where to answer the agent's requests, from the
	// event relay.session. Either all three are set or none. The token is a secret.
	RelaySessionID string `json:"relaySessionId,omitzero"`
	// RelayToken is described at RelaySessionID.
	RelayToken string `json:"relayToken,omitzero"`
	// RelayURL is described at RelaySessionID.
	RelayURL string `json:"relayUrl,omitzero"`
	// PendingRequestID is the id of the request that the agent now waits for.
	PendingRequestID string `json:"pendingRequestId,omitzero"`
}

// Merge copies the values that a later update has.
func (u *SessionUpdate) Merge(later SessionUpdate) {
	u.GeminiSessionID = cmp.Or(later.GeminiSessionID, u.GeminiSessionID)
	u.SandboxID = cmp.Or(later.SandboxID, u.SandboxID)
	u.RelaySessionID = cmp.Or(later.RelaySessionID, u.RelaySessionID)
	u.RelayToken = cmp.Or(later.RelayToken, u.RelayToken)
	u.RelayURL = cmp.Or(later.RelayURL, u.RelayURL)
	u.PendingRequestID = cmp.Or(later.PendingRequestID, u.PendingRequestID)
}

// String returns the values of the update. [redact.Mark] replaces the relay's token and address.
func (u SessionUpdate) String() string {
	var members []string
	add := func(name, value string) {
		if value != "" {
			members = append(members, name+": "+value)
		}
	}
	add("GeminiSessionID", u.GeminiSessionID)
	add("SandboxID", u.SandboxID)
	add("RelaySessionID", u.RelaySessionID)
	add("RelayToken", mark(u.RelayToken))
	add("RelayURL", mark(u.RelayURL)) // the URL may contain the token
	add("PendingRequestID", u.PendingRequestID)
	return "agent.SessionUpdate{" + redact.Text(strings.Join(members, ", "), u.RelayToken) + "}"
}

// mark returns the mark for a secret, or "" for "".
func mark(secret string) string {
	if secret == "" {
		return ""
	}
	return redact.Mark
}

// GoString returns what String returns.
func (u SessionUpdate) GoString() string { return u.String() }

// Format writes what String returns, for every verb.
func (u SessionUpdate) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, u.String()) }

// LogValue returns what String returns.
func (u SessionUpdate) LogValue() slog.Value { return slog.StringValue(u.String()) }

// String returns the number of parts in the result, and its session update.
func (r Result) String() string {
	return fmt.Sprintf("agent.Result{%d parts, %v, relay request: %t}", len(r.Parts),
		r.SessionUpdate, r.RelayRequest != nil)
}

// GoString returns what String returns.
func (r Result) GoString() string { return r.String() }

// Format writes what String returns, for every verb.
func (r Result) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, r.String()) }

// LogValue returns what String returns.
func (r Result) LogValue() slog.Value { return slog.StringValue(r.String()) }

// String returns the session update so far. It does not show what the stream has read.
func (s *Stream) String() string {
	if s == nil {
		return "agent.Stream(nil)"
	}
	return "agent.Stream{" + s.session.String() + "}"
}

// GoString returns what String returns.
func (s *Stream) GoString() string { return s.String() }

// Format writes what String returns, for every verb.
func (s *Stream) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, s.String()) }

// LogValue returns what String returns.
func (s *Stream) LogValue() slog.Value { return slog.StringValue(s.String()) }

// String returns a constant, because the context has seen events with a token.
func (c *MapperContext) String() string { return "agent.MapperContext" }

// GoString returns what String returns.
func (c *MapperContext) GoString() string { return c.String() }

// Format writes what String returns, for every verb.
func (c *MapperContext) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, c.String()) }

// LogValue returns what String returns.
func (c *MapperContext) LogValue() slog.Value { return slog.StringValue(c.String()) }
