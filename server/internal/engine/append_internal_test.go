package engine

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// openHere returns an engine in a directory of its own.
func openHere(t *testing.T) *Engine {
	t.Helper()
	e, err := Open(t.Context(), Settings{Directory: t.TempDir(), MaxBytes: 1 << 30, Replicas: 1,
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// refusal is an error that the server reports by a code.
func refusal(code jetstream.ErrorCode) error { return &jetstream.APIError{ErrorCode: code} }

func TestAFailedWriteIsAConflictAFullStoreOrAFailureOfTheServer(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	broken := errors.New("the disk is gone")
	for name, tt := range map[string]struct {
		ctx        context.Context
		err        error
		free       int64 // bytes of the disk
		isConflict bool
		isWrite    bool // a *WriteError
		isFull     bool
		fails      bool // the server is restarted before the next write
	}{
		"a message that another process wrote": {err: ErrConflict, free: diskReserve,
			isConflict: true},
		"a sequence that is not the last one": {isConflict: true, free: diskReserve,
			err: refusal(jetstream.JSErrCodeStreamWrongLastSequence)},
		"a sequence that is not the last one, by the other code": {isConflict: true, free: diskReserve,
			err: refusal(jetstream.JSErrCodeStreamWrongLastSequenceConstant)},
		"a stream at its limit": {err: refusal(codeStoreFailed), free: diskReserve,
			isWrite: true, isFull: true},
		"a server without resources": {err: refusal(codeInsufficientResources),
			free: diskReserve, isWrite: true, isFull: true},
		"a failed disk":          {err: broken, free: diskReserve, isWrite: true, fails: true},
		"a full disk":            {err: broken, free: 0, isWrite: true, isFull: true, fails: true},
		"a caller that has left": {ctx: ended, err: context.Canceled, free: diskReserve},
	} {
		ctx := tt.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		e := &Engine{host: &host{}, room: diskGuard{directory: "d",
			ask: func(string) (int64, int64, error) { return tt.free, 10 << 30, nil }}}
		got := e.writeFailure(ctx, tt.err)
		if got == nil {
			t.Errorf("%s: the write succeeds", name)
			continue
		}
		_, isWrite := errors.AsType[*WriteError](got)
		if errors.Is(got, ErrConflict) != tt.isConflict || isWrite != tt.isWrite ||
			IsFull(got) != tt.isFull || e.host.failed() != tt.fails {
			t.Errorf("%s: %v, the server failed: %v", name, got, e.host.failed())
		}
	}
	elsewhere := &Engine{}
	if err := elsewhere.writeFailure(t.Context(), broken); !errors.Is(err, broken) || IsFull(err) {
		t.Errorf("a server elsewhere: %v", err)
	}
}

// The first try may have been written, and its reply lost.
func TestAWriteThatIsRepeatedFindsItsOwnMessageAndNoOther(t *testing.T) {
	t.Parallel()
	e := openHere(t)
	message := func(data, kind string) *nats.Msg {
		return &nats.Msg{Subject: SubjectFiles + "f.0", Data: []byte(data),
			Header: nats.Header{"Kind": {kind}}}
	}
	first, err := e.Files.append(t.Context(), message("x", "one"), 0, true)
	if err != nil || first == 0 {
		t.Fatalf("a message that was not written before: %d, %v", first, err)
	}
	if again, err := e.Files.append(t.Context(), message("x", "one"), 0, true); err != nil ||
		again != first {
		t.Errorf("a message that was written before: %d, %v; expected %d", again, err, first)
	}
	for name, other := range map[string]*nats.Msg{
		"other data": message("y", "one"), "another header": message("x", "two"),
	} {
		if _, err := e.Files.append(t.Context(), other, 0, true); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: %v, want %v", name, err, ErrConflict)
		}
	}
	const key = "job.a"
	job := func(data string) *nats.Msg {
		return &nats.Msg{Subject: e.Jobs.prefix + key, Data: []byte(data)}
	}
	before, err := e.Jobs.Put(t.Context(), key, []byte("1"), 0)
	if err != nil {
		t.Fatal(err)
	}
	after, err := e.Jobs.stream.append(t.Context(), job("1"), before, true)
	if err != nil || after <= before {
		t.Fatalf("the same data as before it: %d, %v; expected more than %d", after, err, before)
	}
	if again, err := e.Jobs.stream.append(t.Context(), job("1"), before, true); err != nil ||
		again != after {
		t.Errorf("the value that was written: %d, %v; expected %d", again, err, after)
	}
	if _, err := e.Jobs.stream.append(t.Context(), job("1"), after+1, true); !errors.Is(err,
		ErrConflict) {
		t.Errorf("a value older than expected: %v, want %v", err, ErrConflict)
	}
}
