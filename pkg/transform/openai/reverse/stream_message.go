package reverse

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/go-json-experiment/json/jsontext"
)

// memberMessage is the member in which a choice of a stream has a whole message, of a server that answers without
// streaming although it was asked for a stream.
const memberMessage = "message"

// hasMessage reports whether a choice of a stream has a whole message in the place of deltas. Perplexity's have both: then the
// message repeats the deltas so far.
func (c *streamChoice) hasMessage(choice *openaiapi.ChunkChoice) bool {
	hasBegun := c.sent || c.calls.begun > 0 || c.held.Len() > 0 || c.refusal.Len() > 0
	return !hasBegun && choice.Unknown != nil && choice.Delta.IsEmpty() &&
		rawobject.Member(choice.Unknown, memberMessage).Kind() == jsontext.KindBeginObject
}

// message converts the whole message of a choice into parts.
func (s *Stream) message(c *streamChoice, choice *openaiapi.ChunkChoice, at string) []geminiapi.Part {
	const pointer = firstChoice + "/" + memberMessage
	wrapped := rawobject.Of(memberMessage, rawobject.Member(choice.Unknown, memberMessage))
	whole, ignored, err := openai.DecodeForeignResponse([]byte(`{"choices":[` + string(wrapped) + `]}`))
	at += "/" + memberMessage
	if err != nil {
		s.report.lose(at, true)
		return nil
	}
	for _, e := range ignored {
		s.report.add(e.Kind, at+strings.TrimPrefix(e.Pointer, pointer), e.Detail)
	}
	m := &whole.Choices[0].Message
	t := turn{options: &s.options, report: &s.report, at: at, google: googleOf(m.ExtraContent)}
	t.message(m, false)
	c.calls.malformed, c.isRefused = t.malformed, t.refused
	if m.ExtraContent != nil {
		s.fromGemini = true
		c.google, c.googleAt, c.extra = t.google, s.report.at()+at, m.ExtraContent
	}
	for i := range m.Annotations {
		c.annotationsAt = append(c.annotationsAt, s.report.at()+at+"/annotations/"+strconv.Itoa(i))
	}
	c.annotations = append(c.annotations, m.Annotations...)
	s.report.loseMessage(m, at)
	return t.parts
}
