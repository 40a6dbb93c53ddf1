package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
)

// MergeChunks makes of the chunks of a stream the response that would have come in one piece. It
// shares memory with the chunks and changes none of them; nil chunks are passed over. It stops at a
// chunk that is an error envelope, with which [FromResponse] then answers.
//
// Candidates are matched by their index, see [Candidate], and ordered by it. Two in one chunk are
// never one candidate, whatever their indexes; one in a later chunk continues that of its index.
// Their parts follow each other; text that is nothing but text continues the text before it if both
// are answer or both are thoughts, so that a signed text stays the part that was signed; a function
// call whose arguments came in pieces becomes one whole call, and keeps willContinue only if the
// stream ended within it. Parts that say nothing are left out.
//
// What came once is kept. What came several times becomes one by these rules:
//
//   - responseId, modelVersion and createTime are those that came first;
//   - of the usage, the last record with counts has all counts, and everything else is kept;
//   - grounding chunks, supports, queries, citations and pages of several chunks are one list
//     without repetitions; log probabilities are continued;
//   - unknown members are those of all chunks;
//   - everything else is what came last, such as the finish reason and the safety ratings.
//
// The response normalises to what [Accumulate] makes of the events of a [Stream].
//
// The report says what of the chunks the response does not say, with JSON pointers into the list of
// the chunks, such as /3/candidates/0/safetyRatings: what another chunk replaced, parts without
// content, pieces of calls, supports whose sources have other positions. [Merge] also knows where
// the values of the response stood.
func MergeChunks(chunks ...*geminiapi.GenerateContentResponse) (*geminiapi.GenerateContentResponse,
	report.Report) {
	m := Merge(chunks...)
	return m.Response, m.Report
}

// Merge does what [MergeChunks] does, and keeps where in the chunks the values of the response
// stood, for the report of what is made of it:
//
//	merged := normalize.Merge(chunks...)
//	out, report, err := openai.FromGemini(merged.Response)
//	report = append(merged.Report, merged.InChunks(report)...)
func Merge(chunks ...*geminiapi.GenerateContentResponse) Merged {
	merged := merge.Chunks(gemini.IsError, chunks...)
	return Merged{Response: merged.Response, Report: merged.Report, merged: merged}
}

// Merged is the response that the chunks of a stream make together. It is made by [Merge], and
// knows in which chunk each value stood. It may be used by several goroutines at once.
type Merged struct {
	// Response is the response that would have come in one piece.
	Response *geminiapi.GenerateContentResponse
	// Report lists the values of the chunks that the response does not contain, with pointers into
	// the list of the chunks.
	Report report.Report

	merged merge.Merged
}

// InChunks returns a copy of a report about the response with pointers into the list of the chunks,
// such as /3/candidates/0/content/parts/0 for /candidates/0/content/parts/2. A part that was joined
// has the pointer of its first piece. A lost part has an entry for each piece. A value that several
// chunks repeat has the pointer of its last repetition, but an identity has that of its first.
//
// If no chunk contains the value itself, as with the arguments of a call that came in pieces, the
// pointer is that of the value that contains it. An added value has such a pointer only if it
// belongs to a part.
func (m Merged) InChunks(report report.Report) report.Report { return m.merged.InChunks(report) }
