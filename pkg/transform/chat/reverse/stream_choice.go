package reverse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/reasoning"
	"github.com/go-json-experiment/json/jsontext"
)

// streamChoice is the state of a choice in a stream.
type streamChoice struct {
	index  int
	answer int             // counts from 1: the last one with a candidate of the choice
	text   strings.Builder // of the answer; annotations refer to it
	// text of a wrapped value, which cannot be unwrapped before its end
	held  strings.Builder
	calls callList

	content, thoughts, refusals textSoFar
	images                      []uint64 // hashes of those that were sent
	sent                        bool     // Parts were sent.
	isRefused                   bool     // A whole message was a refusal.
	soundType                   string   // of the sound that was sent

	finish   finish
	endingAt string          // the pointer of the chunk
	refusal  strings.Builder // sent at the end, when it is known whether the prompt was refused
	mean     average

	signatures    keptSignatures
	annotations   []openaiapi.Annotation
	annotationsAt []string                     // the pointers of the chunks
	google        openaiapi.GoogleExtraContent // of the last delta that had one
	googleAt      string                       // the pointer of its delta
	extra         *openaiapi.ExtraContent
	unknown       jsontext.Value
}

// delta converts a choice of a chunk. ok is false if there is nothing to pass on yet.
func (s *Stream) delta(c *streamChoice, choice *openaiapi.ChunkChoice,
	at string) (out geminiapi.Candidate, ok bool) {
	d := &choice.Delta
	t := turn{options: &s.options, report: &s.report, at: deltaPointer(at)}
	members := thoughtsIn(d.ReasoningContent, d.Unknown, &s.report, t.at)
	s.thoughts(c, &t, &members)
	s.content(c, &t, d)
	if jsonx.Deref(d.Refusal) != "" {
		s.report.add(report.Approximated, t.at+"/refusal", "converted to a text of the answer, sent at its end")
		c.refusal.WriteString(*d.Refusal)
		c.refusals.addDelta(*d.Refusal)
	}
	s.media(c, &t, d)
	s.takeSignatures(c, members.Details, t.at)
	s.callDeltas(c, d, &t)
	if choice.Unknown != nil {
		s.message(c, choice, at, &t)
		s.loseUnknownOfChoice(choice, at)
	}
	s.take(c, choice, at)
	s.loseDelta(c, choice, at)
	out = geminiapi.Candidate{Index: &c.index}
	out.LogprobsResult = tokenLogprobs(choice.Logprobs, &s.report, at)
	c.mean.add(out.LogprobsResult)
	if len(t.parts) > 0 {
		c.sent = true
		writeText(&c.text, t.parts)
		out.Content = &geminiapi.Content{Role: &s.role, Parts: t.parts}
	}
	return out, out.Content != nil || out.LogprobsResult != nil
}

// deltaPointer returns the pointer of a choice's delta.
func deltaPointer(choice string) string {
	if choice == firstChoice {
		return firstChoice + "/delta"
	}
	return choice + "/delta"
}

// thoughts passes on the thoughts of a delta.
func (s *Stream) thoughts(c *streamChoice, t *turn, members *reasoning.Members) {
	thoughts := members.Text()
	switch {
	case thoughts == "":
		return
	case s.repeats:
		thoughts = c.thoughts.news(thoughts)
	default:
		c.thoughts.addDelta(thoughts)
	}
	t.think(thoughts, members.Member())
}

// content passes on the text of a delta. It holds back a wrapped value.
func (s *Stream) content(c *streamChoice, t *turn, d *openaiapi.Delta) {
	text := d.Content
	if s.repeats && text != nil && *text != "" {
		text = new(c.content.news(*text))
	} else if text != nil {
		c.content.addDelta(*text)
	}
	if s.wrapped != "" && text != nil {
		c.held.WriteString(*text)
		return
	}
	before := len(t.parts)
	t.contents(text, d.Unknown)
	if text == nil && len(t.parts) > before {
		c.content.addDelta(textIn(t.parts[before:]))
	}
	c.isRefused = c.isRefused || t.refused
}

// media passes on images and a piece of a sound.
func (s *Stream) media(c *streamChoice, t *turn, d *openaiapi.Delta) {
	for i := range d.Images {
		t.image(&d.Images[i], t.at+"/images/"+strconv.Itoa(i))
		c.images = append(c.images, imageHash(&d.Images[i]))
	}
	if d.Audio != nil {
		t.sound(d.Audio)
		s.report.lose(t.at+"/audio/expires_at", d.Audio.ExpiresAt != nil && *d.Audio.ExpiresAt != 0)
		c.soundType = t.soundType()
	}
}

// take keeps what a chunk says about a choice until the choice ends.
func (s *Stream) take(c *streamChoice, choice *openaiapi.ChunkChoice, at string) {
	d := &choice.Delta
	if len(d.Annotations) > 0 {
		for i := range d.Annotations {
			c.annotationsAt = append(c.annotationsAt,
				s.report.at()+at+"/delta/annotations/"+strconv.Itoa(i))
		}
		c.annotations = append(c.annotations, d.Annotations...)
	}
	if d.ExtraContent != nil {
		s.fromGemini = true
		c.google, c.googleAt, c.extra = googleOf(d.ExtraContent), s.report.at()+at+"/delta",
			d.ExtraContent
	}
	if reason := reasonOf(choice.FinishReason, choice.Unknown); reason != "" {
		if c.finish.reason != "" {
			s.report.add(report.Approximated, at+"/finish_reason", "the first reason is used instead")
			if choice.NativeFinishReason != nil {
				s.report.add(report.Approximated, at+"/native_finish_reason",
					"the first reason is used instead")
			}
			return
		}
		c.finish = finish{reason: reason, native: choice.NativeFinishReason, at: at,
			failure: failureOf(choice.Unknown)}
		c.endingAt = s.report.at()
		s.fromGemini = s.fromGemini || looksLikeGeminis(jsonx.Deref(choice.NativeFinishReason))
	} else if choice.NativeFinishReason != nil {
		s.report.add(report.Approximated, at+"/native_finish_reason",
			"the server's own reason why the answer ended")
	}
}

// loseDelta reports what no chunk shows of a delta.
func (s *Stream) loseDelta(c *streamChoice, choice *openaiapi.ChunkChoice, at string) {
	d := &choice.Delta
	if d.Role != nil {
		s.report.differs(at+"/delta/role", string(*d.Role), string(openaiapi.RoleAssistant))
	}
	if d.Unknown == nil {
		return
	}
	rest := withoutMembers(d.Unknown, memberContent, memberReasoning, memberReasoningText,
		memberReasoningDetails, memberThinkingBlocks)
	if string(rest) != string(c.unknown) {
		c.unknown = rest
		s.report.loseUnknown(at+"/delta", rest)
	}
}

// loseUnknownOfChoice reports the unknown members of a choice, except those that were used, such as
// a message.
func (s *Stream) loseUnknownOfChoice(choice *openaiapi.ChunkChoice, at string) {
	if s.usageAt == s.report.at()+at {
		s.report.loseUnknown(at, choice.Unknown, memberMessage, memberUsage)
		return
	}
	s.report.loseUnknown(at, choice.Unknown, memberMessage)
}

// withoutMembers returns an object without some members, or nil if none remain.
func withoutMembers(object jsontext.Value, names ...string) jsontext.Value {
	var out jsontext.Value
	for name, value := range jsonx.Members(object) {
		if !slices.Contains(names, name) {
			out = jsonx.MergeObjects(out, jsonx.Object(name, value))
		}
	}
	return out
}
