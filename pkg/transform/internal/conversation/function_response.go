package conversation

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/go-json-experiment/json/jsontext"
)

// SetResponse sets a result as the object that Gemini takes: an object as it came, byte for byte, anything else under
// the conventional name. Media need no text beside them. The text stands in a member of a location, such as "/content".
//
// Gemini takes $ref for the name of media in the result, and refuses one that means something else, as in a JSON
// Schema (github.com/vercel/ai/issues/14369). A result with such a reference becomes a text, too.
func (c *Conversation) SetResponse(out *geminiapi.FunctionResponse, text string, at Location, member string) {
	text = c.ReplaceLone(text, at, member)
	result, isObject := object.As(text)
	switch refers := c.refersElsewhere(out, text); {
	case refers:
		c.Report.Add(transform.Approximated, at.Pointer(member), "sent as a text, since Gemini takes $ref for the name of media")
		out.Response = object.OfText(outputMember, text)
	case isObject:
		out.Response = result
	case text == "" && len(out.Parts) > 0:
		out.Response = jsontext.Value("{}")
	default:
		out.Response = object.Of(outputMember, text)
	}
}

// SetError sets what a function that failed gave, by the name that Google's SDKs document for it. The text stands in a
// member of a location.
func (c *Conversation) SetError(out *geminiapi.FunctionResponse, text string, at Location, member string) {
	out.Response = object.OfText("error", c.ReplaceLone(text, at, member))
}

// outputMember is the name by which the results of functions go that are no objects.
const outputMember = "output"

// ReplaceLone returns a text that holds JSON with U+FFFD for half a surrogate pair, and reports it.
func (c *Conversation) ReplaceLone(text string, at Location, member string) string {
	whole, replaced := object.ReplaceLone(text)
	if replaced {
		c.Report.Add(transform.Approximated, at.Pointer(member), "it has half a surrogate pair, for which U+FFFD stands")
	}
	return whole
}

// refersElsewhere reports whether a result has a reference that names none of its media. Only Vertex AI knows names
// of media.
func (c *Conversation) refersElsewhere(out *geminiapi.FunctionResponse, text string) bool {
	if !strings.Contains(text, `$ref"`) && !strings.Contains(text, `\u`) { // as nearly always
		return false
	}
	isNamed := func(name string) bool {
		return slices.ContainsFunc(out.Parts, func(p geminiapi.FunctionResponsePart) bool {
			return optional.Value(optional.Value(p.InlineData).DisplayName) == name || optional.Value(optional.Value(p.FileData).DisplayName) == name
		})
	}
	return slices.ContainsFunc(rawobject.References(jsontext.Value(text)), func(name string) bool { return !c.VertexAI || !isNamed(name) }) &&
		jsontext.Value(text).IsValid()
}

// DetailNoMedia is the detail for media in the result of a function for a model that takes none there.
const DetailNoMedia = "the model takes no media as the result of a function"

// AddMedia adds a part to the media of a result, which have a form of their own. The resolution is where the part asks
// for one, as a pointer.
func (c *Conversation) AddMedia(out *geminiapi.FunctionResponse, part *geminiapi.Part, at Location, resolution string) {
	if part.MediaResolution != nil {
		c.Report.Add(transform.Lost, at.Pointer(resolution), "the media of a result have no resolution of their own")
	}
	c.AddMediaPart(out, geminiapi.FunctionResponsePart{
		InlineData: (*geminiapi.FunctionResponseBlob)(part.InlineData),
		FileData:   (*geminiapi.FunctionResponseFileData)(part.FileData),
	}, at)
}

// AddMediaPart adds media that have that form already.
func (c *Conversation) AddMediaPart(out *geminiapi.FunctionResponse, media geminiapi.FunctionResponsePart, at Location) {
	switch {
	case media.FileData != nil && !c.VertexAI && !mediapart.IsInFilesAPI(optional.Value(media.FileData.FileURI)):
		c.Report.Add(transform.Lost, at.Pointer(""), "of files the Gemini API takes those of its Files API in a result, other media inline only")
	case media.FileData != nil || media.InlineData != nil:
		out.Parts = append(out.Parts, media)
	}
}
