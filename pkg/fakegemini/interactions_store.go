package fakegemini

import (
	"slices"
	"sync"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
)

// storedInteraction is an interaction that clients can read again. It is safe for concurrent use.
type storedInteraction struct {
	input   interactions.Input
	history []interactionsapi.Step // of the interactions before it

	mu     sync.Mutex
	whole  *interactionsapi.Interaction // as it ends
	events []interactionsapi.StreamEvent
	polls  int // until it ends, for a background run
	status interactionsapi.InteractionStatus
}

// pollsOfBackground is how often a client sees that a background run has not ended.
const pollsOfBackground = 2

// conversation returns the steps that a next interaction begins with.
func (s *storedInteraction) conversation() []interactionsapi.Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.history)
	for _, step := range interactions.Steps(s.input) {
		out = append(out, step.Step)
	}
	return append(out, s.whole.Steps...)
}

// state returns the current interaction. A running interaction has the steps so far.
func (s *storedInteraction) state() *interactionsapi.Interaction {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := *s.whole
	out.Status = s.status
	if s.status == s.whole.Status {
		return &out
	}
	out.Steps, out.Usage = s.stepsSoFar(), nil
	return &out
}

// stepsSoFar returns the steps of a running interaction: a part for each look of the client.
func (s *storedInteraction) stepsSoFar() []interactionsapi.Step {
	done := pollsOfBackground - s.polls
	return s.whole.Steps[:len(s.whole.Steps)*done/(pollsOfBackground+1)]
}

// eventsSoFar returns the events of the interaction. A stream follows a running one to its end.
func (s *storedInteraction) eventsSoFar() []interactionsapi.StreamEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status != interactionsapi.InteractionStatusCancelled {
		s.polls, s.status = 0, s.whole.Status
	}
	return slices.Clone(s.events)
}

// cancel cancels a running interaction, and reports whether it was running.
func (s *storedInteraction) cancel() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status != interactionsapi.InteractionStatusInProgress &&
		s.status != interactionsapi.InteractionStatusQueued {
		return false
	}
	s.status = interactionsapi.InteractionStatusCancelled
	return true
}

// progress is a look of the client at an interaction: a background run continues with each.
func (*api) progress(s *storedInteraction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.status == interactionsapi.InteractionStatusCancelled:
	case s.polls > 0:
		s.polls--
		s.status = interactionsapi.InteractionStatusInProgress
	default:
		s.status = s.whole.Status
	}
}
