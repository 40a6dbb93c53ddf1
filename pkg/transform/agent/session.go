package agent

import (
	"cmp"
)

// SessionUpdate is what events say for the data that a host keeps with a session. It is partial: ""
// is a value that they do not say. Its JSON form has only the others.
type SessionUpdate struct {
	// GeminiSessionID is the id of the agent's own session, from its event init.
	GeminiSessionID string `json:"geminiSessionId,omitzero"`
	// SandboxID is the id of the sandbox that the agent runs in, from the event sandbox.
	SandboxID string `json:"sandboxId,omitzero"`
	// RelaySessionID, RelayToken and RelayURL are where to answer the agent's requests, from the
	// event relay.session: all three or none. The token is a secret.
	RelaySessionID string `json:"relaySessionId,omitzero"`
	// RelayToken: see RelaySessionID.
	RelayToken string `json:"relayToken,omitzero"`
	// RelayURL: see RelaySessionID.
	RelayURL string `json:"relayUrl,omitzero"`
	// PendingRequestID is the id of the request that the agent now waits for.
	PendingRequestID string `json:"pendingRequestId,omitzero"`
}

// Merge takes over the values that a later update has.
func (u *SessionUpdate) Merge(later SessionUpdate) {
	u.GeminiSessionID = cmp.Or(later.GeminiSessionID, u.GeminiSessionID)
	u.SandboxID = cmp.Or(later.SandboxID, u.SandboxID)
	u.RelaySessionID = cmp.Or(later.RelaySessionID, u.RelaySessionID)
	u.RelayToken = cmp.Or(later.RelayToken, u.RelayToken)
	u.RelayURL = cmp.Or(later.RelayURL, u.RelayURL)
	u.PendingRequestID = cmp.Or(later.PendingRequestID, u.PendingRequestID)
}
