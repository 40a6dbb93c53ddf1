package aisdk

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// MapGemini maps a Gemini stream to parts as its chunks come, by the rules of [GeminiStream]. The
// chunks of a [gemini.StreamReader] are those of its method All. A stream that fails has its
// [ErrorPart] and its [Finish] like all others, and after them the error of [GeminiStream.Err], with
// a nil part.
//
// The stream start is yielded before the first chunk is asked for. What chunks yields after an error
// is not read.
func MapGemini(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error], opts ...GeminiOption) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		s := NewGeminiStream(opts...)
		for parts := range s.all(chunks) {
			for _, part := range parts {
				if !yield(part, nil) {
					return
				}
			}
		}
		if err := s.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// WriteGemini writes the parts of [MapGemini] as lines of JSON (see [EncodePart]): those of a chunk in
// one call of w.Write, before the next chunk is asked for. If w has a method Flush without a result,
// as an http.ResponseWriter has, it is called after each.
//
// It returns the error of w, wrapped, and writes no more after it; a *[PartError] for a chunk that was
// not made by a decoder and holds what is not JSON; and else what MapGemini ends with.
func WriteGemini(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error], opts ...GeminiOption) error {
	s := NewGeminiStream(opts...)
	lines := lineWriter{w: w}
	if s.options.v4 {
		lines.options = []EncodeOption{WithV4()}
	}
	for parts := range s.all(chunks) {
		if err := lines.write(parts); err != nil {
			return err
		}
	}
	return s.Err()
}

// GeminiStream maps a Gemini stream to parts chunk by chunk, for callers that are not in a position to
// loop over [MapGemini]. Of several candidates, the one with the index 0 is mapped.
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
//	an error                error, and finish by [FinishError]
//	a refused prompt        finish by [FinishContentFilter]
//
// The stream of parts keeps these promises: stream-start is first; finish is last, and the only one;
// every start has one end, by the same id; text and reasoning blocks do not overlap with each other,
// nor with the input of a call or with a file; every tool result has its call before it; a call whose
// arguments are cut off has an end of its input, and no tool-call; no block has more than one
// signature, and a text that is signed is a block of its own. The deltas of a call's input, joined, are
// the input of its tool-call. No two calls have the same id: where the wire repeats one, the later call
// gets another, and has the wire's in its metadata as toolCallId. A stop with calls of which none is
// left to the client is [FinishStop], not [FinishToolCalls].
//
// The result of a function call is in the stream where Google has called an MCP server. The SDK wants
// to know with the call who runs it. So a function call waits for its result, for a part that is
// neither a call nor a result, or for the end, and the calls and results behind it wait with it. Only
// the input of a call that goes on in a later chunk is sent as it comes, behind the inputs of the calls
// before it, whoever runs those.
//
// A result without an id belongs to the first call of its tool that has no result yet; one with an id
// that no call has belongs to the only call of its tool without a result. If there is none, a call is
// added before it.
//
// All metadata is that of the provider "google". What a part of the wire says beyond the above is in
// the metadata of its part as "part", in the wire's form. What is said of the answer as a whole is in
// the metadata of the finish: promptFeedback, groundingMetadata, urlContextMetadata, safetyRatings,
// usageMetadata, finishMessage, serviceTier, citationMetadata, avgLogprobs, logprobsResult,
// modelStatus, and, in the wire's form, as "parts" parts of an unknown kind with their positions and
// as "candidate" and "response" all the rest. What a later chunk replaces is told by [WithGeminiReport].
//
// A GeminiStream keeps no text but that of calls and results that wait. It starts no goroutine, and is
// for one.
type GeminiStream struct {
	options geminiOptions
	events  *normalize.Stream
	told    normalize.Accumulator // what the finish tells of
	parts   []Part

	open    openBlock
	blocks  int // opened so far
	input   openInput
	waiting waiting
	client  calls
	code    calls
	server  calls
	sources map[string]bool // by address
	unknown []unknownPart

	ids        map[string]int // of calls, with the number of the last one made of each
	unanswered int            // function calls without a result

	identity identity               // as far as it is known
	dated    bool                   // a response-metadata has the time
	reason   normalize.FinishReason // "" while the candidate has not ended
	native   geminiapi.FinishReason
	survey   *survey // nil without a report
	started  bool
	ended    bool
	err      error
}

// NewGeminiStream returns a stream that has seen no chunk yet.
func NewGeminiStream(opts ...GeminiOption) *GeminiStream {
	s := &GeminiStream{options: newGeminiOptions(opts)}
	s.events = normalize.NewStream(normalize.WithToolCallIDs(s.options.toolCallID))
	if s.options.report != nil {
		s.survey = &survey{report: s.options.report, v4: s.options.v4}
	}
	return s
}

// Push returns the parts of the next chunk, possibly none, and before those of the first chunk the
// stream start. The slice is valid until the next call of Push or Close; the parts stay valid, and
// share memory with the chunk.
//
// A chunk that is an error, or that cannot be understood, ends the stream: the last part is then the
// finish. After the end there are no more parts.
func (s *GeminiStream) Push(chunk *geminiapi.GenerateContentResponse) []Part {
	s.begin()
	s.survey.chunk(chunk, s.ended)
	if s.ended {
		return nil
	}
	s.rawChunk(chunk)
	events, err := s.events.Push(chunk)
	if err != nil {
		s.survey.refused(err)
	}
	s.mapEvents(events)
	s.showInput()
	return s.parts
}

// Close ends the stream and returns its last parts, valid like those of [GeminiStream.Push]. err is
// why there are no more chunks: nil or [io.EOF] when the body came to its end, and else what reading
// it failed with. A stream without a finish reason and a block reason fails even so, with
// [gemini.ErrTruncated]. Close after the end returns no parts.
func (s *GeminiStream) Close(err error) []Part {
	s.begin()
	if s.ended {
		return nil
	}
	s.mapEvents(s.events.Close(err))
	return s.parts
}

// Err returns why the stream failed: nil as long as it has not, and for a refused prompt, which is an
// answer; else a *[normalize.Error], which has the cause in its chain.
func (s *GeminiStream) Err() error { return s.err }

// all returns the parts of a whole stream in the pieces in which they come.
func (s *GeminiStream) all(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) iter.Seq[[]Part] {
	return func(yield func([]Part) bool) {
		s.begin()
		if !yield(s.parts) {
			return
		}
		var failure error
		for chunk, err := range chunks {
			if err != nil {
				failure = err
				break
			}
			if !yield(s.Push(chunk)) {
				return
			}
			if s.ended {
				return
			}
		}
		yield(s.Close(failure))
	}
}

// begin makes room for the parts of the next call, the first of which is the stream start.
func (s *GeminiStream) begin() {
	s.parts = s.parts[:0]
	if !s.started {
		s.started = true
		s.add(StreamStart{Warnings: s.options.warnings})
	}
}
