package responses

import (
	"errors"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	responseswire "github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// end ends the stream and sends what is known only then. failure is nil if the stream completed.
func (s *Stream) end(failure *normalize.Error) {
	s.driver.Ended = true
	if s.cited {
		s.encoder.answer.AddTo(&s.soFar, *s.choice)
	}
	in, err := s.soFar.Response()
	blocked, isBlocked := errors.AsType[*normalize.BlockedError](err)
	s.feedbacks.Release(s.driver.Source, isBlocked, reportResponse)
	switch {
	case blocked != nil: // not if the stream broke off after the refusal
		s.refuse(blocked)
	case failure != nil:
		s.driver.Err = failure
		s.fail(in, failureOf(failure))
	default:
		s.complete(in)
	}
}

// complete ends the answer of a stream that completed.
func (s *Stream) complete(in *normalize.Response) {
	candidate := s.candidate(in)
	last := jsonx.Deref(s.finish)
	f := finished{last.FinishReason, last.NativeFinishReason, last.FinishMessage, s.cutCall}
	end, entries := outcomeOf(&f, s.encoder.hasOutput())
	answer.AddReport(s.driver.Source, last.Source, entries)
	if s.encoder.finish(candidate, &end) {
		s.driver.Source.AddEntry(report.Approximated, s.sources, movedMember(candidate),
			detailMoved)
	}
	s.terminate(in, &end)
}

// refuse ends a stream whose prompt was refused. Output that was sent before the refusal stays.
func (s *Stream) refuse(blocked *normalize.BlockedError) {
	end := refused(blocked)
	if len(blocked.Response.Candidates) == 0 {
		s.driver.Source.AddEntry(report.Added, s.driver.Source.Location(), "/candidates",
			detailRefusal)
	} else if s.plain && s.finish != nil && s.finish.NativeFinishReason != "" {
		s.driver.Source.AddEntry(report.Lost, s.finish.Source, "/finishReason",
			answer.DetailRefused)
	}
	s.encoder.finish(nil, &end)
	s.terminate(blocked.Response, &end)
}

// fail ends a stream that failed. The open item ends without events, because codex adds an item
// that ends to its history, and would send the part again before it retries. The failed response
// has the item as incomplete. An error event reports the failure before the failed response does.
func (s *Stream) fail(in *normalize.Response, failure *openaiapi.ResponseError) {
	end := outcome{failed: failure}
	s.encoder.streams = false
	s.encoder.finish(nil, &end)
	s.encoder.streams = true
	*s.encoder.emit(openaiapi.ResponseEventTypeError) = responseswire.ErrorEvent(s.encoder.events-1,
		*failure)
	if in == nil {
		in = &normalize.Response{}
	}
	s.terminate(in, &end)
}

// candidate returns the candidate that is the answer, or nil.
func (s *Stream) candidate(in *normalize.Response) *normalize.Candidate {
	for i := range in.Candidates {
		if s.choice != nil && in.Candidates[i].Index == *s.choice {
			return &in.Candidates[i]
		}
	}
	return nil
}

// terminalTypes maps statuses of the response to terminal events.
var terminalTypes = map[openaiapi.ResponseStatus]openaiapi.ResponseEventType{
	openaiapi.ResponseStatusCompleted:  openaiapi.ResponseEventTypeCompleted,
	openaiapi.ResponseStatusIncomplete: openaiapi.ResponseEventTypeIncomplete,
	openaiapi.ResponseStatusFailed:     openaiapi.ResponseEventTypeFailed,
}

// terminate sends the whole response. It drops the converter's entries about candidates, because
// the report already has them by chunk.
func (s *Stream) terminate(in *normalize.Response, end *outcome) {
	c := s.whole(in)
	c.head()
	out := s.begun(&s.head)
	c.complete(out, &s.encoder, end)
	if s.plain {
		rest := jsonx.Deref(c.responseRest())
		reportResponse(&c.report, &geminiapi.GenerateContentResponse{
			ResponseID: rest.ResponseID, ModelVersion: rest.ModelVersion,
			UsageMetadata: in.Usage.Wire,
		}, false)
	}
	for _, e := range c.report {
		s.driver.Source.AddResponseEntry(e)
	}
	s.encoder.emit(terminalTypes[out.Status]).Response = out
}

// whole returns a converter for the whole response. It uses the id, model and time of the sent
// events as if options had set them, even if a later chunk of Gemini had others.
func (s *Stream) whole(in *normalize.Response) converter {
	o := s.options
	if in.ID != "" && o.idOf(in.ID) != s.head.id {
		o.id = s.head.id
	}
	if in.Model != "" && o.modelOf(in.Model) != s.head.model {
		o.model = s.head.model
	}
	if in.CreateTime != s.startTime {
		o.created = new(time.Unix(s.head.created, 0))
	}
	if candidate := s.candidate(in); candidate != nil {
		only := *in
		only.Candidates = []normalize.Candidate{*candidate}
		in = &only
	}
	return converter{options: &o, in: in}
}
