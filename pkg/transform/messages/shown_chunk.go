package messages

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// chunkForm adapts a stream to [answer.ReportChunk].
type chunkForm Stream

func (f *chunkForm) IsAnswer(index int) bool { return index == f.candidate }

func (f *chunkForm) ReportCandidate(entries *report.Report, wire *geminiapi.Candidate, _ int) {
	f.reportCandidate(entries, "", wire)
}

func (f *chunkForm) ReportCall(entries *report.Report, part *geminiapi.Part) {
	reportCall(entries, part)
}
