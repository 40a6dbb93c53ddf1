package interactions

import (
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// finish ends the stream and sends what is known only then. failure is nil if the stream completed.
func (s *Stream) finish(failure *normalize.Error) {
	s.driver.Ended = true
	in, err := s.soFar.Response()
	blocked, _ := errors.AsType[*normalize.BlockedError](err)
	switch {
	case blocked != nil: // not if the stream broke off after the refusal
		s.complete(blocked.Response, blocked)
	case failure != nil:
		s.encoder.end()
		s.driver.Err = failure
	default:
		s.complete(in, nil)
	}
}

// complete ends the interaction.
func (s *Stream) complete(in *normalize.Response, blocked *normalize.BlockedError) {
	s.start()
	source := s.driver.Source
	candidate := s.answered(in)
	kept := s.keptInteraction(in)
	if kept == nil {
		kept = s.first
	}
	final, entries := s.identify(in.ID, in.Model, kept)
	who := s.sent(&final, &entries)
	s.encoder.responseID = in.ID
	done := s.encoder.conclude(in, candidate, blocked, &who, kept)
	if blocked != nil && hasReason(in.PromptFeedback) {
		source.AddEntry(report.Approximated, s.feedback, blockReason, detailRefusal)
	}
	answer.AddReport(source, s.endedAt, done.candidate)
	s.reportGrounding(done.grounding)
	s.feedbacks.Release(source, blocked != nil, reportWithoutExtension)
	if s.plain {
		reportResponse(&done.response,
			&geminiapi.GenerateContentResponse{UsageMetadata: in.Usage.Wire}, false)
	}
	for _, e := range append(done.response, entries...) {
		source.AddResponseEntry(e)
	}
	s.events.completed(done.interaction)
}

// sent returns the identity that the stream began with, completed by what arrived later. It adds
// entries about what differs.
func (s *Stream) sent(final *identity, entries *report.Report) identity {
	out := s.who
	if out.id == nil {
		out.id = final.id
	} else if jsonx.Deref(final.id) != *out.id && s.plain && !s.withoutID {
		entries.Add(report.Lost, "/responseId", detailFirstCounts)
	}
	if out.model == nil && out.agent == nil {
		out.model, out.agent = final.model, final.agent
	} else if jsonx.Deref(final.model) != jsonx.Deref(out.model) && s.plain {
		entries.Add(report.Lost, "/modelVersion", detailFirstCounts)
	}
	return out
}

// reportChunk reports what the interaction does not show of a chunk's own members.
func (s *Stream) reportChunk(c *geminiapi.GenerateContentResponse) {
	unshown := &s.encoder.unshown
	if s.plain {
		s.feedbacks.ReportChunk(s.driver.Source, c, reportWithoutExtension)
	} else {
		unshown = nil // the extension has everything
	}
	answer.ReportChunk(s.driver.Source, c, (*chunkForm)(s), detailOtherCandidate, unshown)
}

// reportWithoutExtension is reportResponse for a response that may have the extension.
func reportWithoutExtension(entries *report.Report, r *geminiapi.GenerateContentResponse,
	isRefusal bool) {
	if r.Unknown != nil {
		other := *r
		other.Unknown = withoutExtension(r.Unknown)
		r = &other
	}
	reportResponse(entries, r, isRefusal)
}

// reportGrounding adds entries about the sources at the chunks that have them. Of several chunks
// the positions in the joined metadata are other ones, so entries are about the whole record.
func (s *Stream) reportGrounding(entries report.Report) {
	if len(s.grounded) == 1 {
		answer.AddReport(s.driver.Source, s.grounded[0], entries)
		return
	}
	for _, kind := range []report.Kind{report.Approximated, report.Lost} {
		of := entries.Of(kind)
		if len(of) == 0 {
			continue
		}
		for _, at := range s.grounded {
			s.driver.Source.AddEntry(kind, at, "/groundingMetadata", of[0].Detail)
		}
	}
}

// chunkForm adapts a stream to [answer.ReportChunk].
type chunkForm Stream

func (f *chunkForm) IsAnswer(index int) bool { return index == f.candidate }

func (f *chunkForm) ReportCandidate(entries *report.Report, wire *geminiapi.Candidate, _ int) {
	f.encoder.reportCandidate(entries, "", wire)
}

func (f *chunkForm) ReportCall(entries *report.Report, part *geminiapi.Part) {
	if steps.Extension(part.Unknown) != nil {
		other := *part
		other.Unknown = steps.WithoutExtension(part.Unknown)
		part = &other
	}
	reportCall(entries, part)
}

const (
	detailFirstCounts = "the interaction has the value of the first chunk"
	detailRefusal     = "converted to the status failed and an error that names the reason"
)
