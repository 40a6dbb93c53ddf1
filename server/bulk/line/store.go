package line

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// storedLine is the storage format of a line.
type storedLine struct {
	Number   int            `json:"number"`
	CustomID string         `json:"custom_id"`
	URL      string         `json:"url"`
	Body     jsontext.Value `json:"body"`
}

// asItCame keeps bodies byte for byte, including the escapes of their texts. It also accepts a body
// with half a surrogate pair, because its decoder does.
var asItCame = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))

// AppendLine appends a line in its storage format: one JSON object, and a newline. [ReadLines]
// reads it. It returns an error only for a body that is not JSON, and then dst unchanged.
func AppendLine(dst []byte, l *Line) ([]byte, error) {
	return appendJSON(dst, (*storedLine)(l))
}

// FailedLine is a line without an answer, and its place in the output.
type FailedLine struct {
	Line
	// Before is the number of answers before it. It is -1 if it is unknown, for a line that an
	// earlier version has stored.
	Before int64
}

// storedFailed is the storage format of a failed line. [ReadLines] reads it too.
type storedFailed struct {
	Number   int            `json:"number"`
	CustomID string         `json:"custom_id"`
	URL      string         `json:"url"`
	Before   int64          `json:"answers_before"`
	Body     jsontext.Value `json:"body"`
}

// AppendFailed appends a failed line in its storage format. [ReadFailed] and [ReadLines] read it.
func AppendFailed(dst []byte, l *FailedLine) ([]byte, error) {
	return appendJSON(dst, storedFailed{Number: l.Number, CustomID: l.CustomID, URL: l.URL,
		Before: l.Before, Body: l.Body})
}

// ReadFailed reads the output of [AppendFailed] and of [AppendLine]. An error ends the lines.
func ReadFailed(in io.Reader) iter.Seq2[FailedLine, error] {
	return func(yield func(FailedLine, error) bool) {
		dec := jsontext.NewDecoder(bufio.NewReader(in), asItCame)
		for {
			l := storedFailed{Before: -1}
			err := json.UnmarshalDecode(dec, &l)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(FailedLine{}, fmt.Errorf("line: a stored line: %w", err))
				return
			}
			failed := FailedLine{Before: l.Before, Line: Line{Number: l.Number,
				CustomID: l.CustomID, URL: l.URL, Body: l.Body}}
			if !yield(failed, nil) {
				return
			}
		}
	}
}

// ReadLines reads the output of [AppendLine] and [AppendFailed]. An error ends the lines.
func ReadLines(in io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		dec := jsontext.NewDecoder(bufio.NewReader(in), asItCame)
		for {
			var l storedLine
			err := json.UnmarshalDecode(dec, &l)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Line{}, fmt.Errorf("line: a stored line: %w", err))
				return
			}
			if !yield(Line(l), nil) {
				return
			}
		}
	}
}

// AppendStored appends a result in its storage format: one JSON object, and a newline.
// [ParseStored] reads it.
func AppendStored(dst []byte, r *Result) ([]byte, error) { return appendJSON(dst, r) }

// ParseStored reads the output of [AppendStored]. The results share no memory with data.
func ParseStored(data []byte) ([]Result, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data), asItCame)
	var out []Result
	for {
		var r Result
		err := json.UnmarshalDecode(dec, &r)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, fmt.Errorf("line: a stored result: %w", err)
		}
		out = append(out, r)
	}
}

// appendJSON appends a value, and a newline. After an error dst is unchanged.
func appendJSON(dst []byte, value any) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	if err := json.MarshalWrite(out, value, asItCame); err != nil {
		return dst, fmt.Errorf("line: %w", err)
	}
	return append(out.Bytes(), '\n'), nil
}
