package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/go-json-experiment/json"
)

// response converts the content of a function result.
func (b *history) response(m *openaiapi.ChatMessage, at int) (*geminiapi.FunctionResponse, error) {
	var out geminiapi.FunctionResponse
	text, _ := m.Content.AsString()
	if list, ok := m.Content.AsValue(); ok {
		var err error
		if text, err = b.resultParts(&out, m, list, at); err != nil {
			return nil, err
		}
	}
	if google := b.extension(m.ExtraContent, b.At(at), inResult); google != nil {
		b.addResultMedia(&out, google, m, at)
	}
	b.SetResponse(&out, text, b.At(at), "/content")
	return &out, nil
}

// resultParts returns the joined texts of a result's parts, and adds its media.
func (b *history) resultParts(out *geminiapi.FunctionResponse, m *openaiapi.ChatMessage,
	list []openaiapi.ContentPart, message int) (string, error) {
	var texts []string
	for i := range list {
		p, at := &list[i], b.At(message).In("content", i)
		if kind := partType(p); isText(kind) {
			b.partMembers(p, kind, at, inMessage)
			text := partText(p, kind)
			if text == nil {
				b.LoseText(at)
			}
			texts = append(texts, jsonx.Deref(text))
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

// resolutionMember returns the pointer of the part member that sets the resolution of the media.
func resolutionMember(p *openaiapi.ContentPart) string {
	if google := googleExtension(p.ExtraContent); google != nil && google.MediaResolution != nil {
		return "/extra_content"
	}
	return "/image_url/detail"
}

// addMedia adds a part to the media of a result, which have their own form.
func (b *history) addMedia(out *geminiapi.FunctionResponse, part *geminiapi.Part,
	at conversation.Location, resolution string) {
	media := *part
	if part.ThoughtSignature != nil || part.Thought != nil || part.PartMetadata != nil {
		b.Report.Add(report.Lost, at.Pointer("/extra_content"), detailNotHere)
		media.ThoughtSignature, media.Thought, media.PartMetadata = nil, nil, nil
	}
	b.AddMedia(out, &media, at, resolution)
}

// addResultMedia adds media in the form of Google's own endpoint: as Gemini parts on the message.
func (b *history) addResultMedia(out *geminiapi.FunctionResponse,
	google *openaiapi.GoogleExtraContent, m *openaiapi.ChatMessage, at int) {
	if len(google.Parts) == 0 {
		return
	}
	list := extensionName(m) + layoutList
	for i := range google.Parts {
		entry, at := &google.Parts[i], b.At(at).In(list, i)
		if entry.Index != nil || entry.In != nil || entry.Length != nil {
			b.Report.Add(report.Lost, at.Pointer(""),
				"a message has no member for the media of a result")
		}
		b.addResultPart(out, entry, at)
	}
}

// addResultPart adds one entry, which is a part of a result. It also accepts a part of a turn.
func (b *history) addResultPart(out *geminiapi.FunctionResponse, entry *openaiapi.PreservedPart,
	at conversation.Location) {
	if entry.Part != nil {
		if rest := *entry.Part; !isMediaAlone(rest) {
			b.Report.Add(report.Lost, at.Pointer("/part"), "a result can have only media")
		}
		b.addMedia(out, entry.Part, at, "")
	}
	if entry.Unknown == nil {
		return
	}
	var part geminiapi.FunctionResponsePart
	err := json.Unmarshal(entry.Unknown, &part, json.MatchCaseInsensitiveNames(true))
	if err != nil || part.InlineData == nil && part.FileData == nil {
		b.Report.Add(report.Lost, at.Pointer(""), "not a part of a result")
		b.MissPart()
		return
	}
	b.AddMediaPart(out, part, at)
}

// isMediaAlone reports whether media are the only data of a part.
func isMediaAlone(p geminiapi.Part) bool {
	p.InlineData, p.FileData = nil, nil
	return !conversation.HasData(&p) && p.Text == nil
}
