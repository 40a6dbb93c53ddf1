package gemini

import (
	"bytes"
	"errors"
	"io"
)

// frames cuts a body into the JSON texts of its events. It is a state machine over the unread bytes
// of its input, whatever their number: a state consumes what it understands and asks for more.
//
// An event of data lines is ready at a blank line, at an object or a list of objects that begins a
// line, at an object that cannot be a part of it, and at the end. An object without "data:" is ready
// with its last brace.
type frames struct {
	in      input
	maxSize int64
	event   eventBuffer
	state   state

	started  bool // behind the byte order mark, if there is one
	indented bool // the first byte of the body that is no white space does not begin a line
	afterCR  bool // the line before ended with CR, so LF is a part of its end
	hasData  bool // the event at hand has a data line
	isError  bool // the event at hand is of the type "error"
	array    bool // objects are elements of an array
	bare     bool // the body began with JSON, and nothing of an event stream was there yet
	object   objectScanner

	events int    // found so far
	text   []byte // what is none of an event stream, while there was no event
	cut    bool   // the event at hand was ended by the end of the body
	done   bool   // nothing may follow
	err    error  // why a state failed
}

type state int

const (
	atStart     state = iota // of the body: inArray at "[", inPage at "<", else atLine
	atLine                   // at its first byte: atValue behind "data:", inObject at "{", inArray at "[", inComment, inText
	inIndent                 // the white space that begins a line: atLine if JSON may be behind it, else inText
	atValue                  // behind "data:": atData, behind a space if there is one
	atData                   // at the first byte of the value: inData
	inData                   // to the end of the line: atLine
	inComment                // to the end of the line: atLine
	inText                   // another field, or none, to the end of the line: atLine
	inPage                   // to the end of the body
	inObject                 // to the last brace: afterObject, or inArray for an element
	afterObject              // at anything but a separator: atLine
	inArray                  // between elements: inObject at "{", afterObject behind "]"
)

// errCut says that the body ended within a JSON object.
var errCut = errors.New("the body ends within an event")

// next finds the next event and leaves it in event. At the end it returns io.EOF, errCut, or an
// *Error if the body is no stream.
func (f *frames) next() error {
	for !f.done {
		f.event.reset(f.in.consumed())
		f.hasData = false
		if err := f.assemble(); err != nil {
			return err
		}
		f.event.isError = f.event.isError || f.isError // which a blank line has moved already
		switch {
		case f.event.tail == 0: // nothing but white space, which may keep a connection alive
		case f.event.isDone():
			f.done = true
		default:
			f.events++
			f.text = nil
			return nil
		}
	}
	return io.EOF
}

// release lets go of all memory when the stream has ended.
func (f *frames) release() {
	f.event, f.text = eventBuffer{}, nil // which may be a part of the input
	f.in.release()
}

// assemble runs the machine until an event is ready.
func (f *frames) assemble() error {
	for {
		got := needMore
		if b := f.in.unread(); len(b) > 0 {
			got = f.step(b)
		} else if f.in.err != nil {
			return f.atEnd()
		}
		switch {
		case got == ready:
			return nil
		case got == failed:
			return f.err
		case f.in.err == nil && (got == needMore || len(f.in.unread()) == 0):
			f.event.save()
			f.in.more()
		}
	}
}

// outcome is what a state made of the unread bytes, of which there is at least one.
type outcome int

const (
	needMore outcome = iota // it cannot tell yet; never when the body has ended
	goOn                    // it consumed bytes or changed the state
	ready                   // the event is complete
	failed                  // err says why
)

func (f *frames) step(b []byte) outcome {
	switch f.state {
	case atStart:
		return f.detect(b)
	case atLine:
		return f.startLine(b)
	case inIndent:
		return f.skipIndent(b)
	case atValue, atData:
		return f.startData(b)
	case inData, inComment, inText:
		return f.readLine(b)
	case inPage:
		return f.readPage(b)
	case inObject:
		return f.readObject(b)
	case afterObject:
		return f.skipSeparator(b)
	default:
		return f.readArray(b)
	}
}

// detect tells the forms of a body apart.
func (f *frames) detect(b []byte) outcome {
	if !f.started && b[0] == byteOrderMark[0] {
		if len(b) < len(byteOrderMark) && f.in.err == nil {
			return needMore
		}
		f.started = true
		if bytes.HasPrefix(b, []byte(byteOrderMark)) {
			f.in.consume(len(byteOrderMark))
			return goOn
		}
	}
	f.started = true
	switch c := b[0]; {
	case isSpace(c):
		f.indented = c == ' ' || c == '\t'
		f.in.consume(1)
	case c == '[':
		f.in.consume(1)
		f.bare, f.array, f.state = true, true, inArray
	case c == '<':
		f.state = inPage
	case c != '{' && f.indented: // no field begins with a space
		f.state = inText
	default:
		f.bare, f.state = c == '{', atLine
	}
	return goOn
}

const byteOrderMark = "\uFEFF"

// take makes the next n unread bytes a part of the event.
func (f *frames) take(n int) outcome {
	f.event.add(f.in.unread()[:n], f.in.consumed())
	f.in.consume(n)
	if f.maxSize > 0 && int64(f.event.size) > f.maxSize {
		return f.fail(ErrEventTooLarge)
	}
	return goOn
}

func (f *frames) fail(err error) outcome {
	f.err = err
	return failed
}

// atEnd settles what the end of the body means for what was read last; nil makes it an event.
func (f *frames) atEnd() error {
	switch {
	case f.in.err != io.EOF:
		return f.in.err
	case f.state == inObject:
		return errCut
	case f.hasData:
		f.hasData, f.cut = false, true
		return nil
	case f.isText():
		return DecodeError(0, nil, f.text)
	default:
		return io.EOF
	}
}
