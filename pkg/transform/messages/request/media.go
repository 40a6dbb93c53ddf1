package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

func itoa(n int) string { return strconv.Itoa(n) }

// media converts an image or a document. A text before a document has its title and context.
func (b *history) media(block *anthropicapi.ContentBlock,
	at conversation.Location) ([]geminiapi.Part, error) {
	b.loseBlockMembers(block, at, inMedia)
	source, ok := block.Source.AsValue()
	if !ok {
		return nil, &refusal.Error{Pointer: at.Pointer("/source"),
			Problem: "must be an object with the media or their address"}
	}
	if source.Unknown != nil {
		b.LoseUnknown(at.Pointer("/source"), source.Unknown)
	}
	parts := b.described(block, at)
	switch source.Type {
	case anthropicapi.SourceTypeText:
		b.loseSource(&source, at, "data", "media_type")
		if jsonx.Deref(source.Data) == "" {
			b.Report.Add(report.Approximated, at.Pointer("/source"), "omitted, because it is empty")
		}
		return conversation.AppendPart(parts, &geminiapi.Part{Text: source.Data}), nil
	case anthropicapi.SourceTypeContent:
		b.loseSource(&source, at, "content")
		return b.composed(parts, &source, at)
	case anthropicapi.SourceTypeFile:
		return nil, &refusal.Error{Pointer: at.Pointer("/source/file_id"),
			Problem: "names a file at Anthropic, which Gemini cannot read; send the data or an address"}
	}
	part, err := b.inlineOrRemote(&source, at)
	if err != nil {
		return nil, err
	}
	return conversation.AppendPart(parts, &part), nil
}

// described returns the title and the context of a document as one text, or none.
func (b *history) described(block *anthropicapi.ContentBlock,
	at conversation.Location) []geminiapi.Part {
	title, _ := block.Title.Value()
	context := jsonx.Deref(block.Context)
	text := title
	switch {
	case title == "" && context == "":
		return nil
	case title == "":
		text = context
	case context != "":
		text += "\n" + context
	}
	if title != "" {
		b.Report.Add(report.Approximated, at.Pointer("/title"),
			"converted to a text before the document")
	}
	if context != "" {
		b.Report.Add(report.Approximated, at.Pointer("/context"),
			"converted to a text before the document")
	}
	return []geminiapi.Part{{Text: &text}}
}

// composed adds the parts of a document that consists of texts and images.
func (b *history) composed(parts []geminiapi.Part, source *anthropicapi.Source,
	at conversation.Location) ([]geminiapi.Part, error) {
	if text, ok := source.Content.AsString(); ok {
		return conversation.AppendPart(parts, &geminiapi.Part{Text: &text}), nil
	}
	list, _ := source.Content.AsValue()
	if len(list) == 0 {
		b.Report.Add(report.Approximated, at.Pointer("/source"), "omitted, because it is empty")
	}
	for i := range list {
		inner := conversation.Of(at.Pointer("/source/content"), i)
		more, err := b.said(&list[i], inner)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return parts, nil
}

// inlineOrRemote converts media that are in the request or at an address.
func (b *history) inlineOrRemote(source *anthropicapi.Source,
	at conversation.Location) (geminiapi.Part, error) {
	media := mediapart.Media{}
	switch source.Type {
	case anthropicapi.SourceTypeBase64:
		b.loseSource(source, at, "data", "media_type")
		media.URL, media.Member = wiretype.InlineMedia(jsonx.Deref(source.MediaType),
			jsonx.Deref(source.Data)), "/source/data"
		media.TypeMember = "/source/media_type"
	case anthropicapi.SourceTypeURL:
		b.loseSource(source, at, "url")
		media.URL, media.Member = wiretype.ParseMediaURL(jsonx.Deref(source.URL)), "/source/url"
	default:
		return geminiapi.Part{},
			&refusal.Error{Pointer: at.Pointer("/source/type"),
				Problem: "must be base64, url, text, content or file"}
	}
	part, report, err := b.Media.Part(media, at.Pointer)
	b.Report = append(b.Report, report...)
	return part, err
}

// loseSource reports the members of a source that its type does not use.
func (b *history) loseSource(source *anthropicapi.Source, at conversation.Location,
	used ...string) {
	visitMembersOfSource(source, func(name string) {
		if name != "type" && !contains(used, name) {
			b.Report.Add(report.Lost, at.Pointer("/source/"+name), detailNotHere)
		}
	})
	if source.Type == anthropicapi.SourceTypeText && source.MediaType != nil {
		b.Report.Add(report.Approximated, at.Pointer("/source/media_type"), "converted to a text")
	}
}
