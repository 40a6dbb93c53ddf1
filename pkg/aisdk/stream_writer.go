package aisdk

import (
	"fmt"
	"io"
	"slices"

	"github.com/gemwire/gemwire/gen/aisdkapi"
)

// StreamWriter writes the parts of one stream as lines of JSON. It tracks open parts, so that it
// can end a stream that its source cannot end. It is not safe for use by several goroutines.
type StreamWriter struct {
	w        io.Writer
	options  []EncodeOption
	buf      []byte // reused
	open     []openPart
	first    [1]openPart // the memory of open while one part is open
	started  bool
	finished bool
}

// openPart is something that a part began and a later part must end.
type openPart struct {
	end aisdkapi.PartType
	id  string
}

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer, opts ...EncodeOption) *StreamWriter {
	return &StreamWriter{w: w, options: opts}
}

// Write writes each part like [WritePart], all of them in one call of the underlying Write. Without
// parts it writes nothing. After that it calls Flush if the underlying writer has a method Flush
// without a result, like an http.ResponseWriter. If a part cannot be encoded, Write still writes
// the parts before it.
func (w *StreamWriter) Write(parts ...aisdkapi.Part) error {
	w.buf = w.buf[:0]
	var failure error
	for _, part := range parts {
		line, err := AppendPart(w.buf, part, w.options...)
		if err != nil {
			failure = err
			break
		}
		w.buf = append(line, '\n')
		w.track(part)
	}
	if len(w.buf) == 0 {
		return failure
	}
	if _, err := w.w.Write(w.buf); err != nil {
		return fmt.Errorf("aisdk: %w", err)
	}
	if f, ok := w.w.(interface{ Flush() }); ok {
		f.Flush()
	}
	return failure
}

// Fail ends a stream without a finish as a failed one: it ends all open parts, and writes an error
// with the message and a finish. If nothing was written, it begins with a stream start. After a
// finish it writes nothing.
func (w *StreamWriter) Fail(message string) error {
	if w.finished {
		return nil
	}
	var parts []aisdkapi.Part
	if !w.started {
		parts = append(parts, aisdkapi.StreamStart{})
	}
	for _, open := range w.open {
		switch open.end {
		case aisdkapi.PartTypeTextEnd:
			parts = append(parts, aisdkapi.TextEnd{ID: open.id})
		case aisdkapi.PartTypeReasoningEnd:
			parts = append(parts, aisdkapi.ReasoningEnd{ID: open.id})
		case aisdkapi.PartTypeToolInputEnd:
			parts = append(parts, aisdkapi.ToolInputEnd{ID: open.id})
		}
	}
	return w.Write(append(parts, NewErrorPart(message),
		aisdkapi.Finish{FinishReason: aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonError}})...)
}

// track records what a part begins and ends.
func (w *StreamWriter) track(part aisdkapi.Part) {
	w.started = true
	switch p := part.(type) {
	case aisdkapi.TextStart:
		w.begin(aisdkapi.PartTypeTextEnd, p.ID)
	case aisdkapi.ReasoningStart:
		w.begin(aisdkapi.PartTypeReasoningEnd, p.ID)
	case aisdkapi.ToolInputStart:
		w.begin(aisdkapi.PartTypeToolInputEnd, p.ID)
	case aisdkapi.TextEnd:
		w.end(aisdkapi.PartTypeTextEnd, p.ID)
	case aisdkapi.ReasoningEnd:
		w.end(aisdkapi.PartTypeReasoningEnd, p.ID)
	case aisdkapi.ToolInputEnd:
		w.end(aisdkapi.PartTypeToolInputEnd, p.ID)
	case aisdkapi.Finish:
		w.finished = true
	}
}

func (w *StreamWriter) begin(end aisdkapi.PartType, id string) {
	if w.open == nil {
		w.open = w.first[:0]
	}
	w.open = append(w.open, openPart{end, id})
}

func (w *StreamWriter) end(typ aisdkapi.PartType, id string) {
	if i := slices.Index(w.open, openPart{typ, id}); i >= 0 {
		w.open = slices.Delete(w.open, i, i+1)
	}
}
