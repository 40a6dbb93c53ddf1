package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

// content converts a message's content, which is a text or a list of parts. It omits empty parts.
func (b *history) content(m *openaiapi.ChatMessage, at int) ([]geminiapi.Part, error) {
	if text, ok := m.Content.AsString(); ok {
		if text == "" {
			return nil, nil
		}
		return []geminiapi.Part{{Text: new(text)}}, nil
	}
	list, _ := m.Content.AsValue()
	parts := make([]geminiapi.Part, 0, len(list))
	for i := range list {
		part, err := b.part(&list[i], m.Role, b.At(at).In("content", i))
		if err != nil {
			return nil, err
		}
		parts = conversation.AppendPart(parts, &part)
	}
	return parts, nil
}

// part converts a part of a message of the role. It returns an empty part if the role does not
// allow the part.
func (b *history) part(p *openaiapi.ContentPart, role openaiapi.Role,
	at conversation.Location) (geminiapi.Part, error) {
	kind := partType(p)
	if !b.accepts(kind, role, at) {
		return geminiapi.Part{}, nil
	}
	if isText(kind) {
		out := geminiapi.Part{Text: partText(p, kind)}
		extend(&out, b.partMembers(p, kind, at, inTextPart))
		if out.Text == nil && out.ThoughtSignature == nil {
			b.LoseText(at)
		}
		if kind == openaiapi.ContentPartTypeRefusal && jsonx.Deref(out.Text) != "" {
			b.Report.Add(report.Approximated, at.Pointer(""), detailRefusal)
		}
		return out, nil
	}
	google := b.partMembers(p, kind, at, inMediaPart)
	out, report, err := b.Media.Part(mediaOf(p, kind), at.Pointer)
	b.Report = append(b.Report, report...)
	extend(&out, google)
	return out, err
}

// partType returns the type of a part. Without a type, the payload decides.
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

// partText returns the text of a text part.
func partText(p *openaiapi.ContentPart, kind openaiapi.ContentPartType) *string {
	if kind == openaiapi.ContentPartTypeRefusal {
		return p.Refusal
	}
	return p.Text
}

// accepts reports whether a message of the role can have a part of the type. It reports a part that
// is not allowed.
func (b *history) accepts(kind openaiapi.ContentPartType, role openaiapi.Role,
	at conversation.Location) bool {
	if isText(kind) || isKnownPart(kind) && takesMedia(role) {
		return true
	}
	b.Report.Add(report.Lost, at.Pointer(""), detailNoSuchPart)
	return false
}

const (
	detailNoSuchPart = "such a part is not allowed here"
	detailRefusal    = "sent as a text"
)

// takesMedia reports whether the messages of a role may have media.
func takesMedia(role openaiapi.Role) bool {
	return role != openaiapi.RoleSystem && role != openaiapi.RoleDeveloper
}

// partMembers returns the extension of a part. It reports the members of both that have no effect.
func (b *history) partMembers(p *openaiapi.ContentPart, kind openaiapi.ContentPartType,
	at conversation.Location, where extensionHolder) *openaiapi.GoogleExtraContent {
	b.losePartMembers(p, kind, at)
	return b.extension(p.ExtraContent, at, where)
}

// extend sets the members that any kind of part can have, if the extension has them.
func extend(part *geminiapi.Part, google *openaiapi.GoogleExtraContent) {
	if google == nil {
		return
	}
	part.Thought = cmp.Or(google.Thought, part.Thought)
	part.ThoughtSignature = cmp.Or(google.ThoughtSignature, part.ThoughtSignature)
	if metadata := jsonx.NonNull(google.PartMetadata); metadata != nil {
		part.PartMetadata = metadata
	}
}
