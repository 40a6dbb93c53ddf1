package conversation

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/go-json-experiment/json/jsontext"
)

// SetResponse sets a result as the object that Gemini requires. An object stays byte for byte.
// Anything else goes into the conventional member. Results with media need no text. member is the
// pointer of the text, relative to a location, such as "/content".
//
// Gemini reads $ref as the name of media in the result. It refuses any other meaning, as in a JSON
// Schema (github.com/vercel/ai/issues/14369). A result with such a reference becomes a text too.
func (c *Conversation) SetResponse(out *geminiapi.FunctionResponse, text string, at Location,
	member string) {
	text = c.ReplaceLone(text, at, member)
	result, isObject := object.As(text)
	switch refers := c.refersElsewhere(out, text); {
	case refers:
		c.Report.Add(report.Approximated, at.Pointer(member),
			"sent as a text, because Gemini reads $ref as the name of media")
		out.Response = object.OfText(outputMember, text)
	case isObject:
		out.Response = result
	case text == "" && len(out.Parts) > 0:
		out.Response = jsontext.Value("{}")
	case text == "":
		out.Response = object.OfText(outputMember, c.insteadOfText())
	default:
		out.Response = object.Of(outputMember, text)
	}
}

// insteadOfText describes the other content of a result that has no text, or returns "". Without a
// text the model would take a result of media, or of lost parts, for an empty one.
func (c *Conversation) insteadOfText() string {
	switch {
	case len(c.pending.media) > 0:
		return "The next message of the user shows what the function returned."
	case c.pending.isIncomplete:
		return "The function returned something that cannot be shown here."
	default:
		return ""
	}
}

// SetError sets the result of a function that failed, in the member that Google's SDKs document for
// it. member is the pointer of the text, relative to a location.
func (c *Conversation) SetError(out *geminiapi.FunctionResponse, text string, at Location,
	member string) {
	text = c.ReplaceLone(text, at, member)
	if text == "" && len(out.Parts) == 0 {
		text = c.insteadOfText()
	}
	out.Response = object.OfText("error", text)
}

// outputMember is the member for function results that are not objects.
const outputMember = "output"

// ReplaceLone replaces half a surrogate pair in a JSON text by U+FFFD, and reports it.
func (c *Conversation) ReplaceLone(text string, at Location, member string) string {
	whole, replaced := object.ReplaceLone(text)
	if replaced {
		c.Report.Add(report.Approximated, at.Pointer(member),
			"half a surrogate pair is replaced by U+FFFD")
	}
	return whole
}

// refersElsewhere reports whether a result has a reference that names none of its media. Only
// Vertex AI supports names of media.
func (c *Conversation) refersElsewhere(out *geminiapi.FunctionResponse, text string) bool {
	if !strings.Contains(text, `$ref"`) && !strings.Contains(text, `\u`) { // nearly always the case
		return false
	}
	isNamed := func(name string) bool {
		return slices.ContainsFunc(out.Parts, func(p geminiapi.FunctionResponsePart) bool {
			return jsonx.Deref(jsonx.Deref(p.InlineData).DisplayName) == name ||
				jsonx.Deref(jsonx.Deref(p.FileData).DisplayName) == name
		})
	}
	return slices.ContainsFunc(jsonx.References(jsontext.Value(text)),
		func(name string) bool { return !c.VertexAI || !isNamed(name) }) &&
		jsontext.Value(text).IsValid()
}
