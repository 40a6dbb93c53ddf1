// Package layout reads the layout of a message of chat_completions: the list of parts in its
// extension, which says how the parts of the model's turn are made of the message's members.
// Package openai writes it; it is read in messages that clients send back, and in answers of
// servers that Gemini's clients ask.
package layout

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
)

// Message is what a message holds that parts can be made of.
type Message struct {
	// Content and Reasoning are its texts.
	Content, Reasoning string
	// Calls counts its tool calls.
	Calls int
	// Images are those that it has.
	Images []openaiapi.ContentPart
	// Sound is in base64, "" for none. SoundType returns its type, and is called once if there is
	// any.
	Sound     string
	SoundType func() string
	// HasOthers says that the message holds what no layout covers, such as a refusal.
	HasOthers bool
}

// Fits reports whether a layout is that of the message: the lengths in it add up to what the
// members hold. They do not when a client has made a text longer, for example. A member that has
// been left out altogether spoils nothing: most clients know no reasoning_content.
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

// lacks reports whether the member that holds the part of an entry has been left out, which is one
// that OpenAI's own messages do not have.
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

// holdings counts what the members of a message hold: characters of texts, elements of lists, bytes
// of the sound.
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

// take subtracts what belongs to an entry of the layout, and reports whether there was that much.
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

// takeSound subtracts bytes of the sound, all that are left where the entry has no length. No entry
// of a sound is empty.
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

// soundSize returns how many bytes a sound has. Data that is not written as the standard has it
// counts as one, which nothing can be cut off.
func soundSize(data string) int {
	if data == "" {
		return 0
	}
	if length, ok := media.Base64Length(data); ok {
		return length
	}
	return 1
}
