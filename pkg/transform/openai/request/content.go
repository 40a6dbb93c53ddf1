package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// content converts a message's content, a text or a list of parts. Only parts of the accepted types are
// converted, the others reported; empty ones are left out.
func (b *conversation) content(m *openaiapi.ChatMessage, at int, accepts func(openaiapi.ContentPartType) bool) ([]geminiapi.Part, error) {
	if text, ok := m.Content.AsString(); ok {
		if text == "" {
			return nil, nil
		}
		return []geminiapi.Part{{Text: &text}}, nil
	}
	list, _ := m.Content.AsValue()
	parts := make([]geminiapi.Part, 0, len(list))
	for i := range list {
		at := location{message: at, list: "content", item: i}
		if !accepts(partType(&list[i])) {
			b.report.Add(transform.Lost, at.pointer(""), detailNoSuchPart)
			continue
		}
		part, err := b.part(&list[i], at)
		if err != nil {
			return nil, err
		}
		parts = appendPart(parts, &part)
	}
	return parts, nil
}

func isText(t openaiapi.ContentPartType) bool {
	return t == openaiapi.ContentPartTypeText || t == openaiapi.ContentPartTypeRefusal
}

func isAnything(t openaiapi.ContentPartType) bool { return t.Valid() }

// partType returns the type of a part, or for one without a type that of its payload.
func partType(p *openaiapi.ContentPart) openaiapi.ContentPartType {
	if p.Type != "" {
		return p.Type
	}
	var found openaiapi.ContentPartType
	visitMembersOfContentPart(p, func(name string) {
		if kind := openaiapi.ContentPartType(name); kind.Valid() {
			found = cmp.Or(found, kind)
		}
	})
	return found
}

const detailNoSuchPart = "no such part can stand here"

// part converts a part. One of an unknown type becomes an empty part.
func (b *conversation) part(p *openaiapi.ContentPart, at location) (geminiapi.Part, error) {
	kind := partType(p)
	if !isAnything(kind) {
		b.report.Add(transform.Lost, at.pointer(""), detailNoSuchPart)
		return geminiapi.Part{}, nil
	}
	b.losePartMembers(p, kind, at)
	where := inMediaPart
	if isText(kind) {
		where = inTextPart
	}
	google := b.extension(p.ExtraContent, at, where)
	out, err := b.payload(p, kind, google, at)
	if google != nil {
		out.Thought, out.ThoughtSignature = google.Thought, google.ThoughtSignature
		if isPresent(google.PartMetadata) {
			out.PartMetadata = google.PartMetadata
		}
	}
	return out, err
}

// payload converts the member of a part that belongs to its type.
func (b *conversation) payload(p *openaiapi.ContentPart, kind openaiapi.ContentPartType, google *openaiapi.GoogleExtraContent, at location) (geminiapi.Part, error) {
	switch kind {
	case openaiapi.ContentPartTypeText:
		return geminiapi.Part{Text: p.Text}, nil
	case openaiapi.ContentPartTypeRefusal:
		return geminiapi.Part{Text: p.Refusal}, nil
	}
	from := sourceOf(p, kind)
	if kind != openaiapi.ContentPartTypeVideoURL { // where they may say the clip
		b.loseUnknownIn(at, "/"+string(kind), from.unknown)
	}
	b.reportSource(p, kind, &from, at)
	part, err := b.media(from, google, at)
	switch {
	case err != nil:
	case kind == openaiapi.ContentPartTypeImageURL:
		b.setDetail(&part, optional.Value(optional.Value(p.ImageURL).Detail), at)
	case kind == openaiapi.ContentPartTypeVideoURL && from.unknown != nil:
		b.setClip(&part, from.unknown, at)
	}
	return part, err
}

// reportSource reports what a part says of its media without effect.
func (b *conversation) reportSource(p *openaiapi.ContentPart, kind openaiapi.ContentPartType, from *source, at location) {
	switch kind {
	case openaiapi.ContentPartTypeInputAudio:
		typed, _, _ := from.url.Inline()
		if typed != "" && optional.Value(p.InputAudio).Format != "" && media.CanonicalType(typed) != from.mimeType {
			b.report.Add(transform.Approximated, at.pointer("/input_audio/format"), "the data names its type itself")
		}
	case openaiapi.ContentPartTypeFile:
		if p.File != nil && optional.Value(p.File.FileData) != "" && p.File.FileID != nil {
			b.report.Add(transform.Lost, at.pointer("/file/file_id"), "the file itself is there")
		}
		if from.name != "" {
			b.reportName(from, at)
		}
	}
}

// reportName reports what becomes of a file's name, whose extension may be the only sign of the type. Only
// Vertex AI has a member for the name itself.
func (b *conversation) reportName(from *source, at location) {
	typed, _, _ := from.url.Inline()
	switch {
	case b.vertex:
	case media.IsUntyped(typed) && from.mimeType != "":
		b.report.Add(transform.Approximated, at.pointer("/file/filename"), "tells the type of the file; the Gemini API takes no names")
	default:
		b.report.Add(transform.Lost, at.pointer("/file/filename"), "the Gemini API takes no names of files")
	}
}

// appendPart appends a part that is not empty: it has data, a text that is not empty, or a signature. Gemini
// takes no part without data, so that a signature alone gets the empty text that it comes with in
// streams.
func appendPart(parts []geminiapi.Part, p *geminiapi.Part) []geminiapi.Part {
	text, signed := optional.Value(p.Text) != "", optional.Value(p.ThoughtSignature) != ""
	data := hasData(p)
	if !text && !signed && !data {
		return parts
	}
	parts = append(parts, *p)
	if added := &parts[len(parts)-1]; !data && added.Text == nil {
		added.Text = new("")
	}
	return parts
}

// hasData reports whether a part holds something besides a text. An unknown member counts as data.
func hasData(p *geminiapi.Part) bool {
	return p.InlineData != nil || p.FileData != nil || p.FunctionCall != nil || p.FunctionResponse != nil ||
		p.ExecutableCode != nil || p.CodeExecutionResult != nil || p.ToolCall != nil || p.ToolResponse != nil ||
		p.AudioTranscription != nil || len(p.Unknown) > 0
}
