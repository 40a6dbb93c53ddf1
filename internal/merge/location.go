package merge

import "strconv"

// Location is a position in a stream, which is seen as a list of its chunks: a chunk, and
// optionally a candidate of the chunk and a part of the candidate's content. All three are
// positions in the JSON and begin at 0. The position of a candidate may differ from its index
// member.
//
// The zero value is no location.
type Location struct{ chunk, candidate, part int32 } // each one more than the position, 0 for none

// InChunk returns the location of the chunk at a position of the stream.
func InChunk(position int) Location { return Location{chunk: int32(position) + 1} }

// InCandidate returns the location of the candidate at a position of the chunk.
func (l Location) InCandidate(position int) Location {
	return Location{chunk: l.chunk, candidate: int32(position) + 1}
}

// InPart returns the location of the part at a position of the candidate's content.
func (l Location) InPart(position int) Location {
	return Location{chunk: l.chunk, candidate: l.candidate, part: int32(position) + 1}
}

// IsZero reports whether l is no location.
func (l Location) IsZero() bool { return l == Location{} }

// Chunk returns the position of the chunk in the stream, or -1.
func (l Location) Chunk() int { return int(l.chunk) - 1 }

// Candidate returns the position of the candidate in the chunk, -1 for the chunk as a whole.
func (l Location) Candidate() int { return int(l.candidate) - 1 }

// Part returns the position of the part in the candidate's content, -1 for the candidate as a
// whole.
func (l Location) Part() int { return int(l.part) - 1 }

// Pointer returns the JSON pointer (RFC 6901) of a member of the value at the location, for example
// "/3/candidates/0/safetyRatings" for "/safetyRatings". The member "" is the whole value.
func (l Location) Pointer(member string) string {
	return string(append(l.appendPointer(nil), member...))
}

func (l Location) appendPointer(dst []byte) []byte {
	if l.chunk > 0 {
		dst = strconv.AppendInt(append(dst, '/'), int64(l.chunk)-1, 10)
	}
	if l.candidate > 0 {
		dst = strconv.AppendInt(append(dst, "/candidates/"...), int64(l.candidate)-1, 10)
	}
	if l.part > 0 {
		dst = strconv.AppendInt(append(dst, "/content/parts/"...), int64(l.part)-1, 10)
	}
	return dst
}

// run is one location in several chunks at equal distances. It saves memory: nearly every chunk has
// the same role, for example, or every second chunk has token counts.
type run struct {
	Location       // in the first of the chunks
	last     int32 // chunk, counted as in Location
	step     int32 // from one chunk to the next, 0 as long as there is one chunk
}

func newRun(at Location) run { return run{Location: at, last: at.chunk} }

// extend adds the locations of a later run. It returns false if the candidate, the part or the
// distance of the chunks differs.
func (r *run) extend(later run) bool {
	if later.candidate != r.candidate || later.part != r.part {
		return false
	}
	if later.last == r.last {
		return later.step == 0
	}
	gap := later.chunk - r.last
	if gap <= 0 || r.step != 0 && r.step != gap || later.step != 0 && later.step != gap {
		return false
	}
	r.last, r.step = later.last, gap
	return true
}

// size returns the number of locations.
func (r *run) size() int {
	if r.step == 0 {
		return 1
	}
	return int((r.last-r.chunk)/r.step) + 1
}

// at returns the location at a position of the run.
func (r *run) at(position int) Location {
	out := r.Location
	out.chunk += int32(position) * r.step
	return out
}

// Locations are the locations of one value. The value is usually in consecutive chunks, or in every
// second chunk. Such locations share memory. The zero value is empty.
type Locations struct {
	last   run
	before []run
}

// Add appends a location.
func (l *Locations) Add(at Location) {
	switch {
	case l.last.IsZero():
		l.last = newRun(at)
	case !l.last.extend(newRun(at)):
		l.before = append(l.before, l.last)
		l.last = newRun(at)
	}
}

// List returns the locations in the order of the chunks.
func (l *Locations) List() []Location {
	if l.last.IsZero() {
		return nil
	}
	var out []Location
	for _, r := range l.runs() {
		for i := range r.size() {
			out = append(out, r.at(i))
		}
	}
	return out
}

// runs returns the runs in the order of the chunks.
func (l *Locations) runs() []run { return append(l.before[:len(l.before):len(l.before)], l.last) }

// latest returns the location that was added last.
func (l *Locations) latest() Location {
	at := l.last.Location
	at.chunk = l.last.last
	return at
}
