package gemini

import (
	"bytes"
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// DefaultMaxEventSize is the default limit of a [StreamReader] on the bytes of one event: 64 MiB.
// Events with a generated image are known to take 20 MB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamGenerateContent answer, one chunk at a time.
// [NewStreamReader] makes a reader.
//
// The first bytes select the form of the body:
//
//   - server-sent events (alt=sse), by the rules of the WHATWG: lines end with LF, CRLF or CR; a
//     byte order mark, comments and other fields are skipped; several data lines make one event
//   - a JSON array, which the API writes element by element without alt=sse
//   - JSON objects one after the other, each on one line or on many
//   - an HTML page or a text, which is an error
//
// The reader is more lenient than the standard. An object or a list of objects at the start of a
// line, indented or not, needs no "data:": the API reports errors in a stream this way. Two data
// lines with one object each are two events. "data: [DONE]" ends the stream. A last event without a
// blank line after it is delivered if it decodes.
//
// An event stream may have lines that the reader does not understand; [StreamReader.Report] lists
// them. In a body that began with JSON, input that is neither JSON nor a line of an event stream
// nor the mark [DONE] is a damaged chunk. It ends the stream.
//
// The reader delivers a chunk after its last byte: at the first byte of the blank line after an
// event, or at the closing brace of a JSON object. The boundaries of reads make no difference.
// Lines have no limit; events have one, see [WithMaxEventSize].
//
// A reader holds about 5 KB and the current event. It starts no goroutine. After a chunk is
// delivered, it keeps only a few short strings, which the next chunks repeat. It is not safe for
// use by several goroutines. It reads from r but does not close it. The caller must close r when
// the stream ends and also after leaving it early.
type StreamReader struct {
	scanner eventstream.Scanner
	recent  plainjson.Recent // strings in earlier chunks
	count   int              // the number of delivered chunks
	offset  int64            // of the current chunk
	start   eventstream.Start
	counts  tokens // of the last chunk with counts, up to the end

	finished  bool // there was a finish reason or a block reason
	continued bool // a candidate continues after the last finish reason
	answered  bool // there was a candidate
	// an empty block reason or a message was present, which is a refusal without candidates
	refused     bool
	reported    bool            // an event reports that the server failed
	endsAtOnce  bool            // the first chunk of the answer has a finish reason
	hasFeedback bool            // a chunk up to the end has prompt feedback
	ended       endedCandidates // of earlier chunks

	reusedChunk *textChunk // reused for each chunk; nil if callers may keep chunks

	err error // the error that ended the stream

	entries *streamEntries // nil while there is nothing to report, which is the usual case
}

// streamEntries are the report entries of a stream, except those for the bytes between its events.
type streamEntries struct {
	replaced report.Report // texts that decoding replaced
	ignored  report.Report // members that decoding ignored
	afterEnd report.Report // the findings of CheckEnd
}

// ensureEntries returns the entries, to which the caller may append.
func (s *StreamReader) ensureEntries() *streamEntries {
	if s.entries == nil {
		s.entries = &streamEntries{}
	}
	return s.entries
}

// currentEntries returns the entries so far.
func (s *StreamReader) currentEntries() streamEntries {
	if s.entries == nil {
		return streamEntries{}
	}
	return *s.entries
}

// StreamOption changes how a [StreamReader] reads.
type StreamOption func(*StreamReader)

// WithMaxEventSize limits the data of one event, in bytes. A larger event ends the stream with
// [wire.ErrEventTooLarge] and is never held in memory as a whole. The same limit, but at least 1
// MiB, applies to white space and comments before an event. The default is [DefaultMaxEventSize];
// below 1 there is no limit.
func WithMaxEventSize(size int64) StreamOption {
	return func(s *StreamReader) { s.scanner.MaxSize = size }
}

// NewStreamReader returns a reader of the stream in r. It reads nothing yet.
func NewStreamReader(r io.Reader, opts ...StreamOption) *StreamReader {
	s := &StreamReader{scanner: eventstream.New(r, DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next chunk. It shares no memory with the reader unless [WithReusedChunks] is
// set. At the proper end of the stream Next returns [io.EOF]. Otherwise its error says why there
// are no more chunks:
//
//   - an *[Error] if the server reported an error, in the stream or instead of it, or if the body
//     is a page or a text. Its HTTPStatus is the code in the error object, not the status of the
//     reply. An event of the type "error" without candidates needs no error member.
//   - a *[wire.StreamError] for everything else. It wraps [wire.ErrTruncated] if the stream is
//     incomplete, [wire.ErrSecondStream] if another stream begins after its end,
//     [wire.ErrEventTooLarge], a *[wire.MalformedError] if an event is not a response or is
//     damaged JSON, or the error of the underlying reader.
//
// After an error, Next returns the same error again.
func (s *StreamReader) Next() (*geminiapi.GenerateContentResponse, error) {
	if s.err != nil {
		return nil, s.err
	}
	chunk, err := s.read()
	if err != nil {
		s.err = err
		s.recent = plainjson.Recent{}
		s.reusedChunk = nil
		if !s.mayReadOn() {
			s.scanner.Release()
		}
	}
	return chunk, err
}

// All returns an iterator over the chunks that Next would return. An error is the last pair, with a
// nil chunk; the proper end yields no error. After a break out of the loop, All or Next continue
// where it stopped.
func (s *StreamReader) All() iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return eventstream.All(s.Next)
}

// Bytes returns the JSON of the last chunk that Next returned, as received, but with the data lines
// of an event joined by LF. It must not be changed and is valid until the next call of Next. It is
// nil before the first chunk and after the last.
func (s *StreamReader) Bytes() []byte {
	if s.count == 0 || s.err != nil {
		return nil
	}
	return bytes.Trim(s.scanner.Event.Bytes(), codec.Space)
}

// Count returns the number of chunks that Next has returned so far. This is also the number of the
// current chunk, counted from 1.
func (s *StreamReader) Count() int { return s.count }

// Offset returns the byte offset in the body of the data of the last chunk that Next returned.
func (s *StreamReader) Offset() int64 { return s.offset }

func (s *StreamReader) read() (*geminiapi.GenerateContentResponse, error) {
	if err := s.scanner.Next(); err != nil {
		return nil, s.failure(err)
	}
	event := &s.scanner.Event
	chunk, err := s.decode()
	if s.reportsError(chunk, err) {
		s.reported = true
		return nil, DecodeError(0, nil, bytes.Clone(event.Bytes()))
	}
	if err != nil && s.scanner.Cut {
		err = cutOrDamaged(event.Bytes())
	}
	if err != nil {
		return nil, s.scanner.Failure("gemini", s.count, err)
	}
	if s.begins(chunk) {
		return nil, s.scanner.Failure("gemini", s.count, wire.ErrSecondStream)
	}
	s.count++
	s.offset = event.Offset
	s.continued = !isLast(chunk) && (s.continued || saysSomething(chunk) && s.ended.goOn(chunk))
	s.finished = s.finished || isLast(chunk)
	s.ended.add(chunk)
	s.answered = s.answered || len(chunk.Candidates) > 0
	feedback := chunk.PromptFeedback
	s.refused = s.refused ||
		feedback != nil &&
			(feedback.BlockReason != nil || jsonx.Deref(feedback.BlockReasonMessage) != "")
	return chunk, nil
}

// reportsError reports whether an event holds an error object, or has the type "error".
func (s *StreamReader) reportsError(chunk *geminiapi.GenerateContentResponse, err error) bool {
	event := &s.scanner.Event
	switch {
	case err != nil:
		return event.IsError && !s.scanner.Cut ||
			errorbody.IsPresent(errorbody.Member(event.Bytes()))
	default:
		return IsError(chunk) || event.IsError && len(chunk.Candidates) == 0
	}
}

// isLast reports whether a chunk has a finish reason in any candidate, or says why the prompt was
// refused. More chunks may follow it.
func isLast(chunk *geminiapi.GenerateContentResponse) bool {
	for i := range chunk.Candidates {
		if hasEnd(&chunk.Candidates[i]) {
			return true
		}
	}
	// any other value
	return chunk.PromptFeedback != nil && jsonx.Deref(chunk.PromptFeedback.BlockReason) != ""
}

// hasEnd reports whether a candidate of a chunk has a finish reason.
func hasEnd(c *geminiapi.Candidate) bool {
	return c.FinishReason != nil && !unspecifiedReasons[string(*c.FinishReason)]
}

// unspecifiedReasons are the values that mean the same as an absent value.
var unspecifiedReasons = map[string]bool{
	"": true,
	string(geminiapi.FinishReasonUnspecified): true,
}
