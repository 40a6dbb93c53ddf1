// Package report says what a conversion between wire formats did to the information in its
// input. The converters are in pkg/transform, one for each format; each of them returns a
// [Report] beside its result.
//
// The promise is that nothing is lost silently: every value of the input is in the output, or the
// report has an entry at the value's place or above it.
package report

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
)

// Kind is what became of a value.
type Kind string

// The kinds of entries.
const (
	// Added marks a value that the output needs and the input does not have.
	Added Kind = "added"
	// Approximated marks a value that is in the output in a changed form.
	Approximated Kind = "approximated"
	// Lost marks a value that is not in the output.
	Lost Kind = "lost"
)

// Entry is one thing that a conversion did.
type Entry struct {
	// Pointer is the location in the conversion's input as a JSON pointer (RFC 6901). It stands for
	// the value there with all that is in it. For an added value it is the place where the input
	// would have had it. The empty pointer is the whole input. Names are those of the description;
	// [SpellingOf] has them as a document was written.
	Pointer string `json:"pointer"`
	// Kind is what happened.
	Kind Kind `json:"kind"`
	// Detail says it in words, in English, without repeating the value.
	Detail string `json:"detail"`
}

// String returns the entry as one line.
func (e Entry) String() string {
	return fmt.Sprintf("%s %s: %s", e.Kind, e.Pointer, e.Detail)
}

// Report lists what a conversion did, in the order in which it met it. A nil report is a conversion
// that carried everything over.
type Report []Entry

// Add appends an entry.
func (r *Report) Add(kind Kind, pointer, detail string) {
	const usual = 4 // entries of a report that has any
	if *r == nil {
		*r = make(Report, 0, usual)
	}
	*r = append(*r, Entry{Pointer: pointer, Kind: kind, Detail: detail})
}

// Of returns the entries of one kind, nil when there are none.
func (r Report) Of(kind Kind) Report {
	var out Report
	for _, e := range r {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

// Covers reports whether an entry stands at the pointer or above it.
func (r Report) Covers(pointer string) bool {
	for _, e := range r {
		rest, ok := strings.CutPrefix(pointer, e.Pointer)
		if ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// Strict returns a *LossError when the report has an entry of the kind Lost, else nil.
func (r Report) Strict() error {
	if lost := r.Of(Lost); lost != nil {
		return &LossError{Lost: lost}
	}
	return nil
}

// LossError is the refusal of a conversion that would lose something.
type LossError struct {
	// Lost are the entries of what would be lost; at least one.
	Lost Report
}

// Error names the first loss and counts the others.
func (e *LossError) Error() string {
	first := e.Lost[0]
	if len(e.Lost) == 1 {
		return fmt.Sprintf("transform: the conversion would lose %s: %s",
			jsonx.ShortenPointer(first.Pointer), first.Detail)
	}
	return fmt.Sprintf("transform: the conversion would lose %s: %s (and %d more)",
		jsonx.ShortenPointer(first.Pointer), first.Detail, len(e.Lost)-1)
}

// Unwrap returns the entries, each as a [Loss], so that errors.AsType finds the first one.
func (e *LossError) Unwrap() []error {
	errs := make([]error, len(e.Lost))
	for i, entry := range e.Lost {
		errs[i] = Loss(entry)
	}
	return errs
}

// Loss is the entry of one value that a conversion would lose. Its fields are those of [Entry].
type Loss struct {
	Pointer string
	Kind    Kind
	Detail  string
}

// Error returns the loss as one line such as "lost /createTime: chat_completions has no place for
// it".
func (l Loss) Error() string { return Entry(l).String() }

// Location returns the pointer of the value; the offset is -1, as there is none.
func (l Loss) Location() (pointer string, offset int64) { return l.Pointer, -1 }

// Reason returns what [Loss.Error] says without the location.
func (l Loss) Reason() string { return string(l.Kind) + ": " + l.Detail }
