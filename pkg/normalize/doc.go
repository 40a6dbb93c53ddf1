// Package normalize turns what Gemini answers into one model of a response that says what callers
// ask: which blocks of content, why did it end, what did it cost, where does it come from.
//
//	out, err := normalize.Parse(body)
//	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok { ... }
//	fmt.Println(out.Text())
//
// No other package interprets a response; every output form is an encoder of this model. The Gemini
// API and Vertex AI are read alike.
//
// # What becomes of a response
//
//   - A candidate's parts become blocks, in their order ([Block]). A function call wins over all
//     else in its part, thought is a boolean, a signature stays with its part. A part of an unknown
//     kind is a block that keeps it; an empty part leaves a gap in [Block.Part].
//   - Function calls keep the model's id or get one ([WithToolCallIDs]), and have their arguments
//     byte for byte but for white space, "{}" where there are none.
//   - The finish reason is one of six ([MapFinishReason]); a normal end with a function call is
//     [FinishToolUse].
//   - Token counts follow Google's accounting where they add up that way ([Usage]).
//   - Grounding and citations have their byte offsets converted to characters of
//     [Candidate.Text]; where an offset does not fit the text it belongs to, the text decides and
//     the span says that it is approximated ([Span]).
//   - Log probabilities are one list of tokens with their alternatives ([Logprobs]).
//   - Errors have a category that does not depend on the provider ([FromError], [ParseError]).
//
// # What becomes of a stream
//
// The chunks of a stream become events ([Events], or [Stream] where there is no loop): a start,
// pieces of text, thinking and tool calls, whole blocks of other types, metadata as it comes, and
// at the end a finish for each candidate and exactly one of done and error.
//
//	reader := gemini.NewStreamReader(body)
//	for event := range normalize.Events(reader.All()) { ... }
//
// [Accumulate] makes of the events the same response that [FromResponse] makes of the same content
// in one piece, and [MergeChunks] makes that piece. A stream that only stops is an error.
//
// Each event says where in the stream it comes from ([Event.Source]). What of the chunks is not in
// the whole, because another chunk replaced it, is in the report of [MergeChunks] and
// [Stream.Report], with its place; [Stream.EventReport] has what no event says. [Merged.InChunks]
// gives a report about the whole the places in the chunks. A converter of events adds what its own
// form loses ([Stream.AddEntry], [Stream.AddReport], [Stream.AddResponseEntry]), so that the report
// of every form is made by one rule: a form says what it shows ([transform.Report.AddUnshown]), and
// not where that stood.
//
// # What it promises
//
// Nothing is lost: each string, number and boolean of the wire's response shows in the normalised
// one, in a member of its own or in the wire's form in an Extra or Wire member, whether this
// package, or the description of the wire, knows it or not. Free-form values and signatures keep
// their bytes.
//
// The same holds for the chunks and the events of a stream, but for what a later chunk replaces and
// the report says: running totals, and what was said of a candidate's end before it ended.
//
// What [FromResponse], [Parse] and [Accumulate] return fulfils [Validate]. They do not panic, on
// nil or on anything that the codec decodes, and their work is linear in the size of the response.
// They have no state: all functions may be called from several goroutines at once, and a response
// may be read by several goroutines as long as none changes it.
//
// # What it refuses
//
// A refused prompt ([BlockedError]), an error in place of a response ([gemini.Error]), a function
// call without a name ([PartError]). An empty response is none of these and no error: models do
// answer with nothing.
//
// # JSON
//
// The JSON form of [Response], which [Encode] writes and [Decode] reads, has the names of the json
// tags, and so has that of [Event] ([EncodeEvent], [DecodeEvent]). It is for storing and comparing
// responses and for other programs. Reading it returns a *[wire.MalformedError], writing it an
// *[wire.EncodeError].
package normalize
