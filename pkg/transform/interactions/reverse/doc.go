// Package reverse converts interactions of Google's Interactions API to Gemini's responses and
// streams. Package request, a subpackage, converts the requests.
//
//	in, err := interactions.DecodeResponse(body)
//	...
//	answer, report, err := reverse.ToGemini(in)
//	...
//	out, err := gemini.EncodeResponse(answer)
//
// # What an answer contains
//
// The steps of the interaction become the parts of one candidate, in their order. A text is a part
// for each block, a summary of a thought is a part with thought, and a function call has its
// arguments byte for byte. Steps of tools that Google runs are toolCall and toolResponse parts, and
// the metadata of the candidate have them too: the queries and suggestions of searches, the pages
// of urlContextMetadata, the places of Google Maps. A prompt that a stored interaction repeats is
// not shown.
//
// Annotations become groundingMetadata. A segment has partIndex, and its offsets count the bytes of
// that part. One support has all sources of a span. What annotations say about speech follows the
// text as parts with audioTranscription or speechMetadata.
//
// The signature of a thought is on the call that follows it, or on the last part of the output that
// follows it. If neither follows, it is on an empty text.
//
// responseId is the id of the response in the id of the interaction. Token counts add up as
// Gemini's do. The status becomes the finish reason:
//
//	completed, requires_action      STOP
//	incomplete, budget_exceeded     MAX_TOKENS
//	requires_continuation           CONTINUATION, with the continuationToken
//	failed                          OTHER, or SAFETY if a filter refused the answer
//	cancelled                       OTHER
//	in_progress, queued             no finish reason
//
// An interaction that failed without steps is an error, but for a refused prompt, which has a
// promptFeedback. An interaction of the revision before May 2026 is an error too.
//
// # The extension
//
// What only an interaction has travels in the member extraContent of the answer and of its parts:
// the whole id, the status if the finish reason says less, counts of tools, and unknown members.
//
//	"extraContent": {"interactions": {"id": "v1_...", "environment_id": "env_1"}}
//
// With it, package transform/interactions makes the same steps of the answer again. Requests to
// Google must not have it. [WithoutExtensions] omits it and reports what that loses.
//
// # Streams
//
// [Stream] converts events as they arrive, and [WriteStream] writes the body.
//
//	in := interactions.NewStreamReader(body)
//	report, err := reverse.WriteStream(w, in.All())
//
// Each piece of a text is passed on at once, and a function call when its step stops. The last
// chunk has the finish reason, the sources and the token counts. The chunks, joined by
// [normalize.MergeChunks], equal the whole answer.
//
// # Answers that came from Gemini
//
// What package transform/interactions put into extra_content is restored: the finish reason by its
// own name, ratings, log probabilities, and members of parts.
//
// # What is reported
//
// Each value of the input is visible in the output, or the report has an entry at its pointer or
// above it. Pointers refer to the interaction. For a stream they refer to the list of its events,
// for example /3/delta/annotations.
//
// All functions are safe for concurrent use and do not change their arguments. A [Stream] must not
// be used by several goroutines.
package reverse
