package normalize

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/report"
)

// Report returns what of the chunks so far is not in the response that they make together, or in
// another form than in the chunk: what another chunk replaced, parts without content, pieces of
// calls, supports whose sources have other positions, and ids that were made. Its JSON pointers are
// those into the stream as a list of its chunks, such as /3/candidates/0/safetyRatings, and so is
// its order. After an error it may not be complete. Counts of tokens that later chunks count on
// from are not in it: the last ones have them in theirs. It is made when it is asked for, while the
// stream keeps what the chunks have in common once.
//
// A converter of the events adds what its own form loses, by [Stream.AddEntry].
func (s *Stream) Report() report.Report { return s.merged.Log.Report(merge.ForEvents) }

// Lost returns the losses in what [Stream.Report] has so far, nil when there are none. As long as
// there are none it costs nothing, so it can be asked whenever something is to be sent.
func (s *Stream) Lost() report.Report { return s.merged.Log.Lost(merge.ForEvents) }

// EventReport says the same of the events: as each of them stays, it has only what no event says.
func (s *Stream) EventReport() report.Report { return s.merged.Log.Report(merge.ForJoined) }

// EventLost returns the losses in what [Stream.EventReport] has so far, nil when there are none.
func (s *Stream) EventLost() report.Report { return s.merged.Log.Lost(merge.ForJoined) }

// AddEntry adds an entry to the report of [Stream.Report]: what the form that events are converted
// into does not have, or has in another form. The source is that of an event, and pointer that of a
// member in what stands there, "" for all of it. Where there is no source, nothing is added.
func (s *Stream) AddEntry(kind report.Kind, source Location, pointer, detail string) {
	if !source.IsZero() {
		s.merged.Log.Add(source.at, kind, pointer, detail, merge.ForJoined)
	}
}

// AddReport adds the entries of a report about what stands at the source of an event.
func (s *Stream) AddReport(source Location, report report.Report) {
	for _, e := range report {
		s.AddEntry(e.Kind, source, e.Pointer, e.Detail)
	}
}

// AddResponseEntry adds an entry about the identity or the usage of the response, such as
// /responseId or /usageMetadata/totalTokenCount, where the chunks say what the response has of it.
// What is lost is so in each of them; anything else is reported at one. What no chunk says was to
// be expected in the first chunk, and the usage in the last.
func (s *Stream) AddResponseEntry(e report.Entry) {
	at := s.merged.LocationsOf(e.Pointer)
	switch {
	case len(at) == 0 && strings.HasPrefix(e.Pointer, "/usageMetadata"):
		at = []merge.Location{s.Location().at}
	case len(at) == 0:
		at = []merge.Location{s.first}
	case e.Kind != report.Lost:
		at = at[:1]
	}
	for _, source := range at {
		s.AddEntry(e.Kind, Location{source}, e.Pointer, e.Detail)
	}
}

// Location returns the location of the chunk that was pushed last, none before the first.
func (s *Stream) Location() Location { return Location{merge.InChunk(s.at.Chunk())} }

// Sources returns the sources that the chunks so far list for a candidate, without repetitions. If
// the supports of a chunk count sources that the chunk does not list, they count these.
func (s *Stream) Sources(candidate int) []geminiapi.GroundingChunk {
	if c := s.candidates.Find(candidate); c != nil {
		return c.merged.Sources()
	}
	return nil
}

// Location is a position in a stream, which is seen as a list of its chunks. It says which chunk,
// and if that applies, which candidate of the chunk and which part of the candidate's content. All
// three are positions on the wire, counted from 0. The position of a candidate is not its index
// member.
//
// The zero value is no location. Locations are comparable.
type Location struct{ at merge.Location }

// InCandidate returns the location of the candidate at a position of the chunk.
func (l Location) InCandidate(position int) Location { return Location{l.at.InCandidate(position)} }

// InPart returns the location of the part at a position of the candidate's content.
func (l Location) InPart(position int) Location { return Location{l.at.InPart(position)} }

// IsZero reports whether l is no location.
func (l Location) IsZero() bool { return l.at.IsZero() }

// Chunk returns the position of the chunk in the stream, -1 if there is no chunk.
func (l Location) Chunk() int { return l.at.Chunk() }

// Candidate returns the position of the candidate in the chunk, -1 for the chunk as a whole.
func (l Location) Candidate() int { return l.at.Candidate() }

// Part returns the position of the part in the candidate's content, -1 for the candidate as a
// whole.
func (l Location) Part() int { return l.at.Part() }

// Pointer returns the JSON pointer (RFC 6901) of a member of the value at the location. For
// example, it returns "/3/candidates/0/safetyRatings" for the member "/safetyRatings". The member
// "" is the whole value.
func (l Location) Pointer(member string) string { return l.at.Pointer(member) }
