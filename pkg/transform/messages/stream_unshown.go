package messages

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// reportChunk reports what a message does not show of a chunk, by the tables for a whole answer. Texts and other blocks are
// reported where they are converted, and the identity and the usage at the end.
func (s *Stream) reportChunk(chunk *geminiapi.GenerateContentResponse) {
	s.feedbacks.ReportChunk(s.driver.Source, chunk, reportResponse)
	at := s.driver.Source.Location()
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		in, candidate := at.InCandidate(i), &chunk.Candidates[i]
		if index != s.candidate {
			s.driver.Source.AddEntry(report.Lost, in, "", detailOtherCandidate)
			continue
		}
		s.encoder.unshown = s.encoder.unshown[:0]
		s.reportCandidate(&s.encoder.unshown, "", candidate)
		s.driver.Source.AddReport(in, s.encoder.unshown)
		if candidate.Content == nil {
			continue
		}
		for p := range candidate.Content.Parts {
			if part := &candidate.Content.Parts[p]; part.FunctionCall != nil {
				s.encoder.reportCall(normalize.WithoutPieces(part), answer.PartLocation{Source: in.InPart(p)})
			}
		}
	}
}
