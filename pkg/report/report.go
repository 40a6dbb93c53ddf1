// Package report lists the values that a conversion between two APIs lost, approximated or added.
// The converters are in pkg/transform, one for each API. Each of them returns a [Report] with its
// result.
//
// The promise is that nothing is lost silently: every value of the input is in the output, or the
// report has an entry for the value or for a value that contains it.
package report

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
)

// Kind says what happened to a value.
type Kind string

// The kinds of entries.
const (
	// Added marks a value that the output needs and the input does not have.
	Added Kind = "added"
	// Approximated marks a value that the output has in a changed form.
	Approximated Kind = "approximated"
	// Lost marks a value that is not in the output.
	Lost Kind = "lost"
)

// Entry is one change that a conversion made.
type Entry struct {
	// Pointer is the location in the conversion's input as a JSON pointer (RFC 6901). It covers the
	// value there with everything in it. For an added value it is the location that the input would
	// have used. The empty pointer is the whole input. The pointer uses the names of the API
	// description; [SpellingOf] converts them to the spelling of a document.
	Pointer string `json:"pointer"`
	// Kind says what happened.
	Kind Kind `json:"kind"`
	// Detail explains it in English, without repeating the value.
	Detail string `json:"detail"`
}

// String returns the entry as one line.
func (e Entry) String() string {
	return fmt.Sprintf("%s %s: %s", e.Kind, e.Pointer, e.Detail)
}

// Report lists the changes of a conversion, in the order in which it made them. A nil report means
// that everything was carried over.
type Report []Entry

// Add appends an entry.
func (r *Report) Add(kind Kind, pointer, detail string) {
	const usual = 4 // entries of a report that has any
	if *r == nil {
		*r = make(Report, 0, usual)
	}
	*r = append(*r, Entry{Pointer: pointer, Kind: kind, Detail: detail})
}

// Of returns the entries of one kind, nil if the report has none.
func (r Report) Of(kind Kind) Report {
	var out Report
	for _, e := range r {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

// Covers reports whether an entry has the pointer or a pointer to a value that contains it.
func (r Report) Covers(pointer string) bool {
	for _, e := range r {
		rest, ok := strings.CutPrefix(pointer, e.Pointer)
		if ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// Strict returns a *LossError if the report has an entry of the kind Lost, else nil.
func (r Report) Strict() error {
	if lost := r.Of(Lost); lost != nil {
		return &LossError{Lost: lost}
	}
	return nil
}

// LossError is returned by strict conversions that would lose a value.
type LossError struct {
	// Lost are the entries of the losses, at least one.
	Lost Report
}

// Error names the first loss and the number of the others.
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

// Loss is the entry of one value that a conversion would lose. Its fields mean the same as in
// [Entry].
type Loss struct {
	Pointer string
	Kind    Kind
	Detail  string
}

// Error returns the loss as one line such as "lost /createTime: chat_completions has no place for
// it".
func (l Loss) Error() string { return Entry(l).String() }

// Location returns the pointer of the value. The offset is always -1.
func (l Loss) Location() (pointer string, offset int64) { return l.Pointer, -1 }

// Reason returns the text of [Loss.Error] without the location.
func (l Loss) Reason() string { return string(l.Kind) + ": " + l.Detail }
