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

// FromGemini maps a Gemini stream to parts as its chunks come, by the rules of [Stream]. The chunks
// of a [gemini.StreamReader] are those of its method All. A stream that fails has its
// [aisdkapi.ErrorPart] and its [aisdkapi.Finish] like all others, and after them the error of
// [Stream.Close], with a nil part.
//
// The stream start is yielded before the first chunk is asked for. What chunks yields after an
// error is not read. There is no report; [Stream.Parts] is the same with one.
func FromGemini(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) iter.Seq2[aisdkapi.Part, error] {
	s := NewStream(append(slices.Clip(opts), WithLossesOnly())...) // nobody can ask for them either
	return s.Parts(chunks)
}

// WriteStream writes the parts of [FromGemini] as lines of JSON (see [aisdkwire.EncodePart]): those
// of a chunk in one call of w.Write, before the next chunk is asked for. If w has a method Flush
// without a result, as an http.ResponseWriter has, it is called after each. It returns the report
// of [Stream.Report].
//
// It returns the error of w, wrapped, and writes no more after it; an *[aisdkwire.PartError] for a
// chunk that was not made by a decoder and holds what is not JSON; and else what FromGemini ends
// with.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) (report.Report, error) {
	s := NewStream(opts...)
	err := s.Write(w, chunks)
	return s.Report(), err
}

// Stream maps a Gemini stream to parts chunk by chunk, for callers that do not loop over
// [FromGemini]. Of several candidates, the one with the index 0 is mapped.
//
//	text, thoughts          a text or reasoning block, with ids that count from "0"
//	a thought signature     metadata thoughtSignature of a delta of the block, of a call, of a file
//	which response it is    response-metadata, a further one for what comes late
//	function call           tool-input-start, its deltas and its end, and the tool-call
//	its result              tool-result; the call is then dynamic, and executed by the provider
//	code and its results    a tool-call and tool-results of code_execution, executed by the provider
//	a tool of the server    the same by the name server:TYPE, dynamic
//	media                   file; in V4 reasoning-file for a thought
//	a file by its address   source, as V3 has no file without data, and the SDK fetches those of V4
//	pages and documents     source, each address once
//	an error                error, and finish by [aisdkapi.UnifiedFinishReasonError]
//	a refused prompt        finish by [aisdkapi.UnifiedFinishReasonContentFilter]
//
// The stream of parts keeps these promises: stream-start is first; finish is last, and the only
// one; every start has one end, by the same id; text and reasoning blocks do not overlap with each
// other, nor with the input of a call or with a file; every tool result has its call before it; a
// call whose arguments are cut off has an end of its input, and no tool-call; no block has more
// than one signature, and a text that is signed is a block of its own. The deltas of a call's
// input, joined, are the input of its tool-call. No two calls have the same id: where the wire
// repeats one, the later call gets another, and has the wire's in its metadata as toolCallId. A
// stop with calls of which none is left to the client is [aisdkapi.UnifiedFinishReasonStop], not
// [aisdkapi.UnifiedFinishReasonToolCalls].
//
// The result of a function call is in the stream where Google has called an MCP server. The SDK
// wants to know with the call who runs it. So a function call waits for its result, for a part that
// is neither a call nor a result, or for the end, and the calls and results behind it wait with it.
// Only the input of a call that goes on in a later chunk is sent as it comes, behind the inputs of
// the calls before it, whoever runs those.
//
// A result without an id belongs to the first call of its tool that has no result yet; one with an
// id that no call has belongs to the only call of its tool without a result. If there is none, a
// call is added before it.
//
// All metadata is that of the provider "google". What a part of the wire has beyond the above is in
// the metadata of its part as "part", in the wire's form. What is about the answer as a whole is in
// the metadata of the finish: promptFeedback, groundingMetadata, urlContextMetadata, safetyRatings,
// usageMetadata, finishMessage, serviceTier, citationMetadata, avgLogprobs, logprobsResult,
// modelStatus, and, in the wire's form, as "parts" parts of an unknown kind with their positions
// and as "candidate" and "response" all the rest. What a later chunk replaces is in
// [Stream.Report].
//
// A Stream keeps no text but that of calls and results that wait. Of the id of each call it keeps a
// hash, lest two calls get one id, and that is all that grows with a stream: some 30 bytes a call.
// At most 100 calls wait, and a result finds the last 128 calls at least. It starts no goroutine,
// and is for one.
type Stream struct {
	options options
	driver  answer.Driver[aisdkapi.Part]
	summary normalize.Accumulator // what the finish has
	source  normalize.Location    // of the event at hand
	parts   []aisdkapi.Part

	open    openBlock
	blocks  int // opened so far
	input   openInput
	waiting waiting
	client  calls
	code    calls
	server  calls
	sources map[string]bool // by address
	unknown []unknownPart

	ids        callIDs
	unanswered int // function calls without a result

	identity identity               // as far as it is known
	dated    bool                   // a response-metadata has the time
	reason   normalize.FinishReason // "" while the candidate has not ended
	native   geminiapi.FinishReason
	started  bool
	failure  jsontext.Value // why the stream failed, in the form of the parts
}

// NewStream returns a stream that has seen no chunk yet.
func NewStream(opts ...Option) *Stream {
	s := &Stream{options: option.New[options](opts)}
	s.driver = answer.NewDriver[aisdkapi.Part]("aisdk",
		normalize.NewStream(s.options.normalizing()...), false)
	return s
}

// Push returns the parts of the next chunk, possibly none, and before those of the first chunk the
// stream start. The slice is valid until the next call of Push or Close; the parts stay valid, and
// share memory with the chunk.
//
// An error means that the chunk ended the stream: it is an error, or cannot be understood. It is a
// *[normalize.Error], which has the cause in its chain; the parts beside it come first, and the
// last of them is the finish. A refused prompt is an answer and no error. After the end Push
// returns no parts, and the same error again or one that says so.
func (s *Stream) Push(chunk *geminiapi.GenerateContentResponse) ([]aisdkapi.Part, error) {
	if s.driver.Ended {
		_, _ = s.driver.Source.Push(chunk) // which reports it
	}
	return s.driver.Push(chunk, s.convert)
}

// Close ends the stream and returns its last parts, like [Stream.Push]. err is why there are no
// more chunks: nil or [io.EOF] when the body came to its end, and else what reading it failed with.
// A stream without a finish reason and a block reason fails even so, with [wire.ErrTruncated].
// Close after the end returns nothing.
func (s *Stream) Close(err error) ([]aisdkapi.Part, error) {
	return s.driver.Close(err, s.convert)
}

// Parts maps a whole stream, as [FromGemini] does. A loop that is left early cannot be taken up
// again.
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

// begin makes room for the parts of the next call, the first of which is the stream start.
func (s *Stream) begin() {
	s.parts = s.parts[:0]
	if !s.started {
		s.started = true
		s.add(aisdkapi.StreamStart{Warnings: s.options.warnings})
	}
}
