package aisdk

import (
	"errors"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// Report returns what is not in the parts, or in another form than in the stream, with JSON
// pointers into the stream as a list of its chunks, in the order of these: "/3/usageMetadata" is
// that of the fourth. It is complete when the stream has ended. It has the entries of
// [normalize.Stream.Report], about what a later chunk replaced, and those of the parts: ids of
// calls that came before and those of results that no call has, files by their address; other
// candidates are lost.
func (s *Stream) Report() report.Report { return s.driver.Report() }

// Lost returns the losses in what [Stream.Report] has so far, nil when there are none, which costs
// nothing.
func (s *Stream) Lost() report.Report { return s.driver.Lost() }

// addEntry adds an entry to the report, about a member of what the event at hand comes from.
func (s *Stream) addEntry(kind report.Kind, pointer, detail string) {
	s.driver.Source.AddEntry(kind, s.source, pointer, detail)
}

// reportMissing reports that the SDK needs a member that the wire does not have.
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

// chunkForm is a stream as [answer.ReportChunk] sees it: one candidate is streamed, with all that
// it has. So the form needs no tables. By hand are members that the SDK wants and Gemini has not
// sent (reportMissing), and a chunk that ended the stream (reportRefused).
type chunkForm struct{}

func (chunkForm) IsAnswer(index int) bool                                   { return index == streamedCandidate }
func (chunkForm) ReportCandidate(*report.Report, *geminiapi.Candidate, int) {}
func (chunkForm) ReportCall(*report.Report, *geminiapi.Part)                {}

// reportRefused reports what is lost of a chunk that ended the stream: all of one that cannot be
// understood, and of one that is an error all but that, which the parts tell.
func (s *Stream) reportRefused(chunk *geminiapi.GenerateContentResponse, err error) {
	at := s.driver.Source.Location()
	if _, ok := errors.AsType[*normalize.PartError](err); ok {
		s.driver.Source.AddEntry(report.Lost, at, "", "it cannot be understood to its end")
		return
	}
	var lost report.Report
	lost.AddUnshown("", chunk, func(path []string, _ string) bool { return path[0] == "error" },
		"the chunk is an error")
	s.driver.Source.AddReport(at, lost)
	if wire := jsonx.Member(chunk.Unknown, "error"); wire != nil {
		s.reportError(at, wire)
	}
}

// reportError reports what the error part does not tell of an error of the wire.
func (s *Stream) reportError(at normalize.Location, wire jsontext.Value) {
	const pointer = jsontext.Pointer("/error")
	written := map[string]string{}
	for name, value := range jsonx.Members(s.failure) {
		written[name] = sorted(value)
	}
	if wire.Kind() != jsontext.KindBeginObject {
		s.driver.Source.AddEntry(report.Lost, at, string(pointer),
			"the error is told in another form")
	}
	for name, value := range jsonx.Members(wire) {
		if written[name] != sorted(value) && !isLeafless(value) {
			s.driver.Source.AddEntry(report.Lost, at, string(pointer.AppendToken(name)),
				"the error does not tell it as it is")
		}
	}
}

// sorted returns a value with all members in the order of their names.
func sorted(value jsontext.Value) string {
	value = slices.Clone(value)
	if err := value.Format(jsontext.ReorderRawObjects(true), lenient); err != nil {
		return ""
	}
	return string(value)
}

// isLeafless reports whether there is no value in a value.
func isLeafless(v jsontext.Value) bool {
	return len(v) == 0 || v.Kind() == jsontext.KindNull || string(v) == "{}" || string(v) == "[]"
}
