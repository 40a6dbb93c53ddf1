package openai

import (
	"errors"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// end tells all that is known only at the end of the stream. failure is nil at a proper one.
func (s *Stream) end(failure *normalize.Error) {
	s.ended = true
	in, err := s.soFar.Response()
	blocked, _ := errors.AsType[*normalize.BlockedError](err)
	switch {
	case blocked != nil && (failure == nil || failure.Category == normalize.CategoryContentFilter):
		s.refuse(blocked)
	case failure != nil:
		s.err = failure
		s.fail(in)
	default:
		s.finish(in)
	}
}

// finish ends all choices and the completion.
func (s *Stream) finish(in *normalize.Response) {
	c := s.whole(in)
	for at := range in.Candidates {
		candidate := &in.Candidates[at]
		s.lastDelta(&c, at)
		s.finishChoice(candidate.Index, c.finishReason(candidate, at), string(candidate.NativeFinishReason))
	}
	s.endResponse(&c)
	if s.source == nil {
		c.report = nil
		c.completion()
		s.reportWhole(&c)
	}
}

// refuse ends the stream of a refused prompt, which nearly always has no candidates. If it had any,
// their text is out, and the first of them tells the refusal.
func (s *Stream) refuse(blocked *normalize.BlockedError) {
	c := s.whole(blocked.Response)
	c.refused = true
	for at := range c.in.Candidates {
		s.lastDelta(&c, at)
	}
	if s.choices.Len() == 0 {
		s.choice(0)
		s.notes.refusedWithoutCandidates()
	}
	for i, choice := range s.choices.Values() {
		if i == 0 {
			s.next(choice, someOther).delta().Refusal = new(refusalText(blocked))
		}
		s.finishChoice(choice.index, openaiapi.FinishReasonContentFilter, string(blocked.Reason))
	}
	s.endResponse(&c)
	if s.source == nil {
		c.report = nil
		c.refusal(blocked, nil)
		s.reportWhole(&c)
	}
}

// fail ends the choices of those candidates that had ended before the stream failed.
func (s *Stream) fail(in *normalize.Response) {
	if in == nil {
		return
	}
	c := s.whole(in)
	for at := range in.Candidates {
		if candidate := &in.Candidates[at]; s.choice(candidate.Index).finished {
			s.lastDelta(&c, at)
			s.finishChoice(candidate.Index, c.finishReason(candidate, at), string(candidate.NativeFinishReason))
		}
	}
}

// lastDelta tells what the message of a candidate has besides what its deltas told: with an empty
// text, that there was one.
func (s *Stream) lastDelta(c *converter, at int) {
	candidate := &c.in.Candidates[at]
	var message openaiapi.ResponseMessage
	homes := c.content(&message, candidate, at)
	annotations := newAnnotations(candidate, at)
	s.notes.endCandidate(candidate, &annotations, homes, s.options)

	last := openaiapi.Delta{Annotations: annotations.out}
	if !s.plain {
		last.ExtraContent = c.messageExtension(candidate, homes, at)
	}
	choice := s.choice(candidate.Index)
	if message.Content != nil && !choice.text {
		last.Content = new("")
	}
	if message.ReasoningContent != nil && !choice.thinking {
		last.ReasoningContent = new("")
	}
	if choice.role != "" && last.IsEmpty() {
		return
	}
	delta := s.next(choice, someOther).delta()
	last.Role = delta.Role
	*delta = last
}

// finishChoice tells why a choice has ended.
func (s *Stream) finishChoice(index int, reason openaiapi.FinishReason, native string) {
	c := s.choice(index)
	c.reason, c.native = reason, native
	last := &s.next(c, someOther).choice[0]
	last.FinishReason = &c.reason
	if !s.plain && native != "" {
		last.NativeFinishReason = &c.native
	}
}

// endResponse tells the usage and what Gemini said of the whole response. What the converter has
// reported of the candidates was about the whole response; the notes have it about the chunks.
func (s *Stream) endResponse(c *converter) {
	c.report = nil
	c.responseID()
	c.modelName()
	c.createdAt()
	if s.includeUsage {
		last := s.add()
		last.Choices = []openaiapi.ChunkChoice{}
		last.Usage = c.usage()
	}
	extension := c.responseExtension()
	if n := len(s.out); n > 0 {
		s.out[n-1].ExtraContent = extension
	}
	s.notes.endResponse(c)
}

// reportWhole takes over the report of the response as a whole, in which the usage was told.
func (s *Stream) reportWhole(c *converter) {
	s.report = c.report
	if s.includeUsage {
		return
	}
	s.report = slices.DeleteFunc(s.report, func(e transform.Entry) bool { return isUsage(e.Pointer) })
	if s.plain && c.in.Usage.Wire != nil {
		s.report.Add(transform.Lost, usagePointer, detailNoUsage)
	}
}

// isUsage reports whether a pointer is that of the usage or of something in it.
func isUsage(pointer string) bool {
	return jsontext.Pointer(usagePointer).Contains(jsontext.Pointer(pointer))
}

const detailNoUsage = "the usage was not asked for"
