package agent

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
)

// DefaultObjectLimit is the default maximum size of an object in agent NDJSON: 64 MiB.
const DefaultObjectLimit = 64 << 20

// extractor cuts the JSON objects out of a reader by the rules of [ExtractJSONObjects]. It returns
// each object as soon as its last byte has arrived. The result does not depend on how the reader
// splits the bytes, even within a character. It scans each byte once, and text with braces a few
// times. It keeps the bytes of one object and of what was read with it.
//
// It is not safe for concurrent use.
type extractor struct {
	source io.Reader
	limit  int

	buf     []byte // read and neither returned nor skipped
	scanned int    // how much of buf the scanner has seen
	start   int    // start of the open object in buf
	base    int64  // the offset of buf in the input
	scanner objectScanner
	stray   strayText
	broken  span // the last skipped object that broke off
	offset  int64
	err     error // why reading ended
}

// strayText is text outside of objects that is neither white space nor list punctuation: text
// between objects, and objects that were cut off and skipped.
type strayText struct {
	// Offset is the byte offset of the text in the input.
	Offset int64
	// Length is the number of bytes from the first to the last of them; 0 means no stray text.
	Length int64
}

// span is a part of the input.
type span struct{ start, end int64 }

// newExtractor returns an extractor that reads from r. It uses only the object limit of the
// options.
func newExtractor(r io.Reader, o options) *extractor {
	return &extractor{source: r, limit: cmp.Or(o.objectLimit, DefaultObjectLimit)}
}

// Next returns the next object. The slice is valid until the next call.
//
// At the end of the input the error is [io.EOF], and Rest returns an incomplete object. An object
// over the limit is an *[ObjectTooLargeError]. An error of the reader is wrapped with the offset.
// After an error Next returns the same error again.
func (x *extractor) Next() ([]byte, error) {
	x.stray, x.broken = strayText{}, span{}
	for {
		if object, err := x.scan(); object != nil || err != nil {
			return object, err
		}
		if x.err != nil {
			return nil, x.end()
		}
		x.fill()
	}
}

// end returns the error at the end of reading. An open object was cut off there.
func (x *extractor) end() error {
	if x.scanner.open() {
		x.locate()
	}
	return x.err
}

// Offset returns the byte offset of the object that Next returned last, or of the result of Rest.
func (x *extractor) Offset() int64 { return x.offset }

// Stray returns the text that Next skipped before its last result.
func (x *extractor) Stray() strayText { return x.stray }

// Rest returns the start of an object that the end of the input cut off, without trailing white
// space. It returns nil if no object was cut off or the input has not ended. The slice is valid
// until the next call of Next.
func (x *extractor) Rest() []byte {
	if !x.scanner.open() || !errors.Is(x.err, io.EOF) {
		return nil
	}
	return bytes.TrimRight(x.buf[x.start:], " \t\r\n")
}

// CutLine returns the offset of an object that breaks off in the last line of the input, followed
// only by white space.
func (x *extractor) CutLine() (offset int64, found bool) {
	strayEnd := x.stray.Offset + x.stray.Length
	return x.broken.start, errors.Is(x.err, io.EOF) && x.broken.end > 0 && strayEnd <= x.broken.end
}

// scan searches the unscanned input for the end of an object.
func (x *extractor) scan() ([]byte, error) {
	for x.scanned < len(x.buf) {
		from, outside := x.scanned, !x.scanner.open()
		next, found := x.scanner.scan(x.buf, x.start, from)
		x.scanned = next
		switch found {
		case objectBegins:
			x.skip(from, next-1)
			x.start = next - 1
		case objectBroken:
			x.skip(x.start, next)
			if next > x.start+1 { // and not just a brace in a text
				x.broken = span{x.base + int64(x.start), x.base + int64(next)}
			}
		case objectEnds:
			return x.give()
		default:
			if outside {
				x.skip(from, next)
			}
		}
	}
	if x.scanner.open() && len(x.buf)-x.start > x.limit {
		return nil, x.tooLarge()
	}
	return nil, nil
}

// give returns the object that has ended.
func (x *extractor) give() ([]byte, error) {
	if x.scanned-x.start > x.limit {
		return nil, x.tooLarge()
	}
	x.locate()
	return x.buf[x.start:x.scanned:x.scanned], nil
}

func (x *extractor) tooLarge() error {
	x.locate()
	x.err = &ObjectTooLargeError{Offset: x.offset, Limit: x.limit}
	x.scanned = len(x.buf) // Next must not continue after it
	return x.err
}

// locate sets the offset to the object at start.
func (x *extractor) locate() { x.offset = x.base + int64(x.start) }

// skip records stray text in a part of the buffer outside of objects.
func (x *extractor) skip(from, to int) {
	for i, b := range x.buf[from:to] {
		at := x.base + int64(from+i)
		if isFraming(b, at) {
			continue
		}
		if x.stray.Length == 0 {
			x.stray.Offset = at
		}
		x.stray.Length = at + 1 - x.stray.Offset
	}
}

// isFraming reports whether a byte belongs between objects: white space, list punctuation, or the
// byte order mark at the start of the input.
func isFraming(b byte, offset int64) bool {
	const mark = "\uFEFF"
	switch b {
	case ' ', '\t', '\r', '\n', '[', ']', ',':
		return true
	default:
		return offset < int64(len(mark)) && b == mark[offset]
	}
}

// fill reads once. Before that it makes room. If most of the buffer is no longer needed, it drops
// that part; otherwise it grows the buffer. So no byte is moved more than a few times.
func (x *extractor) fill() {
	keep := x.scanned
	if x.scanner.open() {
		keep = x.start
	}
	if keep > len(x.buf)/2 || keep == len(x.buf) {
		x.buf = x.buf[:copy(x.buf, x.buf[keep:])]
		x.base += int64(keep)
		x.start -= keep
		x.scanned -= keep
	}
	if len(x.buf) == cap(x.buf) {
		x.buf = slices.Grow(x.buf, max(minRead, len(x.buf)))
	}
	n, err := x.read(x.buf[len(x.buf):cap(x.buf)])
	x.buf = x.buf[:len(x.buf)+n]
	if err != nil {
		x.err = x.readError(err)
	}
}

// minRead is the minimum buffer space for a read, in bytes.
const minRead = 4096

// read reads at least one byte or fails.
func (x *extractor) read(p []byte) (int, error) {
	const patience = 100
	for range patience {
		if n, err := x.source.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

func (x *extractor) readError(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return fmt.Errorf("agent: reading events at byte %d: %w", x.base+int64(len(x.buf)), err)
}
