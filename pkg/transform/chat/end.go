package chat

import (
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// end ends the stream and sends what is known only then. failure is nil if the stream completed.
func (s *Stream) end(failure *normalize.Error) {
	s.driver.Ended = true
	s.addCitedTexts()
	in, err := s.soFar.Response()
	blocked, _ := errors.AsType[*normalize.BlockedError](err)
	switch {
	case blocked != nil: // not if the stream broke off after the refusal
		s.finish(blocked.Response)
	case failure != nil:
		s.driver.Err = failure
		s.fail(in)
	default:
		s.finish(in)
	}
}

// addCitedTexts adds the texts of answers that may have spans to locate.
func (s *Stream) addCitedTexts() {
	for _, c := range s.choices.Values() {
		if c.cited {
			c.turn.answer.AddTo(&s.soFar, c.index)
		}
	}
}

// finish ends all choices and the completion.
func (s *Stream) finish(in *normalize.Response) {
	c := s.whole(in)
	c.blocked = in.Blocked()
	for at := range in.Candidates {
		s.endChoice(&c, at)
	}
	s.feedbacks.Release(s.driver.Source, c.blocked != nil, reportResponse)
	if c.blocked != nil && len(in.Candidates) == 0 {
		s.refuse(c.blocked)
	}
	s.endResponse(&c)
}

// endChoice ends the choice of a finished candidate.
func (s *Stream) endChoice(c *converter, at int) {
	candidate := &c.in.Candidates[at]
	s.lastDelta(c, at)
	choice := s.choice(candidate.Index)
	candidate.FinishReason = choice.finish // the response does not know the calls
	if c.blocked != nil && at == 0 {
		s.next(choice, someOther).delta().Refusal = new(openaianswer.RefusalText(c.blocked))
	}
	c.report = nil
	reason := c.finishReason(candidate,
		answer.Calls{Some: choice.calls > 0, Cut: choice.turn.cutCall}, at)
	for _, e := range c.report {
		s.driver.Source.AddEntry(e.Kind, choice.end, "/finishReason", e.Detail)
	}
	s.finishChoice(choice, reason, c.nativeReason(candidate))
}

// refuse adds the choice that says that the prompt was refused, if the response has no candidates.
func (s *Stream) refuse(blocked *normalize.BlockedError) {
	choice := s.choice(0)
	s.driver.Source.AddEntry(report.Added, s.feedback, "/candidates", detailRefusal)
	s.next(choice, someOther).delta().Refusal = new(openaianswer.RefusalText(blocked))
	s.finishChoice(choice, openaiapi.FinishReasonContentFilter, string(blocked.Reason))
}

// fail ends the choices of the candidates that had finished before the stream failed.
func (s *Stream) fail(in *normalize.Response) {
	if in == nil {
		return
	}
	c := s.whole(in)
	for at := range in.Candidates {
		if !s.choice(in.Candidates[at].Index).end.IsZero() {
			s.endChoice(&c, at)
		}
	}
}

// lastDelta sends what no earlier delta had: annotations, the extension, the last bytes of a sound,
// and "" for an empty text.
func (s *Stream) lastDelta(c *converter, at int) {
	candidate := &c.in.Candidates[at]
	annotations := newAnnotations(candidate, at)
	choice := s.choice(candidate.Index)
	s.reportMoved(choice, &annotations)

	last := openaiapi.Delta{Annotations: annotations.out}
	if !s.plain {
		last.ExtraContent = c.messageExtension(candidate,
			choice.turn.preserved(choice.heard.audioType()))
	}
	if rest := choice.cutter.Rest(); rest != "" {
		last.Audio = &openaiapi.MessageAudio{Data: &rest}
	}
	if choice.turn.texts && !choice.text {
		last.Content = new("")
	}
	if choice.turn.thoughts && !choice.thinking {
		last.ReasoningContent = new("")
	}
	if choice.role != "" && last.IsEmpty() {
		return
	}
	delta := s.next(choice, someOther).delta()
	last.Role = delta.Role
	*delta = last
}

// finishChoice sends the finish reason of a choice.
func (s *Stream) finishChoice(c *streamChoice, reason openaiapi.FinishReason, native string) {
	c.reason, c.native = reason, native
	last := &s.next(c, someOther).choice[0]
	last.FinishReason = &c.reason
	if !s.plain && native != "" {
		last.NativeFinishReason = &c.native
	}
}

// endResponse sends the usage and what Gemini sent about the response as a whole. It drops the
// converter's entries about candidates, because the report already has them by chunk.
func (s *Stream) endResponse(c *converter) {
	c.report = nil
	c.responseID()
	c.modelName()
	c.reportTime()
	if s.plain {
		rest := jsonx.Deref(c.responseRest())
		reportResponse(&c.report,
			&geminiapi.GenerateContentResponse{ResponseID: rest.ResponseID,
				ModelVersion: rest.ModelVersion}, c.blocked != nil)
	}
	s.endUsage(c)
	if n := len(s.out); n > 0 && !s.plain {
		s.out[n-1].ExtraContent = c.responseExtension()
	}
	for _, e := range c.report {
		s.driver.Source.AddResponseEntry(e)
	}
}

// endUsage sends the usage if the options ask for it. The extension has its details.
func (s *Stream) endUsage(c *converter) {
	switch {
	case s.includeUsage:
		last := s.add()
		last.Choices = []openaiapi.ChunkChoice{}
		last.Usage = c.usage()
		if s.plain {
			reportResponse(&c.report,
				&geminiapi.GenerateContentResponse{UsageMetadata: c.in.Usage.Wire},
				c.blocked != nil)
		}
	case s.plain && c.in.Usage.Wire != nil:
		c.report.Add(report.Lost, answer.UsagePointer, detailNoUsage)
	}
}

const detailNoUsage = "the usage was not requested"
