package line

import (
	"errors"
	"fmt"
	"io"
	"iter"
)

// Reader reads and checks an input. [NewReader] or [NewTemplateReader] makes it. It is not safe for
// concurrent use. It holds the current line, and some tens of bytes of every other line to find
// repeated ids.
type Reader struct {
	settings settings
	source   source
	checker  checker
	count    int
	failed   InputError
}

// source returns the lines of an input one by one.
type source interface {
	// next returns the next line, which is valid until the next call, and [io.EOF] after the last.
	next() (rawLine, error)
	// read returns the number of bytes that were read.
	read() int64
}

// rawLine is an unparsed line.
type rawLine struct {
	number int
	data   []byte
	// problem is why there is no data, or nil.
	problem *Problem
}

// NewReader returns a reader of a file of lines. Each line is a request in OpenAI's format or in
// Gemini's. White space around a line, a byte order mark, empty lines and a last line without a
// newline are allowed.
func NewReader(in io.Reader, opts ...Option) *Reader {
	s := newSettings(opts)
	return newReader(s, newScanner(in, s.maxLineBytes))
}

func newReader(s settings, from source) *Reader {
	return &Reader{settings: s, source: from, checker: checker{settings: s, format: s.format,
		model: s.model, seen: map[digest]uint32{}}}
}

// Lines reads the input to its end, once. It yields the lines in order until it finds an invalid
// one. After that it yields no lines, but checks the others, and ends with an [*InputError] that
// names the invalid ones. Any other error is a read error, which ends the input.
//
// A line shares no memory with others, and may be kept.
func (r *Reader) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for {
			l, err := r.next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(Line{}, err)
					return
				}
				break
			}
			if r.failed.Total == 0 && !yield(l, nil) {
				return
			}
		}
		if r.count == 0 {
			r.report(Problem{Code: CodeEmptyFile,
				Message: "the input has no requests; expected one JSON object per line"})
		}
		if r.failed.Total > 0 {
			yield(Line{}, &r.failed)
		}
	}
}

// next returns the next valid line, or any line after an invalid one. Its error is [io.EOF] at the
// end.
func (r *Reader) next() (Line, error) {
	for {
		raw, err := r.source.next()
		if err != nil {
			return Line{}, err
		}
		r.count++
		if r.settings.maxLines > 0 && r.count > r.settings.maxLines {
			if r.count == r.settings.maxLines+1 {
				r.report(Problem{Line: raw.number, Code: CodeTooManyTasks, Message: fmt.Sprintf(
					"there are more than %d requests; that is the maximum", r.settings.maxLines)})
			}
			continue // of which the ids are not kept
		}
		l, problem := r.checker.check(raw)
		if problem == nil {
			return l, nil
		}
		problem.Line = raw.number
		r.report(*problem)
	}
}

// report records a problem.
func (r *Reader) report(p Problem) {
	r.failed.Total++
	if len(r.failed.Problems) < r.settings.maxProblems {
		r.failed.Problems = append(r.failed.Problems, p)
	}
	if r.settings.report != nil {
		r.settings.report(p)
	}
}

// Format returns the format of the lines so far, or "" before the first one.
func (r *Reader) Format() Format { return r.checker.format }

// Endpoint returns the url of the lines so far, or "" before the first one.
func (r *Reader) Endpoint() string { return r.checker.url }

// Model returns the model of the lines so far, or "" before the first one.
func (r *Reader) Model() string { return r.checker.model }

// Models returns the models of the lines so far, in the order of their first lines. It returns at
// most 100.
func (r *Reader) Models() []string { return r.checker.models }

// Count returns the number of lines so far, without empty ones.
func (r *Reader) Count() int { return r.count }

// Bytes returns the number of bytes so far.
func (r *Reader) Bytes() int64 { return r.source.read() }
