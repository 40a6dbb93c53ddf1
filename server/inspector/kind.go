package inspector

import "github.com/gemwire/gemwire/server/inspector/internal/overview"

// restOf returns the pause because of which no account was called, or nil.
func (r *record) restOf(s *store) *overview.Rest {
	if r.end == nil || r.end.Rest == nil {
		return nil
	}
	rest := r.end.Rest
	return &overview.Rest{Account: rest.Account, Reason: rest.Reason, Until: rest.Until,
		By: s.findRequest(rest.By)}
}
