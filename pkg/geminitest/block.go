package geminitest

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Block is a piece of an answer, a pause, a fault, or a way to send the answer; for
// [Fixture.Reply].
type Block = fakegemini.Block

// Text is a text, in the pieces that a stream sends.
func Text(pieces ...string) Block { return fakegemini.Text(pieces...) }

// JSON is a text that is JSON, in one piece: an answer to a request with a response schema.
func JSON(value string) Block { return fakegemini.JSON(value) }

// Thought is a summary of the model's thoughts, in the pieces that a stream sends.
func Thought(pieces ...string) Block { return fakegemini.Thought(pieces...) }

// Call is a call of one of the client's functions. args is a JSON object; "" means {}.
func Call(function, args string) Block { return fakegemini.Call(function, args) }

// CallWithID is a [Call] with an id, such as the id of a call in the client's test data.
func CallWithID(id, function,
	args string) Block {
	return fakegemini.CallWithID(id, function, args)
}

// Image is an image or other media that the model made.
func Image(mimeType string, data []byte) Block { return fakegemini.Image(mimeType, data) }

// Grounding is the sources of an answer.
func Grounding(metadata *geminiapi.GroundingMetadata) Block { return fakegemini.Grounding(metadata) }

// Part is any part of the wire format.
func Part(part geminiapi.Part) Block { return fakegemini.Part(part) }

// Step is a step of an interaction as JSON, see [fakegemini.Step].
func Step(step interactionsapi.Step) Block { return fakegemini.Step(step) }

// Chunk is a whole response, or a chunk of a stream, in JSON.
func Chunk(value string) Block { return fakegemini.Chunk(value) }

// Signed gives a text, thought, call or image a thought signature instead of the one that the
// server would make. "" omits the signature.
func Signed(signature string, b Block) Block { return fakegemini.Signed(signature, b) }

// OfCandidate assigns content to the candidate with an index, in an answer with several candidates.
func OfCandidate(index int, b Block) Block { return fakegemini.OfCandidate(index, b) }

// Pause sends nothing for a duration.
func Pause(d time.Duration) Block { return fakegemini.Pause(d) }

// TTFT is the time to the first token: how long the client waits for the first chunk.
func TTFT(d time.Duration) Block { return fakegemini.TTFT(d) }

// Pace sets a speed in tokens per second. jitter varies each wait by at most this part: 0.2 is 20
// percent.
func Pace(tokensPerSecond, jitter float64) Block { return fakegemini.Pace(tokensPerSecond, jitter) }

// ChunkTokens splits texts between words into chunks of about n tokens.
func ChunkTokens(n int) Block { return fakegemini.ChunkTokens(n) }

// Finish sets the finish reason; the default is STOP.
func Finish(reason geminiapi.FinishReason) Block { return fakegemini.Finish(reason) }

// Continue ends the answer with CONTINUATION and a token, with which a client requests the rest.
// The next [Fixture.Reply] answers that request.
func Continue(token string) Block { return fakegemini.Continue(token) }

// Usage sets the usage of the answer; by default the server counts tokens.
func Usage(usage *geminiapi.UsageMetadata) Block { return fakegemini.Usage(usage) }
