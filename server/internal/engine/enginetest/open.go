// Package enginetest opens engines for tests.
package enginetest

import (
	"log/slog"
	"testing"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// OpenAt returns an engine on NATS servers, and closes it when the test ends.
func OpenAt(t testing.TB, address string, replicas int) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Settings{URL: address, Replicas: replicas,
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// Open returns an engine in a temporary directory, and closes it when the test ends.
func Open(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Settings{
		Directory: t.TempDir(), Replicas: 1, MaxBytes: 1 << 30,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}
