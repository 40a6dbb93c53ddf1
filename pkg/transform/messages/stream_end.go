package messages

import (
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// finish ends the stream and sends what is known only then. failure is nil if the stream completed.
func (s *Stream) finish(failure *normalize.Error) {
	s.driver.Ended = true
	if s.answer.Len() > 0 {
		s.soFar.Add(normalize.Event{Type: normalize.EventTextDelta, Candidate: s.candidate,
			Text: s.answer.String()})
	}
	in, err := s.soFar.Response()
	blocked, _ := errors.AsType[*normalize.BlockedError](err)
	switch {
	case blocked != nil: // not if the stream broke off after the refusal
		s.finishMessage(blocked.Response, blocked)
	case failure != nil:
		s.driver.Err = failure
	default:
		s.finishMessage(in, nil)
	}
}

// finishMessage ends the message.
func (s *Stream) finishMessage(in *normalize.Response, blocked *normalize.BlockedError) {
	s.start(nil)
	end := s.endContent(in, blocked)
	usage := s.encoder.usage(&in.Usage)
	s.encoder.finish(&end, usage)
	s.feedbacks.Release(s.driver.Source, blocked != nil, reportResponse)
	var entries report.Report
	reportUsage(&entries, &in.Usage, &usage)
	s.reportWhole(in, entries)
}

// endContent ends the blocks and returns why the message ends.
func (s *Stream) endContent(in *normalize.Response, blocked *normalize.BlockedError) stop {
	enc := &s.encoder
	enc.endThinking()
	if s.end == nil {
		if blocked == nil { // no candidate ended, which package normalize reports as an error
			blocked = &normalize.BlockedError{}
		}
		s.driver.Source.AddEntry(report.Added, s.feedback, "/candidates", detailRefusal)
		enc.end()
		return refused(blocked)
	}
	if enc.needsText(s.end.reason, s.made) {
		s.driver.Source.AddEntry(report.Added, s.endedAt, "/content/parts", detailPadded)
		enc.addSpace()
	}
	s.endSearch(in)
	enc.end()
	if blocked != nil {
		if s.end.native != "" {
			s.driver.Source.AddEntry(report.Lost, s.endedAt, "/finishReason", answer.DetailRefused)
		}
		return refused(blocked)
	}
	end, report := s.stopOf(s.end, s.made)
	answer.AddReport(s.driver.Source, s.endedAt, report)
	return end
}

// endSearch sends the results of Google Search if the client knows its tool.
func (s *Stream) endSearch(in *normalize.Response) {
	if !s.webSearch {
		return
	}
	for i := range in.Candidates {
		c := &in.Candidates[i]
		if c.Index != s.candidate || c.Grounding == nil {
			continue
		}
		kind, detail := citationsFate(s.encoder.search(c.Grounding, s.answer.String()))
		for _, source := range s.cited {
			s.driver.Source.AddEntry(kind, source, "/groundingMetadata/groundingSupports", detail)
		}
	}
}

// reportWhole adds entries about the id, model and usage of the response, at the chunks that have
// them.
func (s *Stream) reportWhole(in *normalize.Response, entries report.Report) {
	ids, id := s.identify(in.ID)
	models, model := s.nameModel(in.Model)
	if _, sent := s.identify(s.id); sent != id && len(ids) == 0 {
		ids.Add(report.Lost, "/responseId", detailFirstCounts)
	}
	if _, sent := s.nameModel(s.model); sent != model && len(models) == 0 {
		models.Add(report.Lost, "/modelVersion", detailFirstCounts)
	}
	entries = append(append(entries, ids...), models...)
	reportResponse(&entries, &geminiapi.GenerateContentResponse{UsageMetadata: in.Usage.Wire},
		false)
	if in.CreateTime != "" {
		entries.Add(report.Approximated, "/createTime", detailDescribes)
	}
	for _, e := range entries {
		s.driver.Source.AddResponseEntry(e)
	}
}

const detailFirstCounts = "the message has the value of the first chunk"
