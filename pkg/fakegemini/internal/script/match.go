package script

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Match has the conditions for a request. All conditions that are set must hold. The zero value
// matches any request to generate content.
type Match struct {
	// Operation is the method, such as countTokens. By default it is generateContent or
	// streamGenerateContent.
	Operation string `json:"operation,omitzero"`
	// Stream requires streamGenerateContent, or generateContent if false.
	Stream *bool `json:"stream,omitzero"`
	// Model is the model, without "models/". One of several names must match; * is any text.
	Model Names `json:"model,omitzero"`
	// Prompt is the user's last text. Tool results after it make a different request. A fixture
	// that should also answer that request uses Turn or ToolResult.
	Prompt Texts `json:"prompt,omitzero"`
	// System is the text of the system instruction.
	System Texts `json:"system,omitzero"`
	// Turn is the number of earlier model turns: 0 in the first request.
	Turn *int `json:"turn,omitzero"`
	// Tool lists functions. The request must declare all of them.
	Tool Names `json:"tool,omitzero"`
	// ToolResult is a result of a function in the last turn.
	ToolResult *ToolResult `json:"toolResult,omitzero"`
	// ResponseMIMEType is the requested form, such as application/json. text/plain also matches a
	// request without one.
	ResponseMIMEType string `json:"responseMimeType,omitzero"`
	// Signature is a thought signature that the request sends back.
	Signature string `json:"signature,omitzero"`
	// Header are request headers. Keys and tokens are redacted.
	Header map[string]Text `json:"header,omitzero"`
	// Chance is the probability, from 0 to 1, with which the fixture matches if all other
	// conditions hold.
	Chance *float64 `json:"chance,omitzero"`
	// Func is a condition in Go.
	Func func(*received.Request) bool `json:"-"`

	// Mistake is the error of a condition that was made in Go, such as a nil one.
	Mistake error `json:"-"`
}

// ToolResult is a condition on the result of a function. In a file, a text is the name alone.
type ToolResult struct {
	// Name is the name of the function; "" is any.
	Name string `json:"name,omitzero"`
	// ID is the id of the call; "" is any.
	ID string `json:"id,omitzero"`
	// Content is the condition on the result's JSON.
	Content Texts `json:"content,omitzero"`
}

// UnmarshalJSONFrom reads a name or an object.
func (t *ToolResult) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == jsontext.KindString {
		return json.UnmarshalDecode(dec, &t.Name)
	}
	type members ToolResult
	return json.UnmarshalDecode(dec, (*members)(t))
}

// UnmarshalJSONFrom reads a match.
func (m *Match) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	type members Match
	if err := json.UnmarshalDecode(dec, (*members)(m)); err != nil {
		return err
	}
	switch {
	case m.Chance != nil && (*m.Chance < 0 || *m.Chance > 1):
		return errors.New("chance must be between 0 and 1")
	case m.Turn != nil && *m.Turn < 0:
		return errors.New("turn must not be negative")
	}
	return nil
}

// Difference is a condition that a request does not meet.
type Difference struct {
	// Condition is the member of [Match].
	Condition string
	// Want and Got are texts.
	Want, Got string
}

// String returns one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: want %s, got %s", d.Condition, d.Want, d.Got)
}

// Differences returns the conditions that a request does not meet, or nil if it matches. It ignores
// Chance.
func (m *Match) Differences(r *received.Request) []Difference {
	return m.differences(r, factsOf(r))
}

func (m *Match) differences(r *received.Request, f facts) []Difference {
	d := differ{request: r, facts: f}
	d.operation(m)
	d.model(m)
	d.conversation(m)
	d.tools(m)
	d.header(m)
	if m.Func != nil && !m.Func(r) {
		d.add("func", "true", "false")
	}
	return d.found
}

// differ collects differences.
type differ struct {
	request *received.Request
	facts   facts
	found   []Difference
}

func (d *differ) add(condition, want, got string) {
	d.found = append(d.found, Difference{condition, want, got})
}

func (d *differ) operation(m *Match) {
	got := d.request.Operation
	switch {
	case m.Operation != "":
		if m.Operation != got {
			d.add("operation", m.Operation, orNone(got))
		}
	case !isGenerate(got):
		d.add("operation", "generateContent or streamGenerateContent", orNone(got))
	}
	if m.Stream != nil && *m.Stream != d.request.Stream {
		d.add("stream", strconv.FormatBool(*m.Stream), strconv.FormatBool(d.request.Stream))
	}
}

func isGenerate(operation string) bool {
	return operation == "generateContent" || operation == "streamGenerateContent"
}

func (d *differ) model(m *Match) {
	fits := func(pattern string) bool { return fitsName(pattern, d.request.Model) }
	if len(m.Model) > 0 && !slices.ContainsFunc(m.Model, fits) {
		d.add("model", strings.Join(m.Model, " or "), orNone(d.request.Model))
	}
}

// fitsName reports whether a name matches a pattern in which * is any text.
func fitsName(pattern, name string) bool {
	pieces := strings.Split(pattern, "*")
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(pieces) == 1 {
		return name == pattern
	}
	rest, ok := strings.CutPrefix(name, first)
	if !ok {
		return false
	}
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return strings.HasSuffix(rest, last)
}

func (d *differ) conversation(m *Match) {
	d.texts("prompt", m.Prompt, d.facts.prompt)
	if len(m.Prompt) > 0 && m.Turn == nil && m.ToolResult == nil && len(d.facts.results) > 0 {
		d.add("prompt", "a turn of the user",
			"a turn of tool results (toolResult or turn would match it)")
	}
	d.texts("system", m.System, d.facts.system)
	if m.Turn != nil && *m.Turn != d.facts.turn {
		d.add("turn", strconv.Itoa(*m.Turn), strconv.Itoa(d.facts.turn))
	}
	if m.ResponseMIMEType != "" && m.ResponseMIMEType != d.facts.responseMIMEType {
		d.add("responseMimeType", m.ResponseMIMEType, d.facts.responseMIMEType)
	}
	if m.Signature != "" && !slices.Contains(d.facts.signatures, m.Signature) {
		d.add("signature", m.Signature, orNone(strings.Join(d.facts.signatures, ", ")))
	}
}

func (d *differ) texts(condition string, wanted Texts, got string) {
	for _, text := range wanted {
		if !text.Fits(got) {
			d.add(condition, text.String(), quoteShort(got))
		}
	}
}

func (d *differ) tools(m *Match) {
	for _, name := range m.Tool {
		if !slices.Contains(d.facts.declared, name) {
			d.add("tool", name, orNone(strings.Join(d.facts.declared, ", ")))
		}
	}
	if want := m.ToolResult; want != nil && !slices.ContainsFunc(d.facts.results, want.fits) {
		var got []string
		for _, result := range d.facts.results {
			got = append(got, result.String())
		}
		d.add("toolResult", want.String(), orNone(strings.Join(got, ", ")))
	}
}

func (t *ToolResult) fits(r result) bool {
	if t.Name != "" && t.Name != r.name || t.ID != "" && t.ID != r.id {
		return false
	}
	return !slices.ContainsFunc(t.Content, func(text Text) bool { return !text.Fits(r.content) })
}

// String describes the condition.
func (t *ToolResult) String() string {
	text := "a result"
	if t.Name != "" {
		text += " of " + t.Name
	}
	if t.ID != "" {
		text += " for the call " + t.ID
	}
	for i, content := range t.Content {
		text += []string{" that is ", " and "}[min(i, 1)] + content.String()
	}
	return text
}

func (d *differ) header(m *Match) {
	for _, name := range slices.Sorted(maps.Keys(m.Header)) {
		want := m.Header[name]
		if values := d.request.Header.Values(name); !slices.ContainsFunc(values, want.Fits) {
			d.add("header "+name, want.String(), orNone(strings.Join(values, ", ")))
		}
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// quoteShort quotes the beginning of a text.
func quoteShort(text string) string {
	const longest = 200
	if len(text) <= longest {
		return strconv.Quote(text)
	}
	return strconv.Quote(strings.ToValidUTF8(text[:longest], "")) + " and more"
}
