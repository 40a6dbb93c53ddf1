package merge

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// Merged is the response that the chunks of a stream form together. It knows the chunks of each
// value. It is safe for concurrent use.
type Merged struct {
	// Response is the joined response.
	Response *geminiapi.GenerateContentResponse
	// Report lists everything in the chunks that the response does not contain, with pointers into
	// the list of the chunks.
	Report report.Report

	merger *merger
}

// partSource has the locations of the pieces of a part. If the part is a call in pieces, it also
// has the call.
type partSource struct {
	Locations
	call *Call
}

// InChunks returns a copy of a report about the response with pointers into the list of the chunks,
// such as /3/candidates/0/content/parts/0 for /candidates/0/content/parts/2. A part that was joined
// has the location of its first piece. A lost part has an entry for each piece. A value that
// several chunks repeat has the location of the last of them, and an identity the location of the
// first. If no chunk has the exact value, for example the arguments of a call that came in pieces,
// the pointer is the pointer of the value around it.
//
// Of what was added, only what belongs to a part has such a pointer: the rest stands in no chunk.
func (m Merged) InChunks(entries report.Report) report.Report {
	var out report.Report
	for _, e := range entries {
		sources, member := m.sources(e.Pointer)
		switch {
		case len(sources) == 0, e.Kind == report.Added && sources[0].part == 0:
			out = append(out, e)
			continue
		case e.Kind != report.Lost:
			sources = sources[:1]
		}
		for _, at := range sources {
			out.Add(e.Kind, at.Pointer(member), e.Detail)
		}
	}
	return out
}

// sources returns the locations of a value of the response, and the pointer of the value from
// there.
func (m Merged) sources(pointer string) ([]Location, string) {
	rest, ok := strings.CutPrefix(pointer, "/candidates/")
	if !ok {
		return m.merger.sources(pointer)
	}
	position, member := cutPosition(rest)
	for i, c := range m.merger.candidates.Values() {
		if i == position {
			return c.sources(member)
		}
	}
	return nil, pointer
}

// cutPosition cuts the position at the beginning of a text off, and returns it with the pointer
// after it. The position is -1 if the text has none.
func cutPosition(text string) (position int, pointer string) {
	end := strings.IndexByte(text, '/')
	if end < 0 {
		end = len(text)
	}
	position, err := strconv.Atoi(text[:end])
	if err != nil {
		return -1, text
	}
	return position, text[end:]
}

func (r *Response) sources(pointer string) ([]Location, string) {
	all := r.LocationsOf(pointer)
	switch {
	case len(all) == 0:
		return r.provenance.source(pointer), pointer
	case strings.HasPrefix(pointer, memberUsage):
		return all[len(all)-1:], pointer
	default:
		return all[:1], pointer
	}
}

// sources uses the candidate as a whole if the exact location is unknown.
func (c *candidateMerger) sources(pointer string) ([]Location, string) {
	if rest, ok := strings.CutPrefix(pointer, "/content/parts/"); ok {
		if position, member := cutPosition(rest); position >= 0 && position < len(c.partSources) {
			return c.partSources[position].sources(member)
		}
	}
	if len(c.partSources) > 0 && (pointer == "/content" || pointer == "/content/parts") {
		at := c.partSources[0].last.Location
		if before := c.partSources[0].before; len(before) > 0 {
			at = before[0].Location
		}
		at.part = 0
		return []Location{at}, pointer
	}
	if at := c.provenance.source(pointer); at != nil {
		return at, pointer
	}
	if c.lists != nil {
		if at, member := c.lists.origins.sources(pointer); at != nil {
			return at, member
		}
	}
	return c.locations.List(), ""
}

// sources takes into account that no piece of a call has all of its arguments.
func (s *partSource) sources(pointer string) ([]Location, string) {
	if s.call == nil || pointer == "" || pointer == "/functionCall" {
		return s.List(), pointer
	}
	if at := s.call.provenance.source(pointer); at != nil {
		return at, pointer
	}
	for _, made := range []string{"/functionCall/args", "/functionCall/partialArgs",
		"/functionCall/willContinue"} {
		if strings.HasPrefix(pointer, made) {
			return s.List(), "/functionCall"
		}
	}
	return s.List()[:1], pointer
}
