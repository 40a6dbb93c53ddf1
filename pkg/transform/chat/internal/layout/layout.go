// Package layout reads the layout of a chat message: the list of parts in its extension. The layout
// says how the message's members make up the parts of the model's turn. Package openai writes it.
// Conversions read it in messages that clients send back, and in responses of other servers to
// clients of Gemini.
package layout

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
)

// Message is the content of a message that parts can be made of.
type Message struct {
	// Content and Reasoning are the message's texts.
	Content, Reasoning string
	// Calls is the number of tool calls.
	Calls int
	// Images are the message's images.
	Images []openaiapi.ContentPart
	// Sound is in base64, or "" without a sound. SoundType returns the type of the sound. It is
	// called once if there is a sound.
	Sound     string
	SoundType func() string
	// HasOthers reports that the message has content that no layout covers, such as a refusal.
	HasOthers bool
}

// Fits reports whether a layout fits the message: its lengths must add up to the members' sizes.
// They do not if a client has made a text longer, for example. A member that is missing altogether
// is allowed, because most clients do not know reasoning_content.
func Fits(entries []openaiapi.PreservedPart, m *Message) bool {
	if len(entries) == 0 || m.HasOthers {
		return false
	}
	for i := range m.Images {
		if !isInlineImage(&m.Images[i]) {
			return false
		}
	}
	left := m.holdings()
	for i := range entries {
		if !m.lacks(&entries[i]) && !left.take(&entries[i]) {
			return false
		}
	}
	return left == holdings{}
}

func isInlineImage(p *openaiapi.ContentPart) bool {
	isImage := p.Type == "" || p.Type == openaiapi.ContentPartTypeImageURL
	return isImage && p.ImageURL != nil && mediapart.IsInline(p.ImageURL.URL)
}

// lacks reports whether the member that holds an entry's part is missing. Only members that
// OpenAI's own messages do not have can be missing.
func (m *Message) lacks(p *openaiapi.PreservedPart) bool {
	switch jsonx.Deref(p.In) {
	case openaiapi.PartMemberReasoningContent:
		return m.Reasoning == "" && jsonx.Deref(p.Length) > 0
	case openaiapi.PartMemberImages:
		return len(m.Images) == 0
	case openaiapi.PartMemberAudio:
		return m.Sound == ""
	default:
		return false
	}
}

// holdings is the size of a message's members: characters of texts, elements of lists, bytes of the
// sound.
type holdings struct{ content, reasoning, calls, images, audio int }

func (m *Message) holdings() holdings {
	return holdings{
		content:   utf8.RuneCountInString(m.Content),
		reasoning: utf8.RuneCountInString(m.Reasoning),
		calls:     m.Calls,
		images:    len(m.Images),
		audio:     soundSize(m.Sound),
	}
}

// take subtracts the size of a layout entry and reports whether enough was left.
func (h *holdings) take(p *openaiapi.PreservedPart) bool {
	switch jsonx.Deref(p.In) {
	case "":
		return p.In == nil && p.Part != nil
	case openaiapi.PartMemberContent:
		return takeFrom(&h.content, p.Length)
	case openaiapi.PartMemberReasoningContent:
		return takeFrom(&h.reasoning, p.Length)
	case openaiapi.PartMemberToolCalls:
		return takeFrom(&h.calls, new(1))
	case openaiapi.PartMemberImages:
		return takeFrom(&h.images, new(1))
	case openaiapi.PartMemberAudio:
		return h.takeSound(p.Length)
	default:
		return false
	}
}

// takeSound subtracts bytes of the sound, or all remaining bytes if the entry has no length. An
// entry of a sound is never empty.
func (h *holdings) takeSound(length *int) bool {
	if length == nil {
		length = new(max(h.audio, 1))
	}
	return *length > 0 && takeFrom(&h.audio, length)
}

func takeFrom(have *int, n *int) bool {
	if n == nil || *n < 0 || *n > *have {
		return false
	}
	*have -= *n
	return true
}

// soundSize returns the size of a sound in bytes. Base64 that is not in standard form counts as one
// byte, because it cannot be split.
func soundSize(data string) int {
	if data == "" {
		return 0
	}
	if length, ok := media.Base64Length(data); ok {
		return length
	}
	return 1
}
