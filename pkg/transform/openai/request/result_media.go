package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
)

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
		b.addMedia(out, entry.Part, at)
	}
	if entry.Unknown == nil {
		return
	}
	var part geminiapi.FunctionResponsePart
	err := json.Unmarshal(entry.Unknown, &part, json.MatchCaseInsensitiveNames(true))
	switch {
	case err != nil || part.InlineData == nil && part.FileData == nil:
		b.report.Add(transform.Lost, at.pointer(""), "not a part of a result")
	case part.FileData != nil && !b.vertex:
		b.report.Add(transform.Lost, at.pointer(""), detailInlineOnly)
	default:
		out.Parts = append(out.Parts, part)
	}
}

// isMediaAlone reports whether a part has no data besides media.
func isMediaAlone(p geminiapi.Part) bool {
	p.InlineData, p.FileData = nil, nil
	return !hasData(&p) && p.Text == nil
}
