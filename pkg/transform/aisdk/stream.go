package aisdk

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/option"
	aisdkwire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/go-json-experiment/json/jsontext"
)

// FromGemini maps a Gemini stream to parts as its chunks arrive, by the rules of [Stream]. Use the
// method All of a [gemini.StreamReader] for the chunks. A stream that fails has an
// [aisdkapi.ErrorPart] and an [aisdkapi.Finish] too. After them comes the error of [Stream.Close],
// with a nil part.
//
// The stream start is returned before the first chunk is read. Nothing is read after an error of
// chunks. There is no report; [Stream.Parts] does the same with one.
func FromGemini(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) iter.Seq2[aisdkapi.Part, error] {
	s := NewStream(append(slices.Clip(opts), WithLossesOnly())...) // no caller can read a report
	return s.Parts(chunks)
}

// WriteStream writes the parts of [FromGemini] as lines of JSON (see [aisdkwire.EncodePart]). It
// writes the parts of a chunk in one call of w.Write, before it reads the next chunk. If w has a
// method Flush without a result, as an http.ResponseWriter does, WriteStream calls it after each
// write. It returns the report of [Stream.Report].
//
// The error is the wrapped error of w, after which nothing more is written. It is an
// *[aisdkwire.PartError] for a chunk that no decoder made and that contains invalid JSON. Otherwise
// it is the error of FromGemini.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) (report.Report, error) {
	s := NewStream(opts...)
	err := s.Write(w, chunks)
	return s.Report(), err
}

// Stream maps a Gemini stream to parts chunk by chunk, for callers that do not loop over
// [FromGemini]. It maps the candidate with index 0.
//
//	text, thoughts          a text or reasoning block, with ids that count from "0"
//	a thought signature     metadata thoughtSignature of a delta of the block, of a call, of a file
//	id, model, time         response-metadata, and another one for values that arrive late
//	function call           tool-input-start, its deltas and its end, and the tool-call
//	its result              tool-result; the call is then dynamic, and executed by the provider
//	code and its results    a tool-call and tool-results of code_execution, executed by the provider
//	a server tool           the same with the name server:TYPE, dynamic
//	media                   file; in V4 reasoning-file for a thought
//	a file with an address  source, because V3 has no file without data, and the SDK downloads those of V4
//	pages and documents     source, each address once
//	an error                error, and finish with [aisdkapi.UnifiedFinishReasonError]
//	a refused prompt        finish with [aisdkapi.UnifiedFinishReasonContentFilter]
//
// # Guarantees
//
//   - stream-start is first; finish is last, and there is only one.
//   - Every start has one end with the same id.
//   - Text and reasoning blocks do not overlap with each other, with the input of a call or with a
//     file.
//   - Every tool result has its call before it.
//   - A call with cut-off arguments has an end of its input, and no tool-call.
//   - No block has more than one signature, and a signed text is a block of its own.
//   - The joined deltas of a call's input are the input of its tool-call.
//   - No two calls have the same id. If the wire repeats an id, the later call gets another one,
//     and has the wire's id in its metadata as toolCallId.
//   - A stop with calls of which the client need not run any is [aisdkapi.UnifiedFinishReasonStop],
//     not [aisdkapi.UnifiedFinishReasonToolCalls].
//
// # Results in the stream
//
// The result of a function call is in the stream if Google has called an MCP server. The SDK
// requires the call to say who runs it. So a function call waits for its result, for a part that is
// neither a call nor a result, or for the end. Calls and results after it wait too. Only the input
// of a call that continues in a later chunk is sent as it arrives, after the inputs of earlier
// calls.
//
// A result without an id belongs to the first call of its tool without a result. A result with an
// id that no call has belongs to the only call of its tool without a result. Without such a call, a
// call is added before the result.
//
// # Metadata
//
// All metadata belongs to the provider "google". Other members of a wire part are in the metadata
// of its part as "part", in the wire's form. Members of the answer as a whole are in the metadata
// of the finish: promptFeedback, groundingMetadata, urlContextMetadata, safetyRatings,
// usageMetadata, finishMessage, serviceTier, citationMetadata, avgLogprobs, logprobsResult and
// modelStatus. The finish also has, in the wire's form, "parts" for unknown parts with their
// positions, and "candidate" and "response" for the remainder. [Stream.Report] lists what a later
// chunk replaces.
//
// # Memory
//
// A Stream keeps no text except the text of waiting calls and results. It keeps a hash of each call
// id, so that no two calls get one id. Only this grows with the stream, by about 30 bytes per call.
// At most 100 calls wait, and a result can refer to at least the last 128 calls. A Stream starts no
// goroutine and is not safe for concurrent use.
type Stream struct {
	options options
	driver  answer.Driver[aisdkapi.Part]
	summary normalize.Accumulator // data for the finish
	source  normalize.Location    // of the current event
	parts   []aisdkapi.Part

	open    openBlock
	blocks  int // number of blocks opened so far
	input   openInput
	waiting waiting
	client  calls
	code    calls
	server  calls
	sources map[string]bool // by address
	unknown []unknownPart

	ids        callIDs
	unanswered int // function calls without a result

	identity identity               // the members known so far
	dated    bool                   // a response-metadata has the time
	reason   normalize.FinishReason // "" until the candidate has ended
	native   geminiapi.FinishReason
	started  bool
	failure  jsontext.Value // why the stream failed, in the form of the parts
}

// NewStream returns a new stream.
func NewStream(opts ...Option) *Stream {
	s := &Stream{options: option.New[options](opts)}
	s.driver = answer.NewDriver[aisdkapi.Part]("aisdk",
		normalize.NewStream(s.options.normalizing()...), false)
	return s
}

// Push returns the parts of the next chunk, if any. Before the parts of the first chunk it returns
// the stream start. The slice is valid until the next call of Push or Close. The parts stay valid,
// and share memory with the chunk.
//
// An error means that the chunk ended the stream, because it is an error or cannot be understood.
// It is a *[normalize.Error] with the cause in its chain. Send the returned parts before the error;
// the last of them is the finish. A refused prompt is an answer and not an error. After the end,
// Push returns no parts, and the same error again or one that says so.
func (s *Stream) Push(chunk *geminiapi.GenerateContentResponse) ([]aisdkapi.Part, error) {
	if s.driver.Ended {
		_, _ = s.driver.Source.Push(chunk) // Push reports it
	}
	return s.driver.Push(chunk, s.convert)
}

// Close ends the stream and returns its last parts, like [Stream.Push]. err is why there are no
// more chunks: nil or [io.EOF] if the body was read to its end, else the error of reading it. A
// stream without a finish reason and a block reason fails too, with [wire.ErrTruncated]. After the
// end, Close returns nothing.
func (s *Stream) Close(err error) ([]aisdkapi.Part, error) {
	return s.driver.Close(err, s.convert)
}

// Parts maps a whole stream, as [FromGemini] does. A loop that is left early cannot be continued.
func (s *Stream) Parts(chunks iter.Seq2[*geminiapi.GenerateContentResponse,
	error]) iter.Seq2[aisdkapi.Part, error] {
	return func(yield func(aisdkapi.Part, error) bool) {
		s.begin()
		for i := range s.parts {
			if !yield(s.parts[i], nil) {
				return
			}
		}
		answer.Events(s, chunks)(yield)
	}
}

// Write writes a whole stream, as [WriteStream] does.
func (s *Stream) Write(w io.Writer,
	chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) error {
	var opts []aisdkwire.EncodeOption
	if s.options.v4 {
		opts = append(opts, aisdkwire.ForV4())
	}
	lines := aisdkwire.NewStreamWriter(w, opts...)
	write := func(parts []aisdkapi.Part, failure error) error {
		err := lines.Write(parts...)
		if _, unwritten := errors.AsType[*aisdkwire.PartError](err); unwritten {
			return errors.Join(err, lines.Fail(err.Error()))
		}
		return cmp.Or(err, failure)
	}
	s.begin()
	if err := write(s.parts, nil); err != nil {
		return err
	}
	return answer.Each(s, chunks, write)
}

// convert returns the parts of a chunk, which is nil at the end of the stream. err is why the chunk
// ended the stream.
func (s *Stream) convert(chunk *geminiapi.GenerateContentResponse, events []normalize.Event,
	err error) []aisdkapi.Part {
	s.begin()
	s.rawChunk(chunk)
	if chunk != nil {
		answer.ReportChunk(s.driver.Source, chunk, chunkForm{}, detailOtherCandidate, nil)
	}
	s.mapEvents(events)
	if err != nil {
		s.reportRefused(chunk, err)
	}
	s.showInput()
	return s.parts
}

// begin makes room for the parts of the next call. The first part of all is the stream start.
func (s *Stream) begin() {
	s.parts = s.parts[:0]
	if !s.started {
		s.started = true
		s.add(aisdkapi.StreamStart{Warnings: s.options.warnings})
	}
}
