// Package kvledger shares the rate limits of package limit between workers on several machines. It
// stores them in a key-value bucket of NATS JetStream.
//
//	bucket, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "limits"})
//	limiter := limit.New("my-project", limits, kvledger.New(bucket), limit.WithPause(10*time.Millisecond))
//
// If a bucket is lost, at most one minute exceeds the limits.
package kvledger

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/nats-io/nats.go/jetstream"
)

// Ledger is a [limit.Ledger] in a bucket. [New] makes it. It is safe for concurrent use.
type Ledger struct{ bucket jetstream.KeyValue }

// New returns the ledger in a bucket. The bucket needs no history.
func New(bucket jetstream.KeyValue) *Ledger { return &Ledger{bucket: bucket} }

// Load implements [limit.Ledger].
func (l *Ledger) Load(ctx context.Context, project string) (record []byte, revision uint64,
	err error) {
	entry, err := l.bucket.Get(ctx, key(project))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("kvledger: %w", err)
	}
	return entry.Value(), entry.Revision(), nil
}

// Store implements [limit.Ledger].
func (l *Ledger) Store(ctx context.Context, project string, record []byte, revision uint64) (uint64,
	error) {
	var err error
	if revision == 0 {
		revision, err = l.bucket.Create(ctx, key(project), record)
	} else {
		revision, err = l.bucket.Update(ctx, key(project), record, revision)
	}
	switch {
	case err == nil:
		return revision, nil
	case isChanged(err):
		return 0, limit.ErrChanged
	default:
		return 0, fmt.Errorf("kvledger: %w", err)
	}
}

// isChanged reports whether an error says that a revision is no longer the last one. Buckets with
// replicas report it with another code, which does not match [jetstream.ErrKeyExists] when a key is
// updated.
func isChanged(err error) bool {
	return errors.Is(err, jetstream.ErrKeyExists) ||
		errors.Is(err, jetstream.ErrKeyRevisionMismatch)
}

// key returns the key of a project, whose name may have any characters.
func key(project string) string { return "p" + base64.RawURLEncoding.EncodeToString([]byte(project)) }

// Projects returns the projects that have a record.
func (l *Ledger) Projects(ctx context.Context) ([]string, error) {
	keys, err := l.bucket.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("kvledger: %w", err)
	}
	var projects []string
	for _, key := range keys {
		encoded, isOurs := strings.CutPrefix(key, "p")
		project, err := base64.RawURLEncoding.DecodeString(encoded)
		if isOurs && err == nil {
			projects = append(projects, string(project))
		}
	}
	return projects, nil
}
