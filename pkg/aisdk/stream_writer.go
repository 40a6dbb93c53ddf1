package aisdk

import (
	"fmt"
	"io"
	"slices"

	"github.com/gemwire/gemwire/gen/aisdkapi"
)

// StreamWriter writes the parts of one stream as lines of JSON, and can end the stream where its
// source cannot: it knows what was begun. It is not safe for use by several goroutines.
type StreamWriter struct {
	w        io.Writer
	options  []EncodeOption
	buf      []byte // reused
	open     []openPart
	first    [1]openPart // what open points to as long as it is enough
	started  bool
	finished bool
}

// openPart is what a part has begun and a later one is to end.
type openPart struct {
	end aisdkapi.PartType
	id  string
}

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer, opts ...EncodeOption) *StreamWriter {
	return &StreamWriter{w: w, options: opts}
}

// Write writes each part like [WritePart], all of them in one call of the Write below, and nothing
// for none of them. If the writer below has a method Flush without a result, as an
// http.ResponseWriter has, it is called after that. If a part cannot be encoded, those before it
// are written.
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

// Fail ends a stream that has no finish yet as one that failed: it ends what is open, and writes an
// error with the message and a finish, behind a stream start where nothing was written. Behind a
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

// track takes note of what a part begins and ends.
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
