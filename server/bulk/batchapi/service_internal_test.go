package batchapi

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/gateway/batches"
)

// Files of 200 MiB are too large for a test.
func TestAFileForBatchesHasALimitThatOthersHaveNot(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		purpose, name string
		bytes         int64
		isRefused     bool
	}{
		{"batch", "in.jsonl", maxFileBytes, false},
		{"batch", "in.jsonl", maxFileBytes + 1, true},
		{"batch", "IN.JSONL", 1, false},
		{"batch", "in", 1, false},
		{"batch", "in.csv", 1, true},
		{"user_data", "in.csv", maxFileBytes + 1, false},
	} {
		if err := refuseFile(&bulk.File{Purpose: tt.purpose, Name: tt.name,
			Bytes: tt.bytes}); (err != nil) != tt.isRefused {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

func TestErrorsOfJobsAreErrorsOfBatches(t *testing.T) {
	t.Parallel()
	other := errors.New("the store is away")
	full := &bulk.StorageError{Full: true, Err: other}
	refused := &bulk.StorageError{Err: other}
	for name, tt := range map[string]struct {
		err       error
		is        error // which mapped returns or wraps, or nil
		message   string
		isRefused bool // a *batches.RefusedError with the message
		isFull    bool // a *batches.FullError
	}{
		"no error":      {},
		"a missing job": {err: &bulk.NotFoundError{Kind: "job", ID: "b"}, is: batches.ErrNotFound},
		"a state": {err: &bulk.StateError{ID: "b", State: bulk.Completed, Action: "cancel"},
			isRefused: true, message: "the batch is completed and can no longer be canceled"},
		"a submission": {err: &bulk.SubmissionError{Field: "ID", Reason: "is too long"},
			isRefused: true, message: "is too long"},
		"a full store":    {err: full, is: full, isFull: true},
		"a refused write": {err: refused, is: refused},
		"anything else":   {err: other, is: other},
	} {
		got := mapped(tt.err)
		refusal, isRefused := errors.AsType[*batches.RefusedError](got)
		_, isFull := errors.AsType[*batches.FullError](got)
		if (got == nil) != (tt.err == nil) || tt.is != nil && !errors.Is(got, tt.is) ||
			isRefused != tt.isRefused || isRefused && refusal.Message != tt.message ||
			isFull != tt.isFull {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAPageHasOneEntryMoreThanWasAskedForUnlessOwnersAreMixed(t *testing.T) {
	t.Parallel()
	for owner, want := range map[batches.Owner]int{"ann": 21, "": 0} {
		if got := mostOf(owner, 20); got != want {
			t.Errorf("owner %q: %d, want %d", owner, got, want)
		}
	}
}
