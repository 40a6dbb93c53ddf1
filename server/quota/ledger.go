package quota

import (
	"context"
	"errors"
)

// Ledger has a record for each limit, which all replicas share. It must be safe for concurrent use.
type Ledger interface {
	// Load returns a record and its revision, or nil and 0 if there is no record.
	Load(ctx context.Context, name string) (record []byte, revision uint64, err error)
	// Store replaces the record with the given revision, or creates it for revision 0. It returns
	// the new revision. Its error is [ErrChanged] if another replica has changed the record.
	Store(ctx context.Context, name string, record []byte, revision uint64) (uint64, error)
}

// ErrChanged is returned by a [Ledger] if a record no longer has the expected revision.
var ErrChanged = errors.New("quota: another replica has changed the record")
