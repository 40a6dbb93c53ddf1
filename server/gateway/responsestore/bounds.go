package responsestore

import (
	"cmp"
	"time"
)

// Bounds limit what is kept. 0 is the default of each.
type Bounds struct {
	// Count is how many documents there are, by default 10,000.
	Count int
	// Bytes is how much they take together, by default 256 MiB.
	Bytes int64
	// Age is how long a document is kept behind its last write, by default 24 hours. OpenAI keeps
	// responses for 30 days.
	Age time.Duration
}

// The defaults of [Bounds].
const (
	DefaultCount = 10_000
	DefaultBytes = 256 << 20
	DefaultAge   = 24 * time.Hour
)

// WithDefaults returns the bounds with the defaults in the place of what is 0.
func (b Bounds) WithDefaults() Bounds {
	return Bounds{Count: cmp.Or(b.Count, DefaultCount), Bytes: cmp.Or(b.Bytes, DefaultBytes),
		Age: cmp.Or(b.Age, DefaultAge)}
}

// What a document and an entry take besides their bytes, roughly.
const (
	documentOverhead = 300
	entryOverhead    = 150
)

// Size is what the document counts against [Bounds], without its lists.
func (d *Document) Size() int64 {
	return int64(documentOverhead + len(d.ID) + len(d.Previous) + len(d.JSON))
}

// Size is what the entry counts against [Bounds].
func (e *Entry) Size() int64 { return int64(entryOverhead + len(e.ID) + len(e.JSON)) }

// Size is what the write adds to what counts against [Bounds], but for the document whose place it
// takes.
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
