package responsestore

import (
	"cmp"
	"time"
)

// Bounds limit the stored data. 0 selects the default of each. One owner never removes data of
// another one.
type Bounds struct {
	// Count is the maximum number of documents of an owner (default 10,000).
	Count int
	// Bytes is the maximum size of an owner's documents in bytes (default 256 MiB).
	Bytes int64
	// TotalBytes is the maximum size of all documents in bytes (default 1 GiB). A write above it
	// removes documents of its owner, or returns [ErrFull].
	TotalBytes int64
	// Age is how long a document is stored after its last write (default 24 hours). OpenAI stores
	// responses for 30 days.
	Age time.Duration
}

// The defaults of [Bounds].
const (
	DefaultCount      = 10_000
	DefaultBytes      = 256 << 20
	DefaultTotalBytes = 1 << 30
	DefaultAge        = 24 * time.Hour
)

// WithDefaults returns the bounds with the defaults in place of zeros.
func (b Bounds) WithDefaults() Bounds {
	return Bounds{Count: cmp.Or(b.Count, DefaultCount), Bytes: cmp.Or(b.Bytes, DefaultBytes),
		TotalBytes: cmp.Or(b.TotalBytes, DefaultTotalBytes), Age: cmp.Or(b.Age, DefaultAge)}
}

// The overhead of a document and of an entry, in bytes. It is about what they take in memory.
const (
	documentOverhead = 900
	entryOverhead    = 220
)

// Size is the number of bytes that the document counts against [Bounds], without its lists.
func (d *Document) Size() int64 {
	return int64(documentOverhead + len(d.ID) + len(d.Previous) + len(d.JSON))
}

// Size is the number of bytes that the entry counts against [Bounds].
func (e *Entry) Size() int64 { return int64(entryOverhead + len(e.ID) + len(e.JSON)) }

// Size is the number of bytes that the write adds to the total of [Bounds]. It does not subtract
// the document that the write replaces.
func (w *Write) Size() int64 {
	var size int64
	if w.Document != nil {
		size = w.Document.Size()
	}
	for i := range w.Entries {
		size += w.Entries[i].Size()
	}
	return size
}
