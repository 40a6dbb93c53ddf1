package aisdk

import (
	"errors"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json/jsontext"
)

// Report returns what the parts do not have, or have in another form. Its JSON pointers refer to
// the stream as a list of chunks, in their order; "/3/usageMetadata" is in the fourth chunk. It is
// complete when the stream has ended.
//
// It has the entries of [normalize.Stream.Report], about values that a later chunk replaced. It
// also has entries about the parts: repeated call ids, result ids without a call, and files with an
// address. Other candidates are lost.
func (s *Stream) Report() report.Report { return s.driver.Report() }

// Lost returns the losses in [Stream.Report] so far, or nil. It costs nothing while nothing is
// lost.
func (s *Stream) Lost() report.Report { return s.driver.Lost() }

// addEntry adds an entry about a member of the current event's source.
func (s *Stream) addEntry(kind report.Kind, pointer, detail string) {
	s.driver.Source.AddEntry(kind, s.source, pointer, detail)
}

// reportMissing reports a member that the SDK requires and the wire does not have.
func (s *Stream) reportMissing(member, pointer, detail string) {
	if member == "" {
		s.addEntry(report.Added, pointer, detail)
	}
}

const (
	detailNoID        = "the call has no id"
	detailNoMediaType = "the file has no media type"
)

const detailOtherCandidate = "only the first candidate is streamed"

// chunkForm adapts a stream to [answer.ReportChunk]. One candidate is streamed completely, so the
// form needs no tables. Code handles members that the SDK requires and Gemini has not sent
// (reportMissing), and a chunk that ended the stream (reportRefused).
type chunkForm struct{}

func (chunkForm) IsAnswer(index int) bool                                   { return index == streamedCandidate }
func (chunkForm) ReportCandidate(*report.Report, *geminiapi.Candidate, int) {}
func (chunkForm) ReportCall(*report.Report, *geminiapi.Part)                {}

// reportRefused reports what is lost of a chunk that ended the stream. A chunk that cannot be
// understood is lost completely. Of an error chunk, everything but the error is lost.
func (s *Stream) reportRefused(chunk *geminiapi.GenerateContentResponse, err error) {
	at := s.driver.Source.Location()
	if _, ok := errors.AsType[*normalize.PartError](err); ok {
		s.driver.Source.AddEntry(report.Lost, at, "", "the chunk cannot be read to its end")
		return
	}
	var lost report.Report
	unshown.Add(&lost, "", chunk, func(path []string, _ string) bool { return path[0] == "error" },
		"the chunk is an error")
	answer.AddReport(s.driver.Source, at, lost)
	if wire := jsonx.Member(chunk.Unknown, "error"); wire != nil {
		s.reportError(at, wire)
	}
}

// reportError reports what the error part does not show of a wire error.
func (s *Stream) reportError(at normalize.Location, wire jsontext.Value) {
	const pointer = jsontext.Pointer("/error")
	written := map[string]string{}
	for name, value := range jsonx.Members(s.failure) {
		written[name] = sorted(value)
	}
	if wire.Kind() != jsontext.KindBeginObject {
		s.driver.Source.AddEntry(report.Lost, at, string(pointer),
			"the error is reported in another form")
	}
	for name, value := range jsonx.Members(wire) {
		if written[name] != sorted(value) && !isLeafless(value) {
			s.driver.Source.AddEntry(report.Lost, at, string(pointer.AppendToken(name)),
				"missing or changed in the reported error")
		}
	}
}

// sorted returns a value with its members sorted by name.
func sorted(value jsontext.Value) string {
	value = slices.Clone(value)
	if err := value.Format(jsontext.ReorderRawObjects(true), lenient); err != nil {
		return ""
	}
	return string(value)
}

// isLeafless reports whether a value contains no scalar.
func isLeafless(v jsontext.Value) bool {
	return len(v) == 0 || v.Kind() == jsontext.KindNull || string(v) == "{}" || string(v) == "[]"
}
