package responsestore_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

func TestAWriteCountsItsBytesAndAnOverheadForEachPart(t *testing.T) {
	t.Parallel()
	document := &responsestore.Document{ID: "12", Previous: "123", JSON: []byte("12345")}
	entries := []responsestore.Entry{
		{ID: "1", JSON: []byte("1234567")}, {JSON: []byte("12")},
	}
	for name, test := range map[string]struct {
		got, want int64
	}{
		"an empty document": {(&responsestore.Document{}).Size(), 900},
		"a document":        {document.Size(), 900 + 2 + 3 + 5},
		"an empty entry":    {(&responsestore.Entry{}).Size(), 220},
		"an entry":          {entries[0].Size(), 220 + 1 + 7},
		"a write":           {(&responsestore.Write{Document: document, Entries: entries}).Size(), 910 + 228 + 222},
		"entries alone":     {(&responsestore.Write{ID: "12", Entries: entries}).Size(), 228 + 222},
		"an empty write":    {(&responsestore.Write{}).Size(), 0},
	} {
		if test.got != test.want {
			t.Errorf("%s counts %d bytes, want %d", name, test.got, test.want)
		}
	}
}

func TestBoundsThatAreNotSetAreTheDefaults(t *testing.T) {
	t.Parallel()
	want := responsestore.Bounds{Count: 10_000, Bytes: 256 << 20, TotalBytes: 1 << 30,
		Age: 24 * time.Hour}
	if got := (responsestore.Bounds{}).WithDefaults(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	set := responsestore.Bounds{Count: 1, Bytes: 2, TotalBytes: 3, Age: 4}
	if got := set.WithDefaults(); got != set {
		t.Errorf("got %+v, want %+v", got, set)
	}
}
