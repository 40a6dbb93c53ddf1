package record_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

func create(t *testing.T, table *record.Table[counter], ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := table.Create(t.Context(), id, &counter{N: 1}); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t *testing.T, table *record.Table[counter], ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := table.Delete(t.Context(), id); err != nil {
			t.Fatalf("delete %s: %v", id, err)
		}
	}
}

// revisionOf returns the last revision of a record or of its marker, or 0.
func revisionOf(t *testing.T, e *engine.Engine, id string) uint64 {
	t.Helper()
	entry, err := e.Jobs.Get(t.Context(), "counter."+id)
	if engine.IsNotFound(err) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return entry.Revision()
}

func TestForgetRemovesOnlyMarkersFromBeforeTheTime(t *testing.T) {
	t.Parallel()
	table, e := openTable(t)
	create(t, table, "stays", "first", "second")
	remove(t, table, "first", "second")
	for _, step := range []struct {
		before   time.Time
		isMarked bool
	}{{time.Now().Add(-time.Hour), true}, {time.Now().Add(time.Hour), false}} {
		if err := table.Forget(t.Context(), step.before); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"first", "second"} {
			if is := revisionOf(t, e, id) != 0; is != step.isMarked {
				t.Errorf("forget before %v: %s has a marker: %v", step.before, id, is)
			}
		}
		if found, _, err := table.Get(t.Context(), "stays"); err != nil || found.N != 1 {
			t.Errorf("forget before %v: the other record is %+v, %v", step.before, found, err)
		}
	}
}

func TestDeletingWhatIsMissingOrDeletedWritesNothing(t *testing.T) {
	t.Parallel()
	table, e := openTable(t)
	create(t, table, "a")
	remove(t, table, "missing", "a")
	before := revisionOf(t, e, "a")
	remove(t, table, "a")
	if after := revisionOf(t, e, "a"); after != before || revisionOf(t, e, "missing") != 0 {
		t.Errorf("the marker's revision was %d, is %d", before, after)
	}
	if all, err := table.All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("all: %+v, %v; expected none", all, err)
	}
}

func TestADamagedRecordCanBeDeleted(t *testing.T) {
	t.Parallel()
	table, e := openTable(t)
	if _, err := e.Jobs.Put(t.Context(), "counter.cut", []byte(`{"n":`), 0); err != nil {
		t.Fatal(err)
	}
	if err := table.Create(t.Context(), "cut", &counter{}); !errors.Is(err, record.ErrExists) {
		t.Errorf("created: %v; expected %v", err, record.ErrExists)
	}
	remove(t, table, "cut")
	if _, _, err := table.Get(t.Context(), "cut"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("after its deletion: %v; expected %v", err, record.ErrNotFound)
	}
}

func TestARecordThatOthersChangeIsDeleted(t *testing.T) {
	t.Parallel()
	table, _ := openTable(t)
	create(t, table, "a")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				_, err := table.Change(t.Context(), "a",
					func(c *counter) error { c.N++; return nil })
				if errors.Is(err, record.ErrNotFound) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	remove(t, table, "a")
	all.Wait()
}

func TestOneOfManyMakesADeletedRecordAgain(t *testing.T) {
	t.Parallel()
	table, _ := openTable(t)
	for range 5 {
		create(t, table, "a")
		remove(t, table, "a")
		made := make(chan error, 8)
		for range cap(made) {
			go func() { made <- table.Create(t.Context(), "a", &counter{}) }()
		}
		count := 0
		for range cap(made) {
			if err := <-made; err == nil {
				count++
			} else if !errors.Is(err, record.ErrExists) {
				t.Errorf("%v; expected %v", err, record.ErrExists)
			}
		}
		if count != 1 {
			t.Errorf("%d made it; expected 1", count)
		}
		remove(t, table, "a")
	}
}

func TestDropLeavesNoMarker(t *testing.T) {
	t.Parallel()
	table, e := openTable(t)
	create(t, table, "job.1", "job.2", "other.1")
	if err := table.Drop(t.Context(), "job.*"); err != nil {
		t.Fatal(err)
	}
	if revisionOf(t, e, "job.1") != 0 || revisionOf(t, e, "job.2") != 0 ||
		revisionOf(t, e, "other.1") == 0 {
		t.Error("expected that only the other record is left")
	}
}
