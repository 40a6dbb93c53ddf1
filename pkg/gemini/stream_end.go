package gemini

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// ErrSecondStream is wrapped by the error of a [StreamReader] that met another answer behind the end of the
// first: two bodies that were put one behind the other. It is the same value for every wire.
var ErrSecondStream = eventstream.ErrSecondStream

// Report returns what of the body is in no chunk so far: lines that are none of an event stream, such as one
// whose "data:" is damaged, halves of surrogate pairs, members of a type that makes no sense, and what
// [StreamReader.CheckEnd] has found. The pointers are those into the stream as a list of its chunks: a line is
// reported at the chunk behind it.
func (s *StreamReader) Report() transform.Report {
	return slices.Concat(s.scanner.Report(), s.replaced, s.ignored, s.behindEnd)
}

// Lost returns the entries of [StreamReader.Report] that are losses, for who refuses them chunk by chunk: it
// costs nothing as long as there are none.
func (s *StreamReader) Lost() transform.Report {
	return slices.Concat(s.scanner.Report(), s.ignored, s.behindEnd)
}

// Ignored returns the members of a type that makes no sense which decoding the chunks so far has passed over, as
// [DecodeForgiving] does: as JSON pointers into the stream as a list of its chunks.
func (s *StreamReader) Ignored() []string {
	var out []string
	for _, entry := range s.ignored {
		out = append(out, entry.Pointer)
	}
	return out
}

// CheckEnd reads on behind the mark [DONE] or the error object, where [StreamReader.Next] stops, to the end of the
// body, and has the report name each event there. It fails with a *[StreamError] that wraps [ErrSecondStream] at one
// that is a piece of another answer, or with what reading failed with. For a stream that ended in neither the mark nor
// an error object it does nothing. It waits as long as the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	if !s.mayReadOn() {
		return nil
	}
	behind := s.count
	if s.reported {
		behind++ // the error is an event too
	}
	for ; ; behind++ {
		wasDone := s.scanner.Done
		err := s.scanner.Next()
		_, isText := errors.AsType[*eventstream.TextError](err)
		switch {
		case isText, err == io.EOF && s.scanner.Event.Size == 0:
			s.scanner.Release()
			return nil
		case err == io.EOF: // a mark, such as that of a proxy behind that of the server
			if !wasDone { // behind an error, where it has no place of its own
				behind--
			}
			continue
		case err == eventstream.ErrCut:
			s.addBehindEnd(behind)
			s.scanner.Release()
			return nil
		case err != nil:
			return s.failure(err)
		}
		chunk, err := DecodeResponse(s.scanner.Event.Bytes())
		if err == nil && len(chunk.Candidates) > 0 {
			return s.scanner.Failure("gemini", behind, ErrSecondStream)
		}
		s.addBehindEnd(behind)
	}
}

// addBehindEnd reports an event by its position.
func (s *StreamReader) addBehindEnd(position int) {
	s.behindEnd.Add(transform.Lost, "/"+strconv.Itoa(position), "it came behind the end of the stream")
}

// mayReadOn reports whether the stream was ended by an event, not by the end of the body.
func (s *StreamReader) mayReadOn() bool { return s.reported || s.err == io.EOF && s.scanner.Done }

// begins reports whether a chunk begins another stream. That content follows a finish reason is no mark of
// one: servers have been seen to send the reason with the first chunk. Counts that fall behind it, or are of
// another prompt, are one: each chunk counts all tokens so far.
func (s *StreamReader) begins(chunk *geminiapi.GenerateContentResponse) bool {
	id, event := optional.Value(chunk.ResponseID), &s.scanner.Event
	counts := tokensOf(chunk)
	if s.finished {
		return hasContent(chunk) && (s.start.IsRepeated(id, event) || counts.areOfAnother(s.counts))
	}
	if counts.total > 0 {
		s.counts = counts
	}
	// Chunks that each have a finish reason and nothing but a word may be equal.
	isUnique := id != "" || chunk.UsageMetadata != nil || !isLast(chunk)
	s.start.Note(id, event, hasContent(chunk), isUnique)
	return false
}

// tokens are the tokens that a chunk counts, 0 where it does not say. They are kept short, for programs that
// have many streams open.
type tokens struct{ prompt, total int32 }

func tokensOf(chunk *geminiapi.GenerateContentResponse) tokens {
	if chunk.UsageMetadata == nil {
		return tokens{}
	}
	return tokens{
		prompt: int32(optional.Value(chunk.UsageMetadata.PromptTokenCount)),
		total:  int32(optional.Value(chunk.UsageMetadata.TotalTokenCount)),
	}
}

// areOfAnother reports whether the tokens are those of another answer than the one that earlier tokens are of.
func (t tokens) areOfAnother(earlier tokens) bool {
	if t.total == 0 || earlier.total == 0 {
		return false
	}
	return t.total < earlier.total || t.prompt != earlier.prompt
}

// hasContent reports whether a chunk has a part of a candidate.
func hasContent(chunk *geminiapi.GenerateContentResponse) bool {
	for i := range chunk.Candidates {
		if content := chunk.Candidates[i].Content; content != nil && len(content.Parts) > 0 {
			return true
		}
	}
	return false
}
