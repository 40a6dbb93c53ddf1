package bulk

import (
	"fmt"

	"github.com/gemwire/gemwire/server/bulk/internal/engine"
)

// NotFoundError is a job or file that there is not.
type NotFoundError struct {
	// Kind is "job" or "file".
	Kind string
	ID   string
}

// Error names what was asked for.
func (e *NotFoundError) Error() string { return fmt.Sprintf("bulk: there is no %s %q", e.Kind, e.ID) }

// StateError is a job whose state does not allow what was asked for.
type StateError struct {
	ID    string
	State State
	// Action is what was asked for, such as "cancel".
	Action string
}

// Error says what is not possible, and why.
func (e *StateError) Error() string {
	return fmt.Sprintf("bulk: cannot %s job %q, which is %s", e.Action, e.ID, e.State)
}

// SubmissionError is a [Submission] that says too little, too much, or what cannot be.
type SubmissionError struct {
	// Field is the member, such as "InputFile".
	Field  string
	Reason string
}

// Error names the member and what is wrong.
func (e *SubmissionError) Error() string { return fmt.Sprintf("bulk: %s: %s", e.Field, e.Reason) }

// StorageError is a store that does not take a write: the disk or the store is full, or the server
// is away. Nothing is lost: what was to be written is done again when there is room.
type StorageError = engine.WriteError

// OlderStoreError is a store that a version of gemwire wrote that kept no checksums. It cannot be
// read: start with an empty one.
type OlderStoreError = engine.OlderStoreError
