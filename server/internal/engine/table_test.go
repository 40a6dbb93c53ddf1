package engine_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// A job is written repeatedly while it runs, even while a client lists all jobs.
func TestAListHasEachEntryOnceEvenIfItIsReplacedDuringTheListing(t *testing.T) {
	t.Parallel()
	e, err := engine.Open(t.Context(),
		engine.Settings{Directory: t.TempDir(), MaxBytes: 1 << 30,
			Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const entries = 20
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	defer writing.Wait()
	defer stop()
	for i := range entries {
		key := fmt.Sprintf("job.%d", i)
		revision, err := e.Jobs.Put(t.Context(), key, []byte("begun"), 0)
		if err != nil {
			t.Fatal(err)
		}
		writing.Go(func() {
			for ctx.Err() == nil && err == nil {
				revision, err = e.Jobs.Put(ctx, key, []byte("continues"), revision)
			}
		})
	}
	for range 200 {
		all, err := e.Jobs.All(t.Context(), "job.*")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, entry := range all {
			seen[entry.Key()] = true
		}
		if len(seen) != entries || len(all) != entries {
			t.Fatalf("%d entries of %d keys are listed, of %d", len(all), len(seen), entries)
		}
	}
}
