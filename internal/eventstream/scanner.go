package eventstream

import (
	"bytes"
	"errors"
	"io"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Scanner cuts a body into the JSON texts of its events. It is a state machine over the unread
// bytes of its input. The number of unread bytes does not matter: a state consumes the bytes that
// it understands, and asks for more.
//
// An event of data lines is ready at a blank line, at an object or a list of objects that begins a
// line, at an object that cannot be a part of it, and at the end. An object without "data:" is
// ready with its last brace.
type Scanner struct {
	// Event is the event that Next found.
	Event Event
	// Cut is true if the end of the body ended the event.
	Cut bool
	// Done is true after the mark [DONE], which some servers write at the end of a stream.
	Done bool
	// Skipped are the lines that do not belong to an event stream: they are not a field, a comment
	// or JSON.
	Skipped []SkippedLines
	// MaxSize limits the bytes of an event. It also limits the bytes before an event, which may be
	// 1 MiB in any case. A value below 1 means no limit.
	MaxSize int64

	in    input
	state state

	started  bool // after the byte order mark, if the body has one
	indented bool // the first byte of the body that is not white space does not begin a line
	afterCR  bool // the line before ended with CR, so LF is a part of its end
	hasData  bool // the event at hand has a data line
	isError  bool // the event at hand is of the type "error"
	array    bool // objects are elements of an array
	bare     bool // the body began with JSON, and nothing of an event stream was there yet
	object   objectScanner

	begin  int64  // where the search for the event at hand began
	events int    // found so far
	text   []byte // what is none of an event stream, while there was no event
	err    error  // why a state failed
}

// SkippedLines are consecutive lines that a scanner skipped.
type SkippedLines struct {
	// Before is the number of events before the lines.
	Before int
	// Offset is the number of bytes of the body before the first line.
	Offset int64
	// Lines counts them.
	Lines int
}

// maxSkipped is the maximum number of stored places with such lines. Further places are only
// counted.
const maxSkipped = 1000

// New returns a scanner of the body in r. It does not read yet.
func New(r io.Reader, maxSize int64) Scanner { return Scanner{in: input{r: r}, MaxSize: maxSize} }

// Consumed returns the number of bytes of the body that were consumed.
func (s *Scanner) Consumed() int64 { return s.in.consumed() }

type state int

const (
	atStart state = iota // of the body: inArray at "[", inPage at "<", else atLine
	// at its first byte: atValue after "data:", inObject at "{", inArray at "[", inComment, inText
	atLine
	// the white space that begins a line: atLine if JSON may follow, else inText
	inIndent
	atValue     // after "data:": atData, after at most one space
	atData      // at the first byte of the value: inData
	inData      // to the end of the line: atLine
	inComment   // to the end of the line: atLine
	inText      // another field, or none, to the end of the line: atLine
	inPage      // to the end of the body
	inObject    // to the last brace: afterObject, or inArray for an element
	afterObject // at anything but a separator: atLine
	inArray     // between elements: inObject at "{", afterObject behind "]"
)

// ErrCut is returned if the body ends within a JSON object.
var ErrCut = errors.New("the body ends within an event")

// TextError reports that the body is not a stream, but an HTML page or a text.
type TextError struct {
	// Text is the beginning of the text. It is valid until the scanner is released.
	Text []byte
}

// Error does not quote the text, because the text may contain anything.
func (e *TextError) Error() string { return "the body is a text" }

// ByteError reports a byte that begins neither JSON nor a line of an event stream. The byte is at
// the offset of the event.
type ByteError struct {
	Byte byte
}

// Error does not quote the byte, because it may be a part of anything.
func (e *ByteError) Error() string { return "no event begins here" }

// Next finds the next event and leaves it in Event. At the end it returns io.EOF, [ErrCut], or a
// *[TextError] if the body is not a stream. Before the end it may return [wire.ErrEventTooLarge], a
// *[ByteError], or the error of the underlying reader. At the mark [DONE] it also returns io.EOF,
// and the events after the mark in later calls.
func (s *Scanner) Next() error {
	s.begin = s.in.consumed()
	for {
		s.Event = Event{kept: s.Event.kept[:0], Offset: s.in.consumed()}
		s.hasData = false
		if err := s.assemble(); err != nil {
			return err
		}
		s.Event.IsError = s.Event.IsError || s.isError // which a blank line has moved already
		switch {
		case s.Event.tail == 0: // nothing but white space, which may keep a connection alive
		case s.Event.isDone():
			s.Done = true
			return io.EOF
		default:
			s.events++
			s.text = nil
			return nil
		}
	}
}

// Release releases all memory after the stream has ended. Afterwards Next finds nothing.
func (s *Scanner) Release() {
	s.Event, s.text, s.state = Event{}, nil, atLine // which may be a part of the input
	s.in.release()
}

// assemble runs the machine until an event is ready.
func (s *Scanner) assemble() error {
	for {
		got := needMore
		if b := s.in.unread(); len(b) > 0 {
			got = s.step(b)
		} else if s.in.err != nil {
			return s.atEnd()
		}
		switch {
		case got == ready:
			return nil
		case got == failed:
			return s.err
		case s.hasOnlyFiller():
			s.Event.Offset = s.begin
			return errNoEvent
		case s.in.err == nil && (got == needMore || len(s.in.unread()) == 0):
			s.Event.save()
			s.in.more()
		}
	}
}

// leastFiller is the number of bytes that may always be before an event, because comments keep a
// connection open.
const leastFiller = 1 << 20

// fillerLimit is the maximum number of bytes before an event. A server that sends only white space
// or comments must not run forever.
func (s *Scanner) fillerLimit() int64 { return max(s.MaxSize, leastFiller) }

// hasOnlyFiller reports whether more than fillerLimit bytes contained no event.
func (s *Scanner) hasOnlyFiller() bool {
	return s.MaxSize > 0 && s.Event.Size == 0 && s.in.consumed()-s.begin > s.fillerLimit()
}

// outcome is the result of a state for the unread bytes. There is always at least one unread byte.
type outcome int

const (
	needMore outcome = iota // it cannot decide yet; never when the body has ended
	goOn                    // it consumed bytes or changed the state
	ready                   // the event is complete
	failed                  // err says why
)

func (s *Scanner) step(b []byte) outcome {
	switch s.state {
	case atStart:
		return s.detect(b)
	case atLine:
		return s.startLine(b)
	case inIndent:
		return s.skipIndent(b)
	case atValue, atData:
		return s.startData(b)
	case inData, inComment, inText:
		return s.readLine(b)
	case inPage:
		return s.readPage(b)
	case inObject:
		return s.readObject(b)
	case afterObject:
		return s.skipSeparator(b)
	default:
		return s.readArray(b)
	}
}

// detect finds the format of a body.
func (s *Scanner) detect(b []byte) outcome {
	if !s.started && b[0] == byteOrderMark[0] {
		if len(b) < len(byteOrderMark) && s.in.err == nil {
			return needMore
		}
		s.started = true
		if bytes.HasPrefix(b, []byte(byteOrderMark)) {
			s.in.consume(len(byteOrderMark))
			return goOn
		}
	}
	s.started = true
	switch c := b[0]; {
	case isSpace(c):
		n := runLength(b, codec.Space)
		s.indented = b[n-1] == ' ' || b[n-1] == '\t'
		s.in.consume(n)
	case c == '[':
		s.in.consume(1)
		s.bare, s.array, s.state = true, true, inArray
	case c == '<':
		s.state = inPage
	case c != '{' && s.indented: // no field begins with a space
		return s.skipLine()
	default:
		s.bare, s.state = c == '{', atLine
	}
	return goOn
}

// runLength returns the number of bytes at the beginning that are in set.
func runLength(b []byte, set string) int { return len(b) - len(bytes.TrimLeft(b, set)) }

const byteOrderMark = "\uFEFF"

// take appends the next n unread bytes to the event.
func (s *Scanner) take(n int) outcome {
	s.Event.add(s.in.unread()[:n], s.in.consumed())
	s.in.consume(n)
	if s.MaxSize > 0 && int64(s.Event.Size) > s.MaxSize {
		return s.fail(wire.ErrEventTooLarge)
	}
	return goOn
}

func (s *Scanner) fail(err error) outcome {
	s.err = err
	return failed
}

// atEnd decides what the end of the body means for the last bytes. nil means that they are an
// event.
func (s *Scanner) atEnd() error {
	switch {
	case s.in.err != io.EOF:
		return s.in.err
	case s.state == inObject:
		return ErrCut
	case s.hasData:
		s.hasData, s.Cut = false, true
		return nil
	case s.isText():
		return &TextError{Text: s.text}
	default:
		return io.EOF
	}
}
