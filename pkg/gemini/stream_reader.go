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

// DefaultMaxEventSize is the limit of a [StreamReader] on the bytes of one event: 64 MiB. Events
// that carry a generated image are known to take 20 MB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamGenerateContent answer, one chunk at a time. It is made by
// [NewStreamReader].
//
// The first bytes tell which form the body has:
//
//   - server-sent events (alt=sse), by the rules of the WHATWG: lines end with LF, CRLF or CR, a
//     byte order mark, comments and other fields are skipped, several data lines make one event
//   - a JSON array, which the API writes element by element without alt=sse
//   - JSON objects one after the other, on a line each or on many
//   - an HTML page or a text, which is an error
//
// Beyond the standard, an object or a list of objects that begins a line, indented or not, needs no
// "data:" in front of it, which is how the API reports an error in the middle of a stream; two data
// lines that hold an object each are two events; "data: [DONE]" ends the stream; and a last event
// that no blank line follows is delivered if it decodes.
//
// An event stream may have lines that are not understood; [StreamReader.Report] names them. JSON
// may not: in a body that began with it, whatever is neither JSON nor a line of an event stream nor
// the mark [DONE] is a damaged chunk, and ends the stream.
//
// A chunk is delivered as soon as its last byte was read: with the first byte of the blank line
// behind an event, with the closing brace of a JSON object. How the bytes are split over the reads
// makes no difference. No line is too long; one event has a limit, see [WithMaxEventSize].
//
// A reader holds about 5 KB besides the event at hand, starts no goroutine and keeps nothing of
// what it delivered but a few short strings, which the next chunks repeat. It is not safe for use
// by several goroutines. It reads from r, but does not close it: whoever opened r closes it, when
// the stream has ended and also when it is left early.
type StreamReader struct {
	scanner eventstream.Scanner
	recent  plainjson.Recent // strings of the chunks so far
	count   int              // chunks delivered
	offset  int64            // of the chunk at hand
	start   eventstream.Start
	counts  tokens // of the last chunk that counted, up to the end

	finished  bool // a finish reason or a block reason was there
	continued bool // a candidate goes on after the last finish reason
	answered  bool // a candidate was there
	// an empty block reason or a message was there, a refusal where no candidate is
	refused     bool
	reported    bool            // an event reports that the server failed
	endsAtOnce  bool            // the first chunk of the answer has a finish reason
	hasFeedback bool            // a chunk up to the end has the prompt's feedback
	ended       endedCandidates // of the chunks so far

	reusedChunk *textChunk // reused for each chunk; nil if callers may keep chunks

	err error // what ended the stream

	entries *streamEntries // nil as long as there is nothing to report, as nearly always
}

// streamEntries are the report entries of a stream, without those for the bytes between its events.
type streamEntries struct {
	replaced  report.Report // texts, by decoding
	ignored   report.Report // members, by decoding
	behindEnd report.Report // what CheckEnd has found
}

// ensureEntries returns the entries, to which the caller may add.
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

// WithMaxEventSize limits the data of one event to so many bytes; a larger one ends the stream with
// [wire.ErrEventTooLarge] and is never held in memory whole. So does as much white space, comments
// and the like before an event, but 1 MiB may be there in any case. Without this option the limit
// is [DefaultMaxEventSize]; with a size below 1 there is none.
func WithMaxEventSize(size int64) StreamOption {
	return func(s *StreamReader) { s.scanner.MaxSize = size }
}

// NewStreamReader returns a reader of the stream in r. It reads nothing yet.
func NewStreamReader(r io.Reader, opts ...StreamOption) *StreamReader {
	s := &StreamReader{scanner: eventstream.New(r, DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next chunk, which shares no memory with the reader, unless [WithReusedChunks] is
// given. It returns [io.EOF] when the stream has ended as it should, and else an error that says
// why there are no more chunks:
//
//   - an *[Error] if the server reported one, in the stream or instead of it, or if the body is a
//     page or a text. Its HTTPStatus is the code in the error object, not the status of the reply.
//     An event of the type "error" needs no error member, only to be without candidates.
//   - a *[wire.StreamError] for everything else. It wraps [wire.ErrTruncated] if the stream ended
//     before it was finished, [wire.ErrSecondStream] if another one begins behind its end,
//     [wire.ErrEventTooLarge], a *[wire.MalformedError] if an event is not a response or damaged
//     JSON is where one should be, or the error of the underlying reader.
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

// All returns an iterator over the chunks that Next would return. An error is the last pair, beside
// a nil chunk; the proper end is none. A loop that is left early can be taken up again by calling
// All or Next.
func (s *StreamReader) All() iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return eventstream.All(s.Next)
}

// Bytes returns the JSON of the chunk that Next returned last, as it came except that the data
// lines of an event are joined by LF. It must not be changed and is valid until the next call of
// Next. It is nil before the first chunk and after the last.
func (s *StreamReader) Bytes() []byte {
	if s.count == 0 || s.err != nil {
		return nil
	}
	return bytes.Trim(s.scanner.Event.Bytes(), codec.Space)
}

// Count returns the number of chunks that Next has returned so far, which is the ordinal of the one
// at hand, counted from 1.
func (s *StreamReader) Count() int { return s.count }

// Offset returns how many bytes of the body came before the data of the chunk that Next returned
// last.
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

// reportsError reports whether an event holds an error object, or is one by its type.
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

// isLast reports whether a chunk tells why the model stopped, in any candidate, or why the prompt
// was refused. More chunks may follow it.
func isLast(chunk *geminiapi.GenerateContentResponse) bool {
	for i := range chunk.Candidates {
		if hasEnd(&chunk.Candidates[i]) {
			return true
		}
	}
	// whatever it is
	return chunk.PromptFeedback != nil && jsonx.Deref(chunk.PromptFeedback.BlockReason) != ""
}

// hasEnd reports whether a candidate of a chunk has a finish reason.
func hasEnd(c *geminiapi.Candidate) bool {
	return c.FinishReason != nil && !unspecifiedReasons[string(*c.FinishReason)]
}

// unspecifiedReasons holds the values that mean as much as an absent one.
var unspecifiedReasons = map[string]bool{
	"": true,
	string(geminiapi.FinishReasonUnspecified): true,
}
