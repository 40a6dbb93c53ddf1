package record_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/internal/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// counter is a record.
type counter struct {
	N int `json:"n"`
}

func openTable(t *testing.T) (*record.Table[counter], *engine.Engine) {
	t.Helper()
	e := enginetest.Open(t)
	return record.NewTable[counter](e.Jobs, "counter"), e
}

func TestChangesByManyAtATimeAllCount(t *testing.T) {
	t.Parallel()
	table, _ := openTable(t)
	if err := table.Create(t.Context(), "a", &counter{}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				if _, err := table.Change(t.Context(), "a",
					func(c *counter) error { c.N++; return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if found, _, err := table.Get(t.Context(), "a"); err != nil || found.N != 100 {
		t.Errorf("%+v, %v; expected 100", found, err)
	}
}

func TestARecordIsMadeOnceAndGoneWhenItIsDeleted(t *testing.T) {
	t.Parallel()
	table, e := openTable(t)
	ctx := t.Context()
	if err := table.Create(ctx, "a", &counter{N: 1}); err != nil {
		t.Fatal(err)
	}
	if err := table.Create(ctx, "a", &counter{N: 2}); !errors.Is(err, record.ErrExists) {
		t.Errorf("a second one: %v; expected %v", err, record.ErrExists)
	}
	if same, err := table.Change(ctx, "a",
		func(c *counter) error { c.N = 9; return record.ErrUnchanged }); err != nil || same == nil {
		t.Errorf("no change: %+v, %v", same, err)
	}
	no := errors.New("no")
	if _, err := table.Change(ctx, "a", func(*counter) error { return no }); !errors.Is(err, no) {
		t.Errorf("a change that is refused: %v", err)
	}
	if err := record.NewTable[counter](e.Jobs, "other").Create(ctx, "a",
		&counter{N: 7}); err != nil {
		t.Fatal(err)
	}
	if all, err := table.All(ctx); err != nil || len(all) != 1 || all[0].ID != "a" ||
		all[0].Value.N != 1 {
		t.Errorf("all: %+v, %v", all, err)
	}
	if err := table.Delete(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Change(ctx, "a", func(*counter) error { return nil }); !errors.Is(err,
		record.ErrNotFound) {
		t.Errorf("a change of what is gone: %v; expected %v", err, record.ErrNotFound)
	}
	if err := table.Create(ctx, "a", &counter{N: 3}); err != nil {
		t.Errorf("made again: %v", err)
	}
}

func TestAnInvalidRecordIsAnError(t *testing.T) {
	t.Parallel()
	table, e := openTable(t)
	for id, tt := range map[string]struct {
		kept    string
		isOlder bool // has no checksum
	}{
		"cut":     {kept: `{"n":`},
		"empty":   {kept: ""},
		"changed": {kept: `{"n":1}` + "\n00000000"},
		"shorter": {kept: `{"n":1}` + "\n0000000"},
		"alone":   {kept: "\n00000000"},
		"older":   {kept: `{"n":1}`, isOlder: true},
		"deleted": {kept: "null", isOlder: true},
	} {
		if _, err := e.Jobs.Put(t.Context(), "counter."+id, []byte(tt.kept), 0); err != nil {
			t.Fatal(err)
		}
		_, _, err := table.Get(t.Context(), id)
		if !errors.Is(err, engine.ErrDamaged) || !strings.Contains(err.Error(), "counter."+id) {
			t.Errorf("%q: %v; expected %v", tt.kept, err, engine.ErrDamaged)
		}
		if older, is := errors.AsType[*engine.OlderStoreError](err); is != tt.isOlder ||
			is && older.Name != "counter."+id {
			t.Errorf("%q is an older version's: %v; expected %v", tt.kept, err, tt.isOlder)
		}
	}
	if _, err := table.All(t.Context()); !errors.Is(err, engine.ErrDamaged) {
		t.Errorf("all: %v; expected %v", err, engine.ErrDamaged)
	}
}
