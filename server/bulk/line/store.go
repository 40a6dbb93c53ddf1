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

// storedLine is how a line is kept until it is run.
type storedLine struct {
	Number   int            `json:"number"`
	CustomID string         `json:"custom_id"`
	URL      string         `json:"url"`
	Body     jsontext.Value `json:"body"`
}

// asItCame keeps bodies as they came, down to how their texts are escaped, and also one that has
// half a surrogate pair, which its decoder takes.
var asItCame = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))

// AppendLine appends a line in the form in which it is kept until it is run: one JSON object, and a
// newline. [ReadLines] reads it. After an error, which only a body that is no JSON gives, dst is as
// it was.
func AppendLine(dst []byte, l *Line) ([]byte, error) {
	return appendJSON(dst, (*storedLine)(l))
}

// ReadLines reads what [AppendLine] wrote. An error ends the lines.
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
				yield(Line{}, fmt.Errorf("line: a line that was kept: %w", err))
				return
			}
			if !yield(Line(l), nil) {
				return
			}
		}
	}
}

// AppendStored appends a result in the form in which it is kept until the job is done: one JSON
// object, and a newline. [ParseStored] reads it.
func AppendStored(dst []byte, r *Result) ([]byte, error) { return appendJSON(dst, r) }

// ParseStored reads what [AppendStored] wrote. The results share no memory with data.
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
			return out, fmt.Errorf("line: a result that was kept: %w", err)
		}
		out = append(out, r)
	}
}

// appendJSON appends a value, and a newline. After an error dst is as it was.
func appendJSON(dst []byte, value any) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	if err := json.MarshalWrite(out, value, asItCame); err != nil {
		return dst, fmt.Errorf("line: %w", err)
	}
	return append(out.Bytes(), '\n'), nil
}
