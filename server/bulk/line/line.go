package line

import "github.com/go-json-experiment/json/jsontext"

// Line is one request of an input, which was checked. It is made by a [Reader].
type Line struct {
	// Number counts the lines of the input from 1, empty ones too. It rises from line to line, and
	// tells their order.
	Number int
	// CustomID is the name that the caller gave the request: custom_id in OpenAI's form, key in
	// Gemini's. No two lines of an input have the same.
	CustomID string
	// URL is the path that the body is sent to by POST, such as "/v1/chat/completions", or in
	// Gemini's form "/v1beta/models/gemini-3.6-flash:generateContent".
	URL string
	// Body is the request, as it came but for the model; see [WithModel].
	Body jsontext.Value
}

// Size returns about how many bytes the line takes, for those who divide an input.
func (l *Line) Size() int { return len(l.CustomID) + len(l.URL) + len(l.Body) + lineOverhead }

// lineOverhead is about how many bytes of a line in a file are none of its values.
const lineOverhead = 64
