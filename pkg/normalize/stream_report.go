package normalize

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/report"
)

// Report lists the values of the chunks so far that the joined response lacks or shows in another
// form: values that another chunk replaced, parts without content, pieces of calls, supports whose
// sources have other positions, and made ids. Its JSON pointers lead into the stream as a list of
// its chunks, such as /3/candidates/0/safetyRatings, and its entries are in that order. After an
// error it may be incomplete. Token counts that later chunks continue are not listed, because the
// last ones include them. The report is built on request; the stream stores what chunks have in
// common only once.
//
// A converter of the events adds the losses of its own form with [Stream.AddEntry].
func (s *Stream) Report() report.Report { return s.merged.Log.Report(merge.ForEvents) }

// Lost returns the losses of [Stream.Report] so far, nil if nothing is lost. Without losses it
// costs nothing, so it can be called before each write.
func (s *Stream) Lost() report.Report { return s.merged.Log.Lost(merge.ForEvents) }

// EventReport is like Report for callers that keep each event: it lists only what no event shows.
func (s *Stream) EventReport() report.Report { return s.merged.Log.Report(merge.ForJoined) }

// EventLost returns the losses of [Stream.EventReport] so far, nil if nothing is lost.
func (s *Stream) EventLost() report.Report { return s.merged.Log.Lost(merge.ForJoined) }

// AddEntry adds an entry to [Stream.Report]: a value that the target form of a conversion lacks or
// shows in another form. source is the Source of an event. pointer names a member of the value
// there, "" for the whole value. Without a source, AddEntry does nothing.
func (s *Stream) AddEntry(kind report.Kind, source Location, pointer, detail string) {
	if !source.IsZero() {
		s.merged.Log.Add(source.at, kind, pointer, detail, merge.ForJoined)
	}
}

// AddResponseEntry adds an entry about the identity or usage of the response, such as /responseId
// or /usageMetadata/totalTokenCount. The entry points to the chunks that hold the value: a loss is
// reported in each of them, anything else in one. If no chunk holds the value, the entry points to
// the first chunk, or for usage to the last one.
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

// Location returns the location of the chunk that was pushed last, or no location before the first.
func (s *Stream) Location() Location { return Location{merge.InChunk(s.at.Chunk())} }

// Sources returns the sources that the chunks so far list for a candidate, without repetitions. The
// supports of a chunk that lists no sources refer to these.
func (s *Stream) Sources(candidate int) []geminiapi.GroundingChunk {
	if c := s.candidates.Find(candidate); c != nil {
		return c.merged.Sources()
	}
	return nil
}

// Location is a position in a stream, which counts as a list of its chunks. It names a chunk and,
// where it applies, a candidate of the chunk and a part of the candidate's content. All three are
// positions on the wire, counted from 0. The position of a candidate is not its index member.
//
// The zero value is no location. Locations are comparable.
type Location struct{ at merge.Location }

// InCandidate returns the location of the candidate at a position of the chunk.
func (l Location) InCandidate(position int) Location { return Location{l.at.InCandidate(position)} }

// InPart returns the location of the part at a position of the candidate's content.
func (l Location) InPart(position int) Location { return Location{l.at.InPart(position)} }

// IsZero reports whether l is the zero Location, which names no place in a stream.
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
