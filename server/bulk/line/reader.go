package line

import (
	"errors"
	"fmt"
	"io"
	"iter"
)

// Reader reads an input, and checks it. It is made by [NewReader] or [NewTemplateReader], and not
// safe for use by several goroutines. It holds one line, and some tens of bytes of every other for
// ids that come twice.
type Reader struct {
	settings settings
	source   source
	checker  checker
	count    int
	failed   InputError
}

// source gives the lines of an input one by one.
type source interface {
	// next returns the next line, which is valid until the next call, and [io.EOF] behind the last.
	next() (rawLine, error)
	// read counts the bytes that were read.
	read() int64
}

// rawLine is a line as it came.
type rawLine struct {
	number int
	data   []byte
	// problem is why there is no data, nil where there is.
	problem *Problem
}

// NewReader returns a reader of a file of lines, of which each is a request in OpenAI's form or in
// Gemini's. White space around a line, a byte order mark, empty lines and a last line without an
// end are no problem.
func NewReader(in io.Reader, opts ...Option) *Reader {
	s := newSettings(opts)
	return newReader(s, newScanner(in, s.maxLineBytes))
}

func newReader(s settings, from source) *Reader {
	return &Reader{settings: s, source: from, checker: newChecker(s)}
}

// Lines reads the input to its end, once. It yields the lines in their order until one is found
// that is wrong. From then on it yields none, but checks the others, and last of all an
// [*InputError] that names those which are wrong. Any other error is one of reading, which ends it.
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
				Message: "there is no request in it; expected one JSON object a line"})
		}
		if r.failed.Total > 0 {
			yield(Line{}, &r.failed)
		}
	}
}

// next returns the next line that is right, or any when one was wrong before. Its error is [io.EOF]
// at the end.
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
					"there are more than %d requests, which is the most", r.settings.maxLines)})
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

// report notes a problem.
func (r *Reader) report(p Problem) {
	r.failed.Total++
	if len(r.failed.Problems) < r.settings.maxProblems {
		r.failed.Problems = append(r.failed.Problems, p)
	}
	if r.settings.report != nil {
		r.settings.report(p)
	}
}

// Form returns the form of the lines that were read, "" before there was one.
func (r *Reader) Form() Form { return r.checker.form }

// Endpoint returns the url of the lines that were read, "" before there was one.
func (r *Reader) Endpoint() string { return r.checker.url }

// Model returns the model that the lines ask, "" before there was one.
func (r *Reader) Model() string { return r.checker.model }

// Count returns how many lines were read, without empty ones.
func (r *Reader) Count() int { return r.count }

// Bytes returns how many bytes were read.
func (r *Reader) Bytes() int64 { return r.source.read() }
