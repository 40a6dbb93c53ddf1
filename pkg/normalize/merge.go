package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
)

// MergeChunks merges the chunks of a stream into the response that would have come in one piece. It
// shares memory with the chunks and changes none of them. Nil chunks are skipped. A chunk that is
// an error envelope ends the merge; [FromResponse] then returns its error.
//
// Candidates with the same index are one candidate, and the result is ordered by index; see
// [Candidate]. Two candidates in one chunk are always different candidates. A later chunk continues
// the candidates of the earlier ones. Parts follow each other in order. Plain text continues the
// text before it if both belong to the answer, or both to the thoughts; a signed text stays a part
// of its own. A function call whose arguments came in pieces becomes one whole call. It keeps
// willContinue only if the stream ended within it. Empty parts are left out.
//
// A value that occurs once is kept. Values that occur several times become one by these rules:
//
//   - responseId, modelVersion and createTime: the first one;
//   - usage: the last record with counts has all counts, and everything else is kept;
//   - grounding chunks, supports, queries, citations and pages: one list without repetitions;
//   - log probabilities: one list;
//   - unknown members: the members of all chunks;
//   - everything else, such as the finish reason and the safety ratings: the last one.
//
// The normalised response equals what [Accumulate] returns for the events of a [Stream].
//
// The report lists the values of the chunks that the response does not have, with JSON pointers
// into the list of the chunks, such as /3/candidates/0/safetyRatings: values that another chunk
// replaced, parts without content, pieces of calls, supports whose sources have other positions.
// [Merge] also records where the values of the response came from.
func MergeChunks(chunks ...*geminiapi.GenerateContentResponse) (*geminiapi.GenerateContentResponse,
	report.Report) {
	m := Merge(chunks...)
	return m.Response, m.Report
}

// Merge does what [MergeChunks] does. It also records where in the chunks each value came from, so
// that a report about the response can point into the chunks:
//
//	merged := normalize.Merge(chunks...)
//	out, report, err := openai.FromGemini(merged.Response)
//	report = append(merged.Report, merged.InChunks(report)...)
func Merge(chunks ...*geminiapi.GenerateContentResponse) Merged {
	merged := merge.Chunks(gemini.IsError, chunks...)
	return Merged{Response: merged.Response, Report: merged.Report, merged: merged}
}

// Merged is the response that [Merge] produces. It knows which chunk each value came from. It is
// safe for concurrent use.
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
// chunks repeat has the pointer of its last repetition, but an identity has the pointer of its
// first.
//
// If no chunk contains the value itself, the pointer names the value that contains it. An example
// is the arguments of a call that came in pieces. An added value has such a pointer only if it
// belongs to a part.
func (m Merged) InChunks(report report.Report) report.Report { return m.merged.InChunks(report) }
