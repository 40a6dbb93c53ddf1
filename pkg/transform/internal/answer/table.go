package answer

import (
	"sync"

	"github.com/gemwire/gemwire/pkg/report"
)

// Table says what a form makes of the members of a record of the wire, such as a candidate. What
// neither the table nor a function Shown names has no place in the form, and is lost.
type Table[R any, P Record[R]] struct {
	// Members are in the order of the report.
	Members []Member[R]
	// Detail is that of an entry about what has no place.
	Detail string
	// Root is the JSON pointer of a record that stands at a fixed place in the one that is
	// reported, such as /usageMetadata. The pointers of Members begin with it, which spares an
	// entry the joining of texts.
	Root string

	copies sync.Pool
}

// Record is a pointer to a record of the wire.
type Record[R any] interface {
	*R
	IsEmpty() bool
}

// Member is a row of a [Table]. A member with several fates has several rows, of which the first
// that takes it counts.
type Member[R any] struct {
	// Pointer is the JSON pointer of the member in its record, after the Root of the table.
	Pointer string
	// Take removes the member from the record if this row is about it, and reports whether it did.
	// It may also replace a member by one without values that say nothing. It must not change what
	// the record points to.
	Take func(r *R) bool
	// Kind is that of the entry about the member, "" for a member that the form shows.
	Kind report.Kind
	// Detail is that of the entry.
	Detail string
}

// Report adds what the form does not show of a record that stands at a pointer. shows is asked
// about the leaves of all members that the table does not name.
func (t *Table[R, P]) Report(entries *report.Report, at string, record *R, shows report.Shown) {
	rest, _ := t.copies.Get().(*R)
	if rest == nil {
		rest = new(R)
	}
	*rest = *record
	for i := range t.Members {
		if m := &t.Members[i]; m.Take(rest) && m.Kind != "" {
			entries.Add(m.Kind, at+m.Pointer, m.Detail)
		}
	}
	if !P(rest).IsEmpty() {
		entries.AddUnshown(at+t.Root, rest, shows, t.Detail)
	}
	var none R
	*rest = none // which may be large
	t.copies.Put(rest)
}

// Value returns the function Take of a member that is a pointer.
func Value[R, V any](of func(*R) **V) func(*R) bool {
	return func(r *R) bool {
		member := of(r)
		isSet := *member != nil
		*member = nil
		return isSet
	}
}

// List returns the function Take of a member that is a list. An empty list has nothing to report.
func List[R, V any](of func(*R) *[]V) func(*R) bool {
	return func(r *R) bool {
		member := of(r)
		isSet := len(*member) > 0
		*member = nil
		return isSet
	}
}

// If returns the function Take of a member that a row is about only in some records.
func If[R any](applies func(*R) bool, take func(*R) bool) func(*R) bool {
	return func(r *R) bool { return applies(r) && take(r) }
}
