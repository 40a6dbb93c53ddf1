package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// loseChunk reports the candidates of a chunk that are not the answer. For a response without
// extensions it also reports what that does not show of the chunk, by the rules for a whole answer.
// Texts and other parts are reported where they are converted; id, model and usage at the end.
func (s *Stream) loseChunk(chunk *geminiapi.GenerateContentResponse) {
	if !s.plain {
		answer.ReportChunk(s.driver.Source, chunk, (*chunkForm)(s), detailOtherCandidate, nil)
		return
	}
	answer.ReportChunk(s.driver.Source, chunk, (*chunkForm)(s), detailOtherCandidate, &s.unshown)
	s.feedbacks.ReportChunk(s.driver.Source, chunk, reportResponse)
}

// chunkForm adapts a stream to [answer.ReportChunk].
type chunkForm Stream

func (f *chunkForm) IsAnswer(index int) bool { return (*Stream)(f).isAnswer(index) }

func (f *chunkForm) ReportCandidate(entries *report.Report, wire *geminiapi.Candidate, _ int) {
	reportCandidate(entries, "", wire)
}

func (f *chunkForm) ReportCall(entries *report.Report, part *geminiapi.Part) {
	answer.ReportCall(entries, part, callPartMembers, callMembers)
}
