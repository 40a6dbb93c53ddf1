package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/request/internal/mediapart"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// response converts the content of a result.
func (b *conversation) response(m *openaiapi.ChatMessage, at int) (*geminiapi.FunctionResponse, error) {
	var out geminiapi.FunctionResponse
	text, _ := m.Content.AsString()
	if list, ok := m.Content.AsValue(); ok {
		var err error
		if text, err = b.resultParts(&out, m, list, at); err != nil {
			return nil, err
		}
	}
	if google := b.extension(m.ExtraContent, location{message: at}, inResult); google != nil {
		b.addResultMedia(&out, google, m, at)
	}
	b.setResponse(&out, text, at)
	return &out, nil
}

// setResponse sets a result as the object that Gemini takes: an object as it came, byte for byte, anything else under
// the conventional name. Media need no text beside them.
//
// Gemini takes $ref for the name of media in the result, and refuses one that means something else, as in a JSON
// Schema (github.com/vercel/ai/issues/14369). A result with such a reference becomes a text, too.
func (b *conversation) setResponse(out *geminiapi.FunctionResponse, text string, at int) {
	text = b.replaceLone(text, location{message: at}, "", "/content")
	object, isObject := asObject(text)
	switch refers := b.refersElsewhere(out, text); {
	case refers:
		b.report.Add(transform.Approximated, location{message: at}.pointer("/content"), "sent as a text, since Gemini takes $ref for the name of media")
		out.Response = wrapText(outputMember, text)
	case isObject:
		out.Response = object
	case text == "" && len(out.Parts) > 0:
		out.Response = jsontext.Value("{}")
	default:
		out.Response = wrap(outputMember, text)
	}
}

// outputMember is the name by which the results of functions go that are no objects.
const outputMember = "output"

// refersElsewhere reports whether a result has a reference that names none of its media. Only Vertex AI knows names
// of media.
func (b *conversation) refersElsewhere(out *geminiapi.FunctionResponse, text string) bool {
	if !strings.Contains(text, `$ref"`) && !strings.Contains(text, `\u`) { // as nearly always
		return false
	}
	isNamed := func(name string) bool {
		return slices.ContainsFunc(out.Parts, func(p geminiapi.FunctionResponsePart) bool {
			return optional.Value(optional.Value(p.InlineData).DisplayName) == name || optional.Value(optional.Value(p.FileData).DisplayName) == name
		})
	}
	return slices.ContainsFunc(rawobject.References(jsontext.Value(text)), func(name string) bool { return !b.vertex || !isNamed(name) }) &&
		jsontext.Value(text).IsValid()
}

// resultParts returns the joined texts of a result's parts, and adds its media.
func (b *conversation) resultParts(out *geminiapi.FunctionResponse, m *openaiapi.ChatMessage, list []openaiapi.ContentPart, message int) (string, error) {
	var texts []string
	for i := range list {
		p, at := &list[i], location{message: message, list: "content", item: i}
		if kind := partType(p); isText(kind) {
			b.partMembers(p, kind, at, inMessage)
			texts = append(texts, optional.Value(partText(p, kind)))
			continue
		}
		part, err := b.part(p, m.Role, at)
		if err != nil {
			return "", err
		}
		b.addMedia(out, &part, at, resolutionMember(p))
	}
	return strings.Join(texts, ""), nil
}

// resolutionMember returns which member of a part sets the resolution of its media, as a pointer.
func resolutionMember(p *openaiapi.ContentPart) string {
	if google := mediapart.Extension(p.ExtraContent); google != nil && google.MediaResolution != nil {
		return "/extra_content"
	}
	return "/image_url/detail"
}

// addMedia adds a part to the media of a result, which have a form of their own.
func (b *conversation) addMedia(out *geminiapi.FunctionResponse, part *geminiapi.Part, at location, resolution string) {
	if part.ThoughtSignature != nil || part.Thought != nil || part.PartMetadata != nil || part.VideoMetadata != nil {
		b.report.Add(transform.Lost, at.pointer("/extra_content"), detailNotHere)
	}
	if part.MediaResolution != nil {
		b.report.Add(transform.Lost, at.pointer(resolution), "the media of a result have no resolution of their own")
	}
	b.addMediaPart(out, geminiapi.FunctionResponsePart{
		InlineData: (*geminiapi.FunctionResponseBlob)(part.InlineData),
		FileData:   (*geminiapi.FunctionResponseFileData)(part.FileData),
	}, at)
}

func (b *conversation) addMediaPart(out *geminiapi.FunctionResponse, media geminiapi.FunctionResponsePart, at location) {
	switch {
	case media.FileData != nil && !b.vertex && !mediapart.IsInFilesAPI(optional.Value(media.FileData.FileURI)):
		b.report.Add(transform.Lost, at.pointer(""), "of files the Gemini API takes those of its Files API in a result, other media inline only")
	case media.FileData != nil || media.InlineData != nil:
		out.Parts = append(out.Parts, media)
	}
}

// addResultMedia adds media in the form that Google's own endpoint takes them in: on the message, as
// parts of Gemini's.
func (b *conversation) addResultMedia(out *geminiapi.FunctionResponse, google *openaiapi.GoogleExtraContent, m *openaiapi.ChatMessage, at int) {
	if len(google.Parts) == 0 {
		return
	}
	list := extensionName(m) + layoutList
	if !b.traits.FunctionResponseParts {
		b.report.Add(transform.Lost, location{message: at}.pointer("/"+list), detailNoMedia)
		return
	}
	for i := range google.Parts {
		entry, at := &google.Parts[i], location{message: at, list: list, item: i}
		if entry.Index != nil || entry.In != nil || entry.Length != nil {
			b.report.Add(transform.Lost, at.pointer(""), "the media of a result have no place in a message")
		}
		b.addResultPart(out, entry, at)
	}
}

// addResultPart adds one entry, which is itself a part of a result. A part of a turn is taken as well.
func (b *conversation) addResultPart(out *geminiapi.FunctionResponse, entry *openaiapi.PreservedPart, at location) {
	if entry.Part != nil {
		if rest := *entry.Part; !isMediaAlone(rest) {
			b.report.Add(transform.Lost, at.pointer("/part"), "only media belong to a result")
		}
		b.addMedia(out, entry.Part, at, "")
	}
	if entry.Unknown == nil {
		return
	}
	var part geminiapi.FunctionResponsePart
	err := json.Unmarshal(entry.Unknown, &part, json.MatchCaseInsensitiveNames(true))
	if err != nil || part.InlineData == nil && part.FileData == nil {
		b.report.Add(transform.Lost, at.pointer(""), "not a part of a result")
		return
	}
	b.addMediaPart(out, part, at)
}

// isMediaAlone reports whether a part has no data besides media.
func isMediaAlone(p geminiapi.Part) bool {
	p.InlineData, p.FileData = nil, nil
	return !hasData(&p) && p.Text == nil
}
