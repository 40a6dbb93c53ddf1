package kvledger_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/limit/kvledger"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// bucketOf returns a bucket of a server that opens no port.
func bucketOf(t *testing.T) jetstream.KeyValue {
	t.Helper()
	running, err := server.NewServer(&server.Options{DontListen: true, JetStream: true,
		StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	running.Start()
	t.Cleanup(func() { running.Shutdown(); running.WaitForShutdown() })
	connection, err := nats.Connect("", nats.InProcessServer(running))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(connection.Close)
	js, err := jetstream.New(connection)
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "limits"})
	if err != nil {
		t.Fatal(err)
	}
	return bucket
}

func TestOnlyTheLastRevisionIsReplaced(t *testing.T) {
	t.Parallel()
	ledger, ctx := kvledger.New(bucketOf(t)), t.Context()
	const project = "projects/a b:c.*>"
	if record, revision, err := ledger.Load(ctx, project); record != nil || revision != 0 ||
		err != nil {
		t.Errorf("an empty bucket has %q, %d, %v", record, revision, err)
	}
	first, err := ledger.Store(ctx, project, []byte("one"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if projects, err := ledger.Projects(ctx); err != nil || len(projects) != 1 ||
		projects[0] != project {
		t.Errorf("projects: %q, %v", projects, err)
	}
	if _, err := ledger.Store(ctx, project, []byte("other"), 0); !errors.Is(err, limit.ErrChanged) {
		t.Errorf("a second first record: %v", err)
	}
	second, err := ledger.Store(ctx, project, []byte("two"), first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Store(ctx, project, []byte("other"), first); !errors.Is(err,
		limit.ErrChanged) {
		t.Errorf("an old revision: %v", err)
	}
	if record, revision, err := ledger.Load(ctx, project); string(record) != "two" ||
		revision != second || err != nil {
		t.Errorf("the record is %q, %d, %v", record, revision, err)
	}
}

// failingBucket refuses each record.
type failingBucket struct {
	jetstream.KeyValue
	err error
}

func (b failingBucket) Create(context.Context, string, []byte, ...jetstream.KVCreateOpt) (uint64,
	error) {
	return 0, b.err
}

func (b failingBucket) Update(context.Context, string, []byte, uint64) (uint64, error) {
	return 0, b.err
}

// Buckets with replicas return a different code for a conflict
// (nats.go#JSErrCodeStreamWrongLastSequenceConstant).
func TestAConflictIsAChangeWhicheverWayTheBucketReportsIt(t *testing.T) {
	t.Parallel()
	replicated := &jetstream.APIError{ErrorCode: jetstream.JSErrCodeStreamWrongLastSequenceConstant}
	for name, tt := range map[string]struct {
		err       error
		isChanged bool
	}{
		"one server":            {jetstream.ErrKeyExists, true},
		"replicas, a new key":   {fmt.Errorf("%w: %w", replicated, jetstream.ErrKeyExists), true},
		"replicas, an old key":  {fmt.Errorf("%w: %w", replicated, jetstream.ErrKeyRevisionMismatch), true},
		"a bucket that is gone": {jetstream.ErrBucketNotFound, false},
	} {
		for _, revision := range []uint64{0, 7} {
			_, err := kvledger.New(failingBucket{err: tt.err}).Store(t.Context(), "p", []byte("x"),
				revision)
			if err == nil || errors.Is(err, limit.ErrChanged) != tt.isChanged {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestWorkersShareTheLimitsByABucket(t *testing.T) {
	t.Parallel()
	bucket := bucketOf(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	var calls atomic.Int64
	var workers sync.WaitGroup
	for range 3 {
		l := limit.New("p", limit.Limits{Requests: 1200}, kvledger.New(bucket),
			limit.WithPause(10*time.Millisecond))
		for range 5 {
			workers.Go(func() {
				for {
					if _, err := l.Acquire(ctx, limit.Use{Requests: 1}); err != nil {
						if !errors.Is(err, context.DeadlineExceeded) {
							t.Error(err)
						}
						return
					}
					calls.Add(1)
				}
			})
		}
	}
	workers.Wait()
	if n := calls.Load(); n < 20 || n > 75 { // 20 a second, and the credit of half a second
		t.Errorf("3 seconds had %d calls", n)
	}
}
