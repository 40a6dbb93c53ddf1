// Package normalize converts Gemini's answers into one Go type, [Response]. The type answers what
// callers ask: which blocks of content there are, why the answer ended, what it cost, and which
// sources it is based on.
//
//	out, err := normalize.Parse(body)
//	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok { ... }
//	fmt.Println(out.Text())
//
// No other package interprets a response; every output form is an encoder of this model. Answers of
// the Gemini API and of Vertex AI are read in the same way.
//
// # How a response is normalised
//
//   - A candidate's parts become blocks, in order ([Block]). A function call has priority over the
//     other payloads of its part, thought is a boolean, and a signature stays with its part. A part
//     of an unknown kind becomes a block that keeps it. An empty part leaves a gap in [Block.Part].
//   - A function call keeps the model's id or gets one ([WithToolCallIDs]). Its arguments keep
//     their bytes except white space. Missing arguments are "{}".
//   - The finish reason is one of six ([MapFinishReason]). A normal end with a function call is
//     [FinishToolUse].
//   - Token counts follow Google's accounting if they add up that way ([Usage]).
//   - Byte offsets of grounding and citations become character offsets in [Candidate.Text]. If an
//     offset does not fit its text, the text decides, and the span is marked as approximated
//     ([Span]).
//   - Log probabilities are one list of tokens with their alternatives ([Logprobs]).
//   - Errors have a category that is the same for every provider ([FromError], [ParseError]).
//
// # How a stream is normalised
//
// The chunks of a stream become events. Use [Events] in a loop, else [Stream]. A stream is a start;
// pieces of text, thinking and tool calls; whole blocks of other types; metadata as it arrives; and
// at the end a finish for each candidate and exactly one of done and error.
//
//	reader := gemini.NewStreamReader(body)
//	for event := range normalize.Events(reader.All()) { ... }
//
// [Accumulate] joins the events into the response that [FromResponse] returns for the same content
// in one piece; [MergeChunks] makes that piece. A stream that stops without an end is an error.
//
// Each event has its location in the stream ([Event.Source]). The report of [MergeChunks] and of
// [Stream.Report] lists the values that the whole lacks because another chunk replaced them, with
// their locations. [Stream.EventReport] lists only what no event shows. [Merged.InChunks]
// translates the pointers of a report about the whole into the chunks. A converter of events adds
// the losses of its own form ([Stream.AddEntry], [Stream.AddResponseEntry]). All forms follow one
// rule: a form says which members it shows, not where they were.
//
// # What it promises
//
// Nothing is lost: each string, number and boolean of the wire's response is in the normalised one.
// It is in a member of its own, or in the wire's form in an Extra or Wire member. This includes
// members that this package, or the description of the wire, does not know. Free-form values and
// signatures keep their bytes.
//
// The same holds for chunks and events of a stream, except for values that a later chunk replaces:
// running totals, and statements about a candidate's end before it ended. The report lists those.
//
// Results of [FromResponse], [Parse] and [Accumulate] pass [Validate]. These functions do not
// panic, on nil or on anything that the codec decodes, and their work is linear in the size of the
// response. All functions are safe for concurrent use. Several goroutines may read a response as
// long as none changes it.
//
// # What it refuses
//
// It refuses a refused prompt ([BlockedError]), an error in place of a response ([gemini.Error]),
// and a function call without a name ([PartError]). An empty response is not an error, because
// models sometimes answer with nothing.
//
// # JSON
//
// [Encode] writes the JSON form of [Response], and [Decode] reads it; [EncodeEvent] and
// [DecodeEvent] do the same for [Event]. The members have the names of the json tags. Use this form
// to store and compare responses, and for other programs. A read error is a *[wire.MalformedError],
// a write error a *[wire.EncodeError].
package normalize
