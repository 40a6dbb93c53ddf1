package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// loseChunk reports the candidates of a chunk that are not the answer, and of a response without extensions what it does
// not show of the chunk, by the rules for a whole answer. Texts and other parts are reported where they are converted,
// and the identity and the usage at the end.
func (s *Stream) loseChunk(chunk *geminiapi.GenerateContentResponse) {
	at := s.driver.Source.Location()
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		if s.choice == nil {
			s.choice = new(index)
			s.encoder.index = index
		}
		switch candidate := &chunk.Candidates[i]; {
		case index != *s.choice:
			s.driver.Source.AddEntry(report.Lost, at.InCandidate(i), "", detailOtherCandidate)
		case s.plain:
			s.loseCandidate(at.InCandidate(i), candidate)
		}
	}
	if s.plain {
		s.feedbacks.ReportChunk(s.driver.Source, chunk, reportResponse)
	}
}

func (s *Stream) loseCandidate(at normalize.Location, wire *geminiapi.Candidate) {
	var lost report.Report
	reportCandidate(&lost, "", wire)
	s.driver.Source.AddReport(at, lost)
	if wire.Content == nil {
		return
	}
	for i := range wire.Content.Parts {
		if part := &wire.Content.Parts[i]; part.FunctionCall != nil {
			s.loseCall(at.InPart(i), merge.WithoutPieces(part))
		}
	}
}

// loseCall reports what of a function call, or of a piece of one, no item shows.
func (s *Stream) loseCall(at normalize.Location, part *geminiapi.Part) {
	var lost report.Report
	callPartMembers.Report(&lost, "", part, report.Nothing)
	callMembers.Report(&lost, "/functionCall", part.FunctionCall, report.Nothing)
	s.driver.Source.AddReport(at, lost)
}
