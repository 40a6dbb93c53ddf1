package reverse

import (
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/reasoning"
	"github.com/go-json-experiment/json/jsontext"
)

// memberMessage is the member of a streamed choice with a whole message. Some servers send it in
// place of deltas, because they answer a stream request without streaming. It can also come in
// pieces, or repeat the deltas so far, as with Perplexity. Repeated content is not sent again.
const memberMessage = "message"

// These are details about content that a message repeats.
const (
	detailSaid  = "omitted, because it was sent before"
	detailOther = "it differs from the deltas, which are used"
)

// message adds the new content of a choice's message to the turn of its delta.
func (s *Stream) message(c *streamChoice, choice *openaiapi.ChunkChoice, at string, delta *turn) {
	value := jsonx.Member(choice.Unknown, memberMessage)
	if value == nil || value.Kind() == jsontext.KindNull {
		return
	}
	at += "/" + memberMessage
	m := s.decodeMessage(value, at)
	if m == nil {
		return
	}
	t := turn{options: &s.options, report: &s.report, at: at, google: googleOf(m.ExtraContent),
		malformed: c.calls.malformed}
	isFirst := !c.hasBegun() && len(delta.parts) == 0
	if isFirst && t.restore(m) {
		c.noteRestored(m)
	} else {
		thoughts := thoughtsIn(m.ReasoningContent, m.Unknown, &s.report, at)
		t.think(s.newText(&c.thoughts, thoughts.Text(), at+thoughts.Member()), thoughts.Member())
		if !isFirst {
			s.takeSignatures(c, thoughts.Details, at)
		}
		s.messageTexts(c, &t, m, isFirst && reasonOf(choice.FinishReason, choice.Unknown) != "")
		s.messageMedia(c, &t, m)
		s.messageCalls(c, &t, m)
		s.messageSignatures(c, &t, &thoughts, isFirst)
	}
	s.messageAnnotations(c, m.Annotations, at)
	s.messageExtension(c, &t, m.ExtraContent)
	c.calls.malformed = t.malformed
	c.isRefused = c.isRefused || t.refused
	s.report.loseMessage(m, at)
	delta.parts = append(delta.parts, t.parts...)
}

// hasBegun reports whether deltas or messages of a choice have had any content.
func (c *streamChoice) hasBegun() bool {
	return c.sent || c.calls.begun > 0 || c.held.Len() > 0 || c.refusal.Len() > 0
}

// decodeMessage reads a message. It reports a value that is not a message and returns nil.
func (s *Stream) decodeMessage(value jsontext.Value, at string) *openaiapi.ResponseMessage {
	const pointer = firstChoice + "/" + memberMessage
	wrapped := jsonx.Object(memberMessage, value)
	whole, ignored, err := openai.DecodeForeignResponse([]byte(`{"choices":[` + string(wrapped) +
		`]}`))
	if err != nil || value.Kind() != jsontext.KindBeginObject {
		s.report.lose(at, true)
		return nil
	}
	for _, e := range ignored {
		s.report.add(e.Kind, at+strings.TrimPrefix(e.Pointer, pointer), e.Detail)
	}
	return &whole.Choices[0].Message
}

// noteRestored records the content of a message whose parts the layout restored.
func (c *streamChoice) noteRestored(m *openaiapi.ResponseMessage) {
	c.content.add(jsonx.Deref(m.Content))
	c.thoughts.add(jsonx.Deref(m.ReasoningContent))
	for i := range m.ToolCalls {
		c.calls.sent.add(calledIn(&m.ToolCalls[i]))
	}
}

// messageTexts adds the text and the refusal. It holds back a wrapped value until its end, unless
// the message is complete.
func (s *Stream) messageTexts(c *streamChoice, t *turn, m *openaiapi.ResponseMessage,
	isWhole bool) {
	at := t.at + "/" + memberContent
	switch {
	case m.Content == nil && c.content.size == 0:
		before := len(t.parts)
		t.contents(nil, m.Unknown)
		c.content.add(textIn(t.parts[before:]))
	case m.Content == nil:
		said := turn{options: t.options, report: t.report, at: t.at}
		said.contents(nil, m.Unknown)
		t.say(s.newText(&c.content, said.text(), at))
	case s.wrapped != "" && !isWhole:
		c.held.WriteString(s.newText(&c.content, *m.Content, at))
	case c.content.ofDeltas && len(*m.Content) < c.content.size &&
		strings.HasPrefix(c.text.String(), *m.Content):
		s.report.add(report.Approximated, at, detailSaid)
	default:
		t.say(unwrap(s.newText(&c.content, *m.Content, at), s.wrapped))
	}
	if refusal := jsonx.Deref(m.Refusal); refusal != "" {
		t.refuse(new(s.newText(&c.refusals, refusal, t.at+"/refusal")))
	}
}

// newText returns the new part of a message text at a pointer. If the text does not start with the
// text so far, it is a further piece, unless the text so far came from deltas.
func (s *Stream) newText(before *textSoFar, text, at string) string {
	switch {
	case text == "" || before.size == 0:
	case before.begins(text):
		s.report.add(report.Approximated, at, detailSaid)
		text = text[before.size:]
	case before.ofDeltas:
		s.report.add(report.Lost, at, detailOther)
		return ""
	}
	before.add(text)
	return text
}

// messageMedia adds the images that were not sent before, and the sound if no sound was sent.
func (s *Stream) messageMedia(c *streamChoice, t *turn, m *openaiapi.ResponseMessage) {
	before := c.images
	for i := range m.Images {
		at := t.at + "/images/" + strconv.Itoa(i)
		if i < len(before) && before[i] == imageHash(&m.Images[i]) {
			s.report.add(report.Approximated, at, detailSaid)
			continue
		}
		t.image(&m.Images[i], at)
		c.images = append(c.images, imageHash(&m.Images[i]))
	}
	switch {
	case m.Audio == nil:
	case c.soundType != "":
		s.report.add(report.Approximated, t.at+"/audio", "the earlier sound is used instead")
	default:
		t.speak(m.Audio)
		c.soundType = t.soundType()
	}
}

// imageHash returns a hash of an image's address, which may contain the image itself.
func imageHash(image *openaiapi.ContentPart) uint64 {
	if image.ImageURL == nil {
		return 0
	}
	return maphash.String(hashSeed, image.ImageURL.URL.String())
}

// messageSignatures assigns the thought signatures of the first message to its parts. Signatures of
// later messages are kept for their calls, as signatures of deltas are.
func (s *Stream) messageSignatures(c *streamChoice, t *turn, thoughts *reasoning.Members,
	isFirst bool) {
	if !isFirst {
		return
	}
	t.signText()
	t.sign(thoughts)
	for i := range thoughts.Details {
		if piece := &thoughts.Details[i]; reasoning.Signature(piece) != nil {
			c.signatures.isNew(callid.WithoutSignature(jsonx.Deref(piece.ID)), *piece.Data)
		}
	}
}

// messageAnnotations keeps the annotations that have not arrived before.
func (s *Stream) messageAnnotations(c *streamChoice, annotations []openaiapi.Annotation,
	at string) {
	if len(annotations) == 0 {
		return
	}
	known := make(map[citation]bool, len(c.annotations))
	for i := range c.annotations {
		known[citationOf(&c.annotations[i])] = true
	}
	for i := range annotations {
		pointer := at + "/annotations/" + strconv.Itoa(i)
		if known[citationOf(&annotations[i])] {
			s.report.add(report.Approximated, pointer, detailSaid)
			continue
		}
		c.annotations = append(c.annotations, annotations[i])
		c.annotationsAt = append(c.annotationsAt, s.report.at()+pointer)
	}
}

// citation is the content of an annotation.
type citation struct {
	source
	start, end int
}

func citationOf(a *openaiapi.Annotation) citation {
	c := &a.URLCitation
	return citation{source{c.URL, c.Title}, c.StartIndex, c.EndIndex}
}

// messageExtension keeps the extension of a message until its choice ends. The first one counts.
func (s *Stream) messageExtension(c *streamChoice, t *turn, extra *openaiapi.ExtraContent) {
	switch {
	case extra == nil:
	case c.extra != nil:
		s.report.add(report.Approximated, t.at+"/extra_content",
			"the first one of the choice is used instead")
	default:
		s.fromGemini = true
		c.google, c.googleAt, c.extra = t.google, s.report.at()+t.at, extra
	}
}
