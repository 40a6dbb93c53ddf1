package gemini

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Report returns what no chunk so far contains: lines that do not belong to an event stream, such
// as a damaged "data:" line, halves of surrogate pairs, members of an unusable type, and the
// findings of [StreamReader.CheckEnd]. Pointers are into the stream as a list of chunks. A line is
// reported at the chunk after it.
func (s *StreamReader) Report() report.Report {
	entries := s.currentEntries()
	return slices.Concat(s.scanner.Report(), entries.replaced, entries.ignored, entries.afterEnd)
}

// Lost returns the entries of [StreamReader.Report] that are losses. Use it to refuse losses chunk
// by chunk: it costs nothing while there are no losses.
func (s *StreamReader) Lost() report.Report {
	entries := s.currentEntries()
	return slices.Concat(s.scanner.Report(), entries.ignored, entries.afterEnd)
}

// Ignored returns the members of an unusable type that decoding has ignored so far, like
// [DecodeForgiving]. They are JSON pointers into the stream as a list of its chunks.
func (s *StreamReader) Ignored() []string {
	var out []string
	for _, entry := range s.currentEntries().ignored {
		out = append(out, entry.Pointer)
	}
	return out
}

// CheckEnd reads the rest of the body after the mark [DONE] or the error object, where
// [StreamReader.Next] stops, and reports each event in it. If an event is a piece of another
// answer, it returns a *[wire.StreamError] that wraps [wire.ErrSecondStream]. It also returns read
// errors. It does nothing if the stream ended in neither the mark nor an error object. It waits
// while the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	if !s.mayReadOn() {
		return nil
	}
	events := s.count
	if s.reported {
		events++ // the error also is an event
	}
	after, err := s.scanner.ReadAfterEnd("gemini", events, isAnswer)
	if len(after) > 0 {
		s.ensureEntries().afterEnd = append(s.ensureEntries().afterEnd, after...)
	}
	if _, isFound := errors.AsType[*wire.StreamError](err); err == nil || isFound {
		return err
	}
	return s.failure(err)
}

// isAnswer reports whether an event is a piece of an answer or of a refusal.
func isAnswer(event []byte) bool {
	chunk, err := DecodeResponse(event)
	return err == nil && (len(chunk.Candidates) > 0 || chunk.PromptFeedback != nil)
}

// mayReadOn reports whether an event ended the stream, not the end of the body.
func (s *StreamReader) mayReadOn() bool { return s.reported || s.err == io.EOF && s.scanner.Done }

// begins reports whether a chunk begins another stream. Before the end, only its id decides, see
// [eventstream.Start.IsOfAnother]. Token counts do not, because they fall in 50 of 610 recorded
// streams. Equality with the first chunk does not either, because models repeat themselves. After a
// finish reason a chunk begins another stream if it
//
//   - has the id of another answer, or equals the first chunk,
//   - has a lower token count than before, or, without an id, another prompt count: each chunk
//     counts all tokens so far,
//   - has prompt feedback, and so does an earlier chunk,
//   - has content of a candidate that had ended, without the answer's id and without increasing
//     counts, while the first chunk had no finish reason: of 1,477 recorded streams 25 have content
//     after a finish reason, and each of these has a reason in its first chunk,
//   - has content of such a candidate, or ends it again, and differs from the first chunk in
//     whether it has an id, a model or counts: it lacks one of them that the first chunk has, or
//     has an id or a model that the first chunk lacks.
//
// Content with the answer's id, or with increasing counts, continues the answer. Gemini ends each
// round of code execution but the first with STOP in the middle of a stream. The answer then needs
// another finish reason, as in all recorded streams with content after one.
//
// With 591 recorded streams each sent twice, 586 are found; of 591 pairs of streams 575 are found.
// In the others each chunk of the first stream has a finish reason and neither id nor counts, so a
// reader cannot see that the second one does not continue it. Or the second one is a refusal, which
// may be late.
func (s *StreamReader) begins(chunk *geminiapi.GenerateContentResponse) bool {
	id, event := jsonx.Deref(chunk.ResponseID), &s.scanner.Event
	if s.finished {
		return s.isOfAnother(chunk, id)
	}
	counts, has, says := tokensOf(chunk), membersOf(chunk), saysSomething(chunk)
	if says && s.start.IsOfAnother(id) {
		return true
	}
	if counts.total > 0 {
		s.counts = counts
	}
	s.hasFeedback = s.hasFeedback || chunk.PromptFeedback != nil
	ends, hasAnswer := isLast(chunk), len(chunk.Candidates) > 0 || chunk.PromptFeedback != nil
	if hasAnswer && !s.start.IsKnown() {
		s.endsAtOnce = ends
	}
	// Chunks that each have a finish reason and only one word may be equal.
	isUnique := id != "" && hasContent(chunk) || chunk.UsageMetadata != nil || !ends ||
		!s.start.IsKnown() && hasWords(chunk)
	if says {
		s.start.NoteContent(id, has)
	}
	s.start.Note(id, event, hasAnswer, isUnique, has)
	return false
}

// saysSomething reports whether a chunk has a part that is more than an empty text.
func saysSomething(chunk *geminiapi.GenerateContentResponse) bool {
	for part := range partsOf(chunk) {
		rest := *part
		if rest.Text = jsonx.NonEmpty(jsonx.Deref(rest.Text)); !rest.IsEmpty() {
			return true
		}
	}
	return false
}

// hasWords reports whether a chunk has a text of several words.
func hasWords(chunk *geminiapi.GenerateContentResponse) bool {
	for part := range partsOf(chunk) {
		if strings.ContainsAny(strings.TrimSpace(jsonx.Deref(part.Text)), " \n") {
			return true
		}
	}
	return false
}

func partsOf(chunk *geminiapi.GenerateContentResponse) iter.Seq[*geminiapi.Part] {
	return func(yield func(*geminiapi.Part) bool) {
		for i := range chunk.Candidates {
			content := chunk.Candidates[i].Content
			for j := 0; content != nil && j < len(content.Parts); j++ {
				if !yield(&content.Parts[j]) {
					return
				}
			}
		}
	}
}

// isOfAnother reports whether a chunk after a finish reason belongs to another answer.
func (s *StreamReader) isOfAnother(chunk *geminiapi.GenerateContentResponse, id string) bool {
	content, goesOn := hasContent(chunk), s.ended.goOn(chunk)
	switch {
	case chunk.PromptFeedback != nil && s.hasFeedback:
		return true
	case !content && !goesOn:
		return false
	case s.start.IsRepeated(id, &s.scanner.Event):
		return true
	}
	counts, isNamed := tokensOf(chunk), s.start.IsNamed(id)
	switch {
	case counts.startAgain(s.counts), !isNamed && counts.areOfAnotherPrompt(s.counts):
		return true
	case !goesOn:
		return false
	case s.start.IsOfAnotherServer(id, membersOf(chunk)):
		return true
	case !content || s.endsAtOnce:
		return false
	case isNamed || counts.total > 0 && s.counts.total > 0:
		s.counts = cmp.Or(counts, s.counts)
		return false
	default:
		return true
	}
}

// membersOf returns which optional members a chunk has. A server sends each of them in every chunk
// or in none.
func membersOf(chunk *geminiapi.GenerateContentResponse) (has eventstream.Members) {
	if jsonx.Deref(chunk.ResponseID) != "" {
		has |= eventstream.HasID
	}
	if jsonx.Deref(chunk.ModelVersion) != "" {
		has |= eventstream.HasModel
	}
	if chunk.UsageMetadata != nil {
		has |= eventstream.HasUsage
	}
	return has
}

// endedCandidates are the candidates with a finish reason, one bit for each index. Requests never
// ask for more candidates than it has bits.
type endedCandidates uint16

// add adds the candidates that end in a chunk.
func (e *endedCandidates) add(chunk *geminiapi.GenerateContentResponse) {
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		if hasEnd(&chunk.Candidates[i]) {
			*e |= 1 << index
		}
	}
}

// goOn reports whether a chunk has content of a candidate that has ended, or ends it again.
func (e endedCandidates) goOn(chunk *geminiapi.GenerateContentResponse) bool {
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		c := &chunk.Candidates[i]
		if e&(1<<index) != 0 && (hasEnd(c) || c.Content != nil && len(c.Content.Parts) > 0) {
			return true
		}
	}
	return false
}

// tokens are the token counts of a chunk; 0 means absent. They are small, for programs that keep
// many streams open.
type tokens struct{ prompt, total int32 }

func tokensOf(chunk *geminiapi.GenerateContentResponse) tokens {
	if chunk.UsageMetadata == nil {
		return tokens{}
	}
	return tokens{
		prompt: int32(jsonx.Deref(chunk.UsageMetadata.PromptTokenCount)),
		total:  int32(jsonx.Deref(chunk.UsageMetadata.TotalTokenCount)),
	}
}

// startAgain reports whether the counts are lower than earlier counts of the same answer.
func (t tokens) startAgain(earlier tokens) bool { return t.total > 0 && t.total < earlier.total }

// areOfAnotherPrompt reports whether the prompt count differs from the earlier one.
func (t tokens) areOfAnotherPrompt(earlier tokens) bool {
	return t.total > 0 && earlier.total > 0 && t.prompt != earlier.prompt
}

// hasContent reports whether a candidate in a chunk has a part.
func hasContent(chunk *geminiapi.GenerateContentResponse) bool {
	for i := range chunk.Candidates {
		if content := chunk.Candidates[i].Content; content != nil && len(content.Parts) > 0 {
			return true
		}
	}
	return false
}
