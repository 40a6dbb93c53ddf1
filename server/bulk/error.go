package bulk

import (
	"fmt"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// NotFoundError is returned for a job or file that does not exist.
type NotFoundError struct {
	// Kind is "job" or "file".
	Kind string
	ID   string
}

// Error returns the kind and the id.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("bulk: %s %q does not exist", e.Kind, e.ID)
}

// StateError is returned if the state of a job does not allow an action.
type StateError struct {
	ID    string
	State State
	// Action is the requested action, such as "cancel".
	Action string
}

// Error says which action is not possible, and why.
func (e *StateError) Error() string {
	if e.Action == actionRetry && e.State.Ended() {
		return fmt.Sprintf("bulk: job %q has no lines to retry", e.ID)
	}
	return fmt.Sprintf("bulk: cannot %s job %q, which is %s", e.Action, e.ID, e.State)
}

// actionRetry is the action of [Service.Retry].
const actionRetry = "retry"

// SubmissionError is returned for an invalid [Submission].
type SubmissionError struct {
	// Field is the invalid field, such as "InputFile".
	Field  string
	Reason string
}

// Error returns the field and the reason.
func (e *SubmissionError) Error() string { return fmt.Sprintf("bulk: %s: %s", e.Field, e.Reason) }

// StorageError is returned if the store refuses a write, because the disk or the store is full, or
// the server is not reachable. Nothing is lost: the write is repeated when there is room.
type StorageError = engine.WriteError

// ErrDamaged is returned for data that is not what was written. It is wrapped in an error that
// names the data.
var ErrDamaged = engine.ErrDamaged

// OlderStoreError is returned for a store of an older gemwire version without checksums. It cannot
// be read; start with an empty store.
type OlderStoreError = engine.OlderStoreError
