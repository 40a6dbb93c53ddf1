package gemini

import (
	"bytes"
	"slices"
)

// maxText is how much of a body that is no stream is kept to make an error of it.
const maxText = 64 << 10

// readPage reads an HTML page to its end or as far as it is worth it.
func (f *frames) readPage(b []byte) outcome {
	f.noteText(b)
	f.in.consume(len(b))
	if len(f.text) == maxText {
		return f.fail(DecodeError(0, nil, f.text))
	}
	return goOn
}

// noteText keeps what may turn out to be all that the body holds.
func (f *frames) noteText(b []byte) {
	if f.events == 0 {
		f.text = append(f.text, b[:min(len(b), maxText-len(f.text))]...)
	}
}

// isText reports whether a body without an event is a text of any kind. An event stream may have
// fields that tell nothing here.
func (f *frames) isText() bool {
	if f.events > 0 || len(bytes.TrimSpace(f.text)) == 0 {
		return false
	}
	line := f.text[:lineLength(f.text)]
	name, _, _ := bytes.Cut(line, []byte(":"))
	return !slices.Contains(fields, string(name))
}
