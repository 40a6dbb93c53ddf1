package agent

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
)

// DefaultObjectLimit is how large an object of agent NDJSON may be by default, in bytes: 64 MiB.
const DefaultObjectLimit = 64 << 20

// extractor cuts the JSON objects out of a reader by the rules of [ExtractJSONObjects], each as
// soon as its last byte has come. How the reader splits the bytes makes no difference, also not
// within a character. It looks at each byte once, at text with braces a few times, and keeps the
// bytes of one object and of what was read with it.
//
// It is for one goroutine.
type extractor struct {
	source io.Reader
	limit  int

	buf     []byte // read and not yet given away or skipped
	scanned int    // how much of buf the scanner has seen
	start   int    // where in buf the open object begins
	base    int64  // the offset of buf in the input
	scanner objectScanner
	stray   strayText
	broken  span // the last object that was skipped since it breaks off
	offset  int64
	err     error // what reading ended with
}

// strayText is text that is in no object, and neither white space nor the punctuation of a list:
// what stands between objects, and objects that were cut off and skipped.
type strayText struct {
	// Offset counts the bytes of the input before it.
	Offset int64
	// Length is how many bytes there are from the first to the last of them; 0 is no stray text.
	Length int64
}

// span is a part of the input.
type span struct{ start, end int64 }

// newExtractor returns an extractor that reads from r. Of the options only the object limit
// matters.
func newExtractor(r io.Reader, o options) *extractor {
	return &extractor{source: r, limit: cmp.Or(o.objectLimit, DefaultObjectLimit)}
}

// Next returns the next object. The slice is valid until the next call.
//
// At the end of the input the error is [io.EOF]; rest then has an object that did not
// end. An object over the limit is an *[ObjectTooLargeError], and an error of the reader is wrapped
// with the offset. After an error Next returns the same one again.
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

// end returns what reading ended with. What has begun by then is what the end cut off.
func (x *extractor) end() error {
	if x.scanner.open() {
		x.locate()
	}
	return x.err
}

// Offset returns how many bytes of the input came before the object that Next returned last, or
// before what Rest returns.
func (x *extractor) Offset() int64 { return x.offset }

// Stray returns the text that Next skipped on the way to what it returned last.
func (x *extractor) Stray() strayText { return x.stray }

// Rest returns the begin of an object that the end of the input cut off, without white space at the
// end, and nil when there is none or the input has not ended. The slice is valid until the next
// call of Next.
func (x *extractor) Rest() []byte {
	if !x.scanner.open() || !errors.Is(x.err, io.EOF) {
		return nil
	}
	return bytes.TrimRight(x.buf[x.start:], " \t\r\n")
}

// CutLine returns the offset of an object that breaks off in the last line of the input, behind
// which nothing stands but white space.
func (x *extractor) CutLine() (offset int64, found bool) {
	strayEnd := x.stray.Offset + x.stray.Length
	return x.broken.start, errors.Is(x.err, io.EOF) && x.broken.end > 0 && strayEnd <= x.broken.end
}

// scan looks for the end of an object in what has been read and not been looked at.
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
	x.scanned = len(x.buf) // Next must not go on behind it
	return x.err
}

// locate makes the offset that of the object at start.
func (x *extractor) locate() { x.offset = x.base + int64(x.start) }

// skip records what is stray in a part of the buffer that is in no object.
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

// isFraming reports whether a byte is one that belongs between objects: white space, the
// punctuation of a list, or the byte order mark at the start of the input.
func isFraming(b byte, offset int64) bool {
	const mark = "\uFEFF"
	switch b {
	case ' ', '\t', '\r', '\n', '[', ']', ',':
		return true
	default:
		return offset < int64(len(mark)) && b == mark[offset]
	}
}

// fill reads once. It makes room first: by dropping what is no longer needed when that is most of
// the buffer, by growing otherwise, so that no byte is moved more than a few times.
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

// minRead is the least room to read into, in bytes.
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
