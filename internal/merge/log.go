package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/pkg/report"
)

// The details of the report entries.
const (
	detailReplaced      = "a later chunk has another value"
	detailNotFirst      = "an earlier chunk has another value, which is used"
	detailContinued     = "the answer continues after it, and its last finish reason counts"
	detailUnspecified   = "it has no meaning, and the reason of another chunk is used"
	detailLeftOut       = "a part without content is left out"
	detailPieces        = "the pieces of the arguments are joined to JSON"
	detailContradiction = "a value in the pieces of the call does not fit into the arguments; it is kept separately, and the call is incomplete"
	detailFirstID       = "the first piece of the call has the id"
	detailAllSources    = "the sources of all chunks are counted"
	detailNoEnd         = "the candidate does not end"
)

// Log collects the report of a stream. Later chunks may add an entry about an earlier chunk, so the
// entries are sorted when they are read. The zero value is empty. A log with entries must not be
// copied.
type Log struct {
	// LossesOnly omits all entries that are not losses. Every chunk may have entries, but few
	// streams have losses.
	LossesOnly bool

	entries []logEntry
	first   [1]logEntry // what entries points to as long as it is enough
	// whether there are any, for readers who join the events and for those who read them
	losses [2]bool
}

// logEntry is an entry for a run of locations. Its pointer begins at these locations.
type logEntry struct {
	run
	report.Entry
	scope Scope
}

// Scope says which readers an entry concerns. Readers of the events see each value in an event, so
// no value is replaced for them. Readers who join the events to one response see only the last
// value.
type Scope int

// The scopes.
const (
	ForAll    Scope = iota
	ForJoined       // readers who join the events to one response
	ForEvents       // readers of the events
)

// maxKept is the maximum number of entries whose memory is kept.
const maxKept = 32

// Reset returns an empty log, which may reuse the memory of this log.
func (l *Log) Reset() Log {
	if cap(l.entries) <= len(l.first) || cap(l.entries) > maxKept {
		return Log{LossesOnly: l.LossesOnly}
	}
	clear(l.entries)
	return Log{LossesOnly: l.LossesOnly, entries: l.entries[:0]}
}

// recentEntries is the number of last entries that a new location may extend. The pieces of a call
// have two entries in each chunk, and a falling token count has one.
const recentEntries = 4

// Add adds an entry about a member of the value at a location. The member "" is the whole value.
func (l *Log) Add(at Location, kind report.Kind, pointer, detail string, s Scope) {
	l.addRun(newRun(at), report.Entry{Pointer: pointer, Kind: kind, Detail: detail}, s)
}

func (l *Log) addRun(at run, e report.Entry, s Scope) {
	if e.Kind != report.Lost && l.LossesOnly {
		return
	}
	if e.Kind == report.Lost {
		l.losses[0] = l.losses[0] || s != ForEvents
		l.losses[1] = l.losses[1] || s != ForJoined
	}
	if l.entries == nil {
		l.entries = l.first[:0]
	}
	for i := max(len(l.entries)-recentEntries, 0); i < len(l.entries); i++ {
		if known := &l.entries[i]; known.scope == s && known.Entry == e && known.extend(at) {
			return
		}
	}
	l.entries = append(l.entries, logEntry{run: at, Entry: e, scope: s})
}

// Report returns the entries in the order of the chunks, without the entries of the excluded scope.
// A lost value has no other entry, and no entry for the values in it.
func (l *Log) Report(excluded Scope) report.Report {
	return l.report(func(e *logEntry) bool { return e.scope != excluded })
}

// Lost returns the losses of the report. It allocates memory only for losses.
func (l *Log) Lost(excluded Scope) report.Report {
	if excluded == ForEvents && !l.losses[0] || excluded == ForJoined && !l.losses[1] {
		return nil
	}
	return l.report(func(e *logEntry) bool { return e.scope != excluded && e.Kind == report.Lost })
}

// report returns the selected entries.
func (l *Log) report(wanted func(*logEntry) bool) report.Report {
	list := l.inOrder(wanted)
	if len(list) == 0 {
		return nil
	}
	out := make(report.Report, 0, len(list))
	var pointers strings.Builder // one text that all pointers are cut from
	pointers.Grow(len(list) * len("/10/usageMetadata"))
	var buf [64]byte
	begin := 0 // of the entries of the chunk at hand
	for i, located := range list {
		if i > 0 && located.chunk != list[i-1].chunk {
			out = withoutCovered(out, begin)
			begin = len(out)
		}
		start, entry := pointers.Len(), l.entries[located.entry].Entry
		pointers.Write(l.location(located).appendPointer(buf[:0]))
		pointers.WriteString(entry.Pointer)
		entry.Pointer = pointers.String()[start:]
		out = append(out, entry)
	}
	return withoutCovered(out, begin)
}

// withoutCovered removes entries of a chunk that another entry covers. The chunk's entries begin at
// position begin.
func withoutCovered(out report.Report, begin int) report.Report {
	var lost map[string]bool
	for _, e := range out[begin:] {
		if e.Kind == report.Lost {
			if lost == nil {
				lost = map[string]bool{}
			}
			lost[e.Pointer] = true
		}
	}
	if lost == nil {
		return out
	}
	kept := slices.DeleteFunc(out[begin:], func(e report.Entry) bool { return isCovered(e, lost) })
	return out[:begin+len(kept)]
}

// locatedEntry is an entry at one chunk of its run.
type locatedEntry struct{ entry, chunk int32 }

func (l *Log) location(e locatedEntry) Location {
	at := l.entries[e.entry].Location
	at.chunk = e.chunk
	return at
}

// inOrder returns an element for each chunk of the selected entries, in the order of the chunks.
func (l *Log) inOrder(wanted func(*logEntry) bool) []locatedEntry {
	size := 0
	for i := range l.entries {
		if wanted(&l.entries[i]) {
			size += l.entries[i].size()
		}
	}
	list := make([]locatedEntry, 0, size)
	for i := range l.entries {
		e := &l.entries[i]
		if !wanted(e) {
			continue
		}
		for position := range e.size() {
			list = append(list, locatedEntry{int32(i), e.at(position).chunk})
		}
	}
	slices.SortStableFunc(list, l.compare)
	return list
}

// compare orders entries by chunk, then by candidate, part and member. An entry about a value comes
// after the entries about its pieces.
func (l *Log) compare(a, b locatedEntry) int {
	if a.chunk != b.chunk {
		return cmp.Compare(a.chunk, b.chunk)
	}
	x, y := &l.entries[a.entry], &l.entries[b.entry]
	return cmp.Or(
		cmp.Compare(uint32(x.candidate-1), uint32(y.candidate-1)),
		cmp.Compare(uint32(x.part-1), uint32(y.part-1)),
		strings.Compare(x.Entry.Pointer, y.Entry.Pointer),
	)
}

// isCovered reports whether another entry already reports the value, or a value around it, as lost.
func isCovered(e report.Entry, lost map[string]bool) bool {
	at := e.Pointer
	if e.Kind == report.Lost {
		at = parentPointer(at)
	}
	for ; at != ""; at = parentPointer(at) {
		if lost[at] {
			return true
		}
	}
	return false
}

func parentPointer(pointer string) string {
	return pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
}
