package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// ChunkForm is a form whose tables [ReportChunk] walks.
type ChunkForm interface {
	// IsAnswer reports whether the form shows the candidate with an index.
	IsAnswer(index int) bool
	// ReportCandidate reports what the form does not show of a candidate, except its parts.
	ReportCandidate(entries *report.Report, wire *geminiapi.Candidate, index int)
	// ReportCall reports what the form does not show of a part that is a call or a piece of a call.
	// Other parts are reported where they are converted.
	ReportCall(entries *report.Report, part *geminiapi.Part)
}

// ReportChunk reports what a form does not show of a chunk's candidates. detail is for candidates
// that are not the answer. entries is memory for the entries about one record. It is nil for a form
// that shows all of its answer.
func ReportChunk(s *normalize.Stream, chunk *geminiapi.GenerateContentResponse, form ChunkForm,
	detail string, entries *report.Report) {
	at := s.Location()
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		location := at.InCandidate(i)
		if !form.IsAnswer(index) {
			s.AddEntry(report.Lost, location, "", detail)
		} else if entries != nil {
			reportAnswer(s, &chunk.Candidates[i], index, location, form, entries)
		}
	}
}

func reportAnswer(s *normalize.Stream, candidate *geminiapi.Candidate, index int,
	at normalize.Location, form ChunkForm, entries *report.Report) {
	*entries = (*entries)[:0]
	form.ReportCandidate(entries, candidate, index)
	AddReport(s, at, *entries)
	if candidate.Content == nil {
		return
	}
	for i := range candidate.Content.Parts {
		if part := &candidate.Content.Parts[i]; part.FunctionCall != nil {
			*entries = (*entries)[:0]
			form.ReportCall(entries, merge.WithoutPieces(part))
			AddReport(s, at.InPart(i), *entries)
		}
	}
}

// ReportCandidate reports what a form does not show of a candidate and its content, by two tables.
func ReportCandidate(entries *report.Report, at string, wire *geminiapi.Candidate,
	members *CandidateTable, content *ContentTable, shows unshown.Shown) {
	members.Report(entries, at, wire, shows)
	if wire.Content != nil {
		content.Report(entries, at+"/content", wire.Content, unshown.Nothing)
	}
}

// ReportCall reports what a form does not show of a function call part, by two tables.
func ReportCall(entries *report.Report, part *geminiapi.Part, members *PartTable, call *CallTable) {
	members.Report(entries, "", part, unshown.Nothing)
	call.Report(entries, "/functionCall", part.FunctionCall, unshown.Nothing)
}
