package line

import (
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Line is one checked request of an input. A [Reader] makes it.
type Line struct {
	// Number is the line number in the input, counted from 1 and with empty lines. It increases
	// from line to line and defines their order.
	Number int
	// CustomID is the caller's name for the request: custom_id in OpenAI's format, key in Gemini's.
	// It is unique in an input.
	CustomID string
	// URL is the path for a POST of the body, such as "/v1/chat/completions", or in Gemini's format
	// "/v1beta/models/gemini-3.6-flash:generateContent".
	URL string
	// Body is the request, unchanged except for the model; see [WithModel].
	Body jsontext.Value
}

// Model returns the model of the line, or "" for a body without one.
func (l *Line) Model() string {
	if rest, isGemini := strings.CutPrefix(l.URL, geminiPath); isGemini {
		model, _, _ := strings.Cut(rest, ":")
		return model
	}
	start, end := jsonx.Find(l.Body, "/model")
	if end <= start {
		return ""
	}
	model, err := jsontext.AppendUnquote(nil, l.Body[start:end])
	if err != nil {
		return ""
	}
	return string(model)
}

// geminiPath is the beginning of the URL of lines in Gemini's format, before the model.
const geminiPath = "/v1beta/models/"

// Size returns the approximate size of the line in bytes, for dividing an input.
func (l *Line) Size() int { return len(l.CustomID) + len(l.URL) + len(l.Body) + lineOverhead }

// lineOverhead is the approximate number of bytes of a line that do not belong to its values.
const lineOverhead = 64
