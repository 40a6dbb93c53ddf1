package messages

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// reportChunk reports what a message does not show of a chunk, by the tables for a whole answer. Texts and other blocks are
// reported where they are converted, and the identity and the usage at the end.
func (s *Stream) reportChunk(chunk *geminiapi.GenerateContentResponse) {
	s.feedbacks.ReportChunk(s.driver.Source, chunk, reportResponse)
	answer.ReportChunk(s.driver.Source, chunk, (*chunkForm)(s), detailOtherCandidate, &s.encoder.unshown)
}

// chunkForm is a stream as [answer.ReportChunk] sees it.
type chunkForm Stream

func (f *chunkForm) IsAnswer(index int) bool { return index == f.candidate }

func (f *chunkForm) ReportCandidate(entries *report.Report, wire *geminiapi.Candidate, _ int) {
	f.reportCandidate(entries, "", wire)
}

func (f *chunkForm) ReportCall(entries *report.Report, part *geminiapi.Part) {
	reportCall(entries, part)
}
