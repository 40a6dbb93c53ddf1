package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/request/internal/mediapart"
)

// content converts a message's content, a text or a list of parts. Empty ones are left out.
func (b *conversation) content(m *openaiapi.ChatMessage, at int) ([]geminiapi.Part, error) {
	if text, ok := m.Content.AsString(); ok {
		if text == "" {
			return nil, nil
		}
		return []geminiapi.Part{{Text: new(text)}}, nil
	}
	list, _ := m.Content.AsValue()
	parts := make([]geminiapi.Part, 0, len(list))
	for i := range list {
		part, err := b.part(&list[i], m.Role, location{message: at, list: "content", item: i})
		if err != nil {
			return nil, err
		}
		parts = appendPart(parts, &part)
	}
	return parts, nil
}

// part converts a part of a message of the role. One that cannot stand there becomes an empty part.
func (b *conversation) part(p *openaiapi.ContentPart, role openaiapi.Role, at location) (geminiapi.Part, error) {
	kind := partType(p)
	if !b.accepts(kind, role, at) {
		return geminiapi.Part{}, nil
	}
	if isText(kind) {
		out := geminiapi.Part{Text: partText(p, kind)}
		extend(&out, b.partMembers(p, kind, at, inTextPart))
		return out, nil
	}
	google := b.partMembers(p, kind, at, inMediaPart)
	out, err := b.mediaPart(p, kind, at)
	extend(&out, google)
	return out, err
}

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

func isText(t openaiapi.ContentPartType) bool {
	return t == openaiapi.ContentPartTypeText || t == openaiapi.ContentPartTypeRefusal
}

// partText returns the text of a part of text.
func partText(p *openaiapi.ContentPart, kind openaiapi.ContentPartType) *string {
	if kind == openaiapi.ContentPartTypeRefusal {
		return p.Refusal
	}
	return p.Text
}

// accepts reports whether a message of the role can have a part of the type. If not, the part is reported.
func (b *conversation) accepts(kind openaiapi.ContentPartType, role openaiapi.Role, at location) bool {
	detail := detailNoSuchPart
	if kind.Valid() {
		detail = noMedia(role, &b.traits)
	}
	if detail == "" || isText(kind) {
		return true
	}
	b.report.Add(transform.Lost, at.pointer(""), detail)
	return false
}

const (
	detailNoSuchPart = "no such part can stand here"
	detailNoMedia    = "the model takes no media as the result of a function"
)

// noMedia says why the messages of a role have no media, "" when they may have some.
func noMedia(role openaiapi.Role, traits *models.Traits) string {
	switch role {
	case openaiapi.RoleSystem, openaiapi.RoleDeveloper:
		return detailNoSuchPart
	case openaiapi.RoleTool, openaiapi.RoleFunction:
		if !traits.FunctionResponseParts {
			return detailNoMedia
		}
	}
	return ""
}

// partMembers returns the extension of a part, and reports the members of both that are not used there.
func (b *conversation) partMembers(p *openaiapi.ContentPart, kind openaiapi.ContentPartType, at location, where extensionHolder) *openaiapi.GoogleExtraContent {
	b.losePartMembers(p, kind, at)
	return b.extension(p.ExtraContent, at, where)
}

// mediaPart converts the media of a part of the type.
func (b *conversation) mediaPart(p *openaiapi.ContentPart, kind openaiapi.ContentPartType, at location) (geminiapi.Part, error) {
	part, report, refusal := b.media.Part(mediapart.Of(p, kind), at.pointer)
	b.report = append(b.report, report...)
	if refusal != nil {
		return part, &Error{Pointer: refusal.Pointer, Problem: refusal.Problem, Err: refusal.Err}
	}
	return part, nil
}

// extend sets the members of a part that any kind of part may have, as far as the extension has them.
func extend(part *geminiapi.Part, google *openaiapi.GoogleExtraContent) {
	if google == nil {
		return
	}
	part.Thought = cmp.Or(google.Thought, part.Thought)
	part.ThoughtSignature = cmp.Or(google.ThoughtSignature, part.ThoughtSignature)
	if metadata := optional.JSON(google.PartMetadata); metadata != nil {
		part.PartMetadata = metadata
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
