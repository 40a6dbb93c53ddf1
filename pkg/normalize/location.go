package normalize

import "github.com/gemwire/gemwire/internal/merge"

// Location is a position in a stream, which is seen as a list of its chunks. It says which chunk, and if that applies,
// which candidate of the chunk and which part of the candidate's content. All three are positions on the wire, counted
// from 0. The position of a candidate is not its index member.
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

// Part returns the position of the part in the candidate's content, -1 for the candidate as a whole.
func (l Location) Part() int { return l.at.Part() }

// Pointer returns the JSON pointer (RFC 6901) of a member of the value at the location. For example, it returns
// "/3/candidates/0/safetyRatings" for the member "/safetyRatings". The member "" is the whole value.
func (l Location) Pointer(member string) string { return l.at.Pointer(member) }
