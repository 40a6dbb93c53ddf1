package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// part converts a part of a user content. The result has no type if the part cannot be expressed.
func (b *conversation) part(p *geminiapi.Part, at string) (openaiapi.ContentPart, error) {
	rest := *p
	out, err := b.partData(&rest, at)
	if err != nil {
		return out, err
	}
	if out.Type != "" {
		b.extend(&out, &rest)
	}
	b.loseRest(at, &rest)
	return out, nil
}

// partData removes the text or the media from a part and converts them.
func (b *conversation) partData(rest *geminiapi.Part, at string) (out openaiapi.ContentPart,
	err error) {
	switch {
	case rest.InlineData != nil:
		out, err = b.inlineMedia(rest, at+"/inlineData")
	case rest.FileData != nil:
		out, err = b.file(rest, at+"/fileData")
	case rest.Text != nil && *rest.Text == "":
		b.report.Add(report.Approximated, at, detailEmpty)
		rest.Text = nil
	case rest.Text != nil:
		out = openaiapi.ContentPart{Type: openaiapi.ContentPartTypeText, Text: rest.Text}
		rest.Text = nil
	}
	return out, err
}

// extend puts the remaining members of a part into the extension of the converted part.
func (b *conversation) extend(out *openaiapi.ContentPart, rest *geminiapi.Part) {
	if b.plain {
		return
	}
	google := jsonx.Deref(jsonx.Deref(out.ExtraContent).Google)
	google.Thought, google.ThoughtSignature, google.PartMetadata = rest.Thought,
		rest.ThoughtSignature, rest.PartMetadata
	rest.Thought, rest.ThoughtSignature, rest.PartMetadata = nil, nil, nil
	if out.Type != openaiapi.ContentPartTypeText {
		google.VideoMetadata, google.MediaResolution = rest.VideoMetadata, rest.MediaResolution
		rest.VideoMetadata, rest.MediaResolution = nil, nil
	}
	if !google.IsEmpty() {
		out.ExtraContent = &openaiapi.ExtraContent{Google: &google}
	}
}

// record is a record of Gemini's API.
type record interface{ IsEmpty() bool }

// loseRest reports the remaining members of a record at a pointer.
func (c *converter) loseRest(at string, rest record) {
	if !rest.IsEmpty() {
		unshown.Add(&c.report, at, rest, unshown.Nothing, detailNoCounterpart)
	}
}

const detailNoCounterpart = "chat_completions has no member for it"
