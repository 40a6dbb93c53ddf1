package geminitest

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Block is a piece of an answer, a pause in it, what goes wrong in it, or how it is sent; for
// [Fixture.Reply].
type Block = fakegemini.Block

// Text is a text, in the pieces in which a stream sends it.
func Text(pieces ...string) Block { return fakegemini.Text(pieces...) }

// JSON is a text that is JSON, in one piece: what a request with a response schema is answered
// with.
func JSON(value string) Block { return fakegemini.JSON(value) }

// Thought is a summary of the model's thoughts, in the pieces in which a stream sends it.
func Thought(pieces ...string) Block { return fakegemini.Thought(pieces...) }

// Call is a call of one of the client's functions, with the arguments as a JSON object, {} for "".
func Call(function, args string) Block { return fakegemini.Call(function, args) }

// CallWithID is a [Call] with an id, such as the one of a call in the client's test data.
func CallWithID(id, function,
	args string) Block {
	return fakegemini.CallWithID(id, function, args)
}

// Image is an image or other media that the model made.
func Image(mimeType string, data []byte) Block { return fakegemini.Image(mimeType, data) }

// Grounding is where the answer comes from.
func Grounding(metadata *geminiapi.GroundingMetadata) Block { return fakegemini.Grounding(metadata) }

// Part is any part, as the wire has it.
func Part(part geminiapi.Part) Block { return fakegemini.Part(part) }

// Chunk is a whole response, or a chunk of a stream, in JSON.
func Chunk(value string) Block { return fakegemini.Chunk(value) }

// Signed gives a text, thought, call or image a thought signature, in place of the one that the
// server would make. "" leaves it without.
func Signed(signature string, b Block) Block { return fakegemini.Signed(signature, b) }

// OfCandidate gives content to the candidate of an index, of an answer with several.
func OfCandidate(index int, b Block) Block { return fakegemini.OfCandidate(index, b) }

// Pause sends nothing for a while.
func Pause(d time.Duration) Block { return fakegemini.Pause(d) }

// TTFT is the time to the first token: how long the client waits for the answer to begin.
func TTFT(d time.Duration) Block { return fakegemini.TTFT(d) }

// Pace sends so many tokens a second, each wait longer or shorter by at most the part that jitter
// says: 0.2 is 20 percent.
func Pace(tokensPerSecond, jitter float64) Block { return fakegemini.Pace(tokensPerSecond, jitter) }

// ChunkTokens splits texts into chunks of about so many tokens, between words.
func ChunkTokens(n int) Block { return fakegemini.ChunkTokens(n) }

// Finish is why the answer ends; without it, that is STOP.
func Finish(reason geminiapi.FinishReason) Block { return fakegemini.Finish(reason) }

// Continue ends the answer with CONTINUATION and a token, by which a client asks for the rest: the
// next [Fixture.Reply] answers that.
func Continue(token string) Block { return fakegemini.Continue(token) }

// Usage is what the answer is said to have cost; without it, tokens are counted.
func Usage(usage *geminiapi.UsageMetadata) Block { return fakegemini.Usage(usage) }
