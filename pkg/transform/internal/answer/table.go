package answer

import (
	"sync"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// Table defines what a form makes of the members of a wire record, such as a candidate. Everything
// that neither the table nor a Shown function names is lost.
type Table[R any, P Record[R]] struct {
	// Members are the rows, in the order of the report.
	Members []Member[R]
	// Detail is the detail for values that have no counterpart.
	Detail string
	// Root is the JSON pointer of a record at a fixed place in the reported one, such as
	// /usageMetadata. The pointers of Members start with it, so entries need no string
	// concatenation.
	Root string

	copies sync.Pool
}

// Record is a pointer to a wire record.
type Record[R any] interface {
	*R
	IsEmpty() bool
}

// Member is a row of a [Table]. A member that can be reported in several ways has several rows; the
// first row that takes it counts.
type Member[R any] struct {
	// Pointer is the JSON pointer of the member in its record, including the Root of the table.
	Pointer string
	// Take removes the member from the record if the row applies, and reports whether it did. It
	// may also replace a member by a copy without empty values. It must not change what the record
	// points to.
	Take func(r *R) bool
	// Kind is the kind of the member's entry, or "" if the form shows the member.
	Kind report.Kind
	// Detail is the detail of the entry.
	Detail string
}

// Report adds an entry for each value of the record that the output lacks. For values outside the
// table, shows decides whether the output has them.
func (t *Table[R, P]) Report(entries *report.Report, at string, record *R, shows unshown.Shown) {
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
		unshown.Add(entries, at+t.Root, rest, shows, t.Detail)
	}
	var none R
	*rest = none // it may be large
	t.copies.Put(rest)
}

// Value returns a Take function for a member that is a pointer.
func Value[R, V any](of func(*R) **V) func(*R) bool {
	return func(r *R) bool {
		member := of(r)
		isSet := *member != nil
		*member = nil
		return isSet
	}
}

// List returns a Take function for a member that is a list. An empty list has nothing to report.
func List[R, V any](of func(*R) *[]V) func(*R) bool {
	return func(r *R) bool {
		member := of(r)
		isSet := len(*member) > 0
		*member = nil
		return isSet
	}
}

// If returns a Take function for a row that applies only to some records.
func If[R any](applies func(*R) bool, take func(*R) bool) func(*R) bool {
	return func(r *R) bool { return applies(r) && take(r) }
}
