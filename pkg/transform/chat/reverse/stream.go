package reverse

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	answers "github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// chunk is the event of a streamed completion, answer the event of a Gemini stream.
type (
	chunk  = openaiapi.CreateChatCompletionStreamResponse
	answer = geminiapi.GenerateContentResponse
)

// Stream converts the chunks of a streamed completion, as they arrive, to the chunks of a Gemini
// stream.
//
// All chunks have the id and the model of the first one. The content of a delta is passed on at
// once, each choice in a candidate. A text or a thought is a part. A call is one whole part. Calls
// are sent in order: when the arguments are complete and another call starts, or when the choice
// ends. One last chunk has the finish reasons, the token counts and what is known only then, such
// as sources.
//
// The chunks, joined by [normalize.MergeChunks], equal the result of [ToGemini] for the whole
// completion, except that parts are in order of arrival.
//
// Stream does not keep most of what it has sent. Memory grows with the text of an answer, because
// sources can cite any span of it, and with the report, which [WithLossesOnly] limits to losses. It
// is not safe for concurrent use.
type Stream struct {
	options
	report  reporter
	pushed  int
	head    head
	choices jsonx.IndexedList[streamChoice]

	usage      *openaiapi.CompletionUsage // of the last chunk that had one
	usageAt    string                     // the pointer of the chunk or record with the usage
	lists      map[string]sourceList      // of sources, by their pointers into their chunks
	tier       *openaiapi.ServiceTier
	google     openaiapi.GoogleExtraContent // of the last chunk that had one
	fromGemini bool

	out     []*answer // of this push
	first   [1]*answer
	answers int // so far
	role    string
	ended   bool
	err     error // why the stream failed
}

// head holds the values that the chunks of a stream repeat.
type head struct {
	known                 bool
	id, model, createTime *string
	created               int64
	wireID, wireModel     string
	fingerprint           string
	unknown               jsontext.Value
}

// NewStream returns a new stream.
func NewStream(opts ...Option) *Stream {
	s := &Stream{options: option.New[options](opts), role: modelRole}
	s.report.lossesOnly = s.lossesOnly
	return s
}

// Push converts the next chunk of the stream. The chunk must not be changed while the stream is in
// use. Most chunks give one chunk. An empty chunk, such as the first one with only a role, gives
// none. The list is valid until the next call, its elements stay valid.
//
// An error means that the chunk ended the stream. It is an *[openai.Error] if the server sent an
// error in place of a chunk. After the end, Push returns the same error again. After a stream that
// completed, it returns an error that says so.
func (s *Stream) Push(c *openaiapi.CreateChatCompletionStreamResponse) ([]*geminiapi.GenerateContentResponse,
	error) {
	if s.ended {
		return nil, cmp.Or(s.err, answers.ErrEnded("openai: reverse"))
	}
	if c == nil {
		s.pushed++
		return nil, nil
	}
	s.report.aim(s.pushed)
	s.pushed++
	if err := openai.ErrorInChunk(c); err != nil {
		return s.fail(err)
	}
	s.begin(c)
	s.convert(c)
	if len(s.out) == 0 {
		return nil, nil
	}
	return s.out, nil
}

// Close ends a stream and returns its last chunk. err is why no more chunks came: nil or [io.EOF]
// after the mark [DONE], else the error of reading. Close fails with that error, with one
// exception: if all choices have ended, a body that breaks off is complete, because some servers
// send no mark. It fails with [normalize.ErrNoCandidates] if no choice arrived, or only null. A
// choice without a finish reason at the mark is complete, and this is reported.
//
// If the stream fails, only candidates that had finished get a finish reason. After the end, Close
// returns nothing.
func (s *Stream) Close(err error) ([]*geminiapi.GenerateContentResponse, error) {
	if s.ended {
		return nil, nil
	}
	s.report.aim(max(s.pushed-1, 0))
	isCut := errors.Is(err, wire.ErrTruncated) && s.haveEnded()
	switch {
	case err == nil, errors.Is(err, io.EOF) && !errors.Is(err, wire.ErrTruncated), isCut:
	default:
		return s.fail(err)
	}
	if s.choices.Len() == 0 && s.google.PromptFeedback == nil {
		return s.fail(normalize.ErrNoCandidates)
	}
	s.ended = true
	return []*geminiapi.GenerateContentResponse{s.last(true)}, nil
}

// haveEnded reports whether there are choices and all have a finish reason.
func (s *Stream) haveEnded() bool {
	for _, c := range s.choices.All() {
		if c.finish.reason == "" {
			return false
		}
	}
	return s.choices.Len() > 0
}

// fail ends a stream that failed.
func (s *Stream) fail(err error) ([]*geminiapi.GenerateContentResponse, error) {
	s.ended, s.err = true, err
	for _, c := range s.choices.All() {
		if c.finish.reason != "" {
			return []*geminiapi.GenerateContentResponse{s.last(false)}, err
		}
	}
	return nil, err
}

// Report returns what was added, approximated or lost. Its JSON pointers refer to the stream as a
// list of chunks, for example /3/choices/0/delta/refusal. It grows with the stream and is complete
// after the end, unless the end was an error.
func (s *Stream) Report() report.Report { return s.report.entries }

// Lost returns the losses in [Stream.Report] so far, or nil.
func (s *Stream) Lost() report.Report { return s.report.entries.Of(report.Lost) }

// Chunks converts a whole stream of chunks, such as [openai.StreamReader.All], one by one as they
// arrive. An error is the last pair, with a nil chunk. A stream that completes has no error.
func (s *Stream) Chunks(chunks iter.Seq2[*openaiapi.CreateChatCompletionStreamResponse,
	error]) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return answers.Events(s, chunks)
}

// begin reads the stream's data from a chunk: id, model, time, counts and extension. The first
// chunk with an id or a model sets id, model and time. The last counts win.
func (s *Stream) begin(c *chunk) {
	s.takeUsage(c)
	s.setHead(c)
	s.report.differs("/object", string(c.Object), string(openaiapi.ObjectTypeChatCompletionChunk))
	if c.ServiceTier != nil {
		if s.tier == nil || *s.tier != *c.ServiceTier {
			s.setTier(c.ServiceTier)
		}
	}
	if c.ExtraContent != nil {
		s.fromGemini = true
		s.google = googleOf(c.ExtraContent)
		left := s.google
		left.PromptFeedback, left.UsageMetadata, left.ModelStatus, left.CreateTime,
			left.Response = nil,
			nil, nil, nil, nil
		s.report.loseGoogle("", c.ExtraContent, left)
		s.report.loseResponse(s.google.Response)
	}
	if c.Obfuscation != nil {
		s.report.add(report.Approximated, "/obfuscation", "omitted, because it only hides the length of the chunk")
	}
	s.report.lose("/moderation", c.Moderation != nil)
}

// addAt adds an entry about another chunk.
func (s *Stream) addAt(prefix string, kind report.Kind, pointer, detail string) {
	r := s.report.about(prefix)
	r.add(kind, pointer, detail)
	s.report.entries = r.entries
}

func (s *Stream) setTier(tier *openaiapi.ServiceTier) {
	if _, known := serviceTiers[*tier]; !known {
		s.report.add(report.Lost, "/service_tier", "Gemini does not have this tier")
	} else if s.tier != nil {
		s.report.add(report.Approximated, "/service_tier", "replaced by the last one")
	}
	s.tier = tier
}

// setHead sets the head of all chunks from the first chunk that has one, and reports later chunks
// with different values. Values that no answer shows are reported once.
func (s *Stream) setHead(c *chunk) {
	h := &s.head
	if !h.known {
		if h.created != 0 {
			s.addAt("/"+strconv.Itoa(s.pushed-2), report.Approximated, "/created",
				"a later chunk starts the answer")
		}
		h.known = c.ID != "" || c.Model != "" || len(c.Choices) > 0
		h.wireID, h.wireModel, h.created = c.ID, c.Model, c.Created
		h.id, h.model = cmp.Or(jsonx.NonEmpty(s.id), jsonx.NonEmpty(c.ID)),
			cmp.Or(jsonx.NonEmpty(s.model), jsonx.NonEmpty(c.Model))
		h.createTime = createTime(c.Created, nil)
	}
	s.report.differs("/id", c.ID, jsonx.Deref(h.id))
	s.report.differs("/model", c.Model, jsonx.Deref(h.model))
	if c.Created != h.created || !isTime(c.Created) {
		s.report.add(report.Approximated, "/created", "the first time is used, in seconds")
	}
	if print := jsonx.Deref(c.SystemFingerprint); print != h.fingerprint {
		h.fingerprint = print
		s.report.lose("/system_fingerprint", c.SystemFingerprint != nil)
	}
	if c.Unknown != nil && !bytes.Equal(c.Unknown, h.unknown) {
		h.unknown = c.Unknown
		s.takeSourceLists(c)
		s.loseUnknownOfChunk(c)
	}
}

// answer returns a chunk without candidates.
func (s *Stream) answer() *answer {
	return &answer{ResponseID: s.head.id, ModelVersion: s.head.model}
}

// convert converts the choices of a chunk. If a choice appears twice in a chunk, the second one
// goes into another answer. The candidates of one answer are different choices.
func (s *Stream) convert(c *chunk) {
	s.out = s.first[:0]
	var out *answer
	for i := range c.Choices {
		choice := &c.Choices[i]
		if choice.IsEmpty() {
			continue // null, or an index alone
		}
		at := choicePointer(i)
		if choice.Index < 0 {
			s.report.add(report.Approximated, at+"/index", "read as the index of the first choice")
		}
		index := max(choice.Index, 0)
		state := s.choices.At(index)
		state.index = index
		candidate, ok := s.delta(state, choice, at)
		if !ok {
			continue
		}
		if out == nil || state.answer == s.answers {
			out = s.answer()
			s.out = append(s.out, out)
			s.answers++
		}
		state.answer = s.answers
		out.Candidates = append(out.Candidates, candidate)
	}
}
