package fakegemini

import (
	"encoding/base64"
	"errors"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Block is a piece of an answer, a pause, a fault, or a way to send the answer; for
// [Fixture.Reply].
type Block func(*script.Answer)

func block(b script.Block) Block {
	return func(a *script.Answer) { a.Blocks = append(a.Blocks, b) }
}

// Text is a text, in the pieces that a stream sends.
func Text(pieces ...string) Block {
	return block(script.Block{Text: append(script.Pieces{}, pieces...)})
}

// JSON is a text that is JSON, in one piece: an answer to a request with a response schema.
func JSON(value string) Block { return block(script.Block{JSON: jsontext.Value(value)}) }

// Thought is a summary of the model's thoughts, in the pieces that a stream sends.
func Thought(pieces ...string) Block {
	return block(script.Block{Thought: append(script.Pieces{}, pieces...)})
}

// Call is a call of one of the client's functions. args is a JSON object; "" means {}. For
// models that use them, the call has an id and a thought signature. The server checks the signature
// when the client sends it back.
func Call(function, args string) Block { return CallWithID("", function, args) }

// CallWithID is a [Call] with an id, such as the id of a call in the client's test data.
func CallWithID(id, function, args string) Block {
	call := &script.Call{Name: function, ID: id}
	if args != "" {
		call.Args = jsontext.Value(args)
	}
	return block(script.Block{Call: call})
}

// Image is an image or other media that the model made.
func Image(mimeType string, data []byte) Block {
	return block(script.Block{Data: &script.Data{MIMEType: mimeType,
		Data: base64.StdEncoding.EncodeToString(data)}})
}

// Grounding is the sources of an answer. The sources are sent in the chunk of the preceding block.
func Grounding(metadata *geminiapi.GroundingMetadata) Block {
	return block(script.Block{Grounding: metadata})
}

// Part is any part of the wire format.
func Part(part geminiapi.Part) Block { return block(script.Block{Part: &part}) }

// Step is a step of an interaction as JSON. Use it for steps without a block of their own, such as
// a search or a call of an MCP server. It is in answers of the Interactions API only; an answer of
// generateContent has the step in an unknown member of a part.
func Step(step interactionsapi.Step) Block {
	return func(a *script.Answer) {
		value, err := json.Marshal(step, json.Deterministic(true))
		if err != nil {
			a.Blocks = append(a.Blocks, script.Block{Mistake: err})
			return
		}
		extension := `{"extraContent":{"interactions":{"step":` + string(value) + `}}}`
		a.Blocks = append(a.Blocks,
			script.Block{Part: &geminiapi.Part{Unknown: jsontext.Value(extension)}})
	}
}

// Chunk is a whole response, or a chunk of a stream, in JSON. The server sends it unchanged. For a
// client that does not stream, it merges all chunks of an answer.
//
// It also answers other methods, see [Operation].
func Chunk(value string) Block { return block(script.Block{Chunk: jsontext.Value(value)}) }

// Signed gives a text, thought, call or image a thought signature instead of the one that the
// server would make. "" omits the signature.
func Signed(signature string, b Block) Block {
	return change(b, func(made *script.Block) { made.Signature = &signature })
}

// OfCandidate assigns content to the candidate with an index, in an answer with several candidates.
// Other content belongs to candidate 0.
func OfCandidate(index int, b Block) Block {
	return change(b, func(made *script.Block) { made.Candidate = index })
}

// change makes a block and then changes it; the change may fail.
func change(b Block, with func(*script.Block)) Block {
	return func(a *script.Answer) {
		before := len(a.Blocks)
		if b == nil {
			a.Blocks = append(a.Blocks,
				script.Block{Mistake: errors.New("the block to change is nil")})
			return
		}
		b(a)
		if len(a.Blocks) == before { // It sets how the answer is sent, or its finish reason.
			a.Blocks = append(a.Blocks, script.Block{})
		}
		with(&a.Blocks[len(a.Blocks)-1])
	}
}

// Pause sends nothing for a duration.
func Pause(d time.Duration) Block { return block(script.Block{Pause: duration.Duration(d)}) }

// TTFT is the time to the first token: how long the client waits for the first chunk.
func TTFT(d time.Duration) Block {
	return func(a *script.Answer) { a.TTFT = duration.Duration(d) }
}

// Pace sets a speed in tokens per second. jitter varies each wait by at most this part: 0.2 is 20
// percent. Four bytes of text count as one token.
func Pace(tokensPerSecond, jitter float64) Block {
	return func(a *script.Answer) { a.TokensPerSecond, a.Jitter = tokensPerSecond, jitter }
}

// ChunkTokens splits texts between words into chunks of about n tokens.
func ChunkTokens(n int) Block {
	return func(a *script.Answer) { a.ChunkTokens = n }
}

// Finish sets the finish reason; the default is STOP. Alone it makes an answer without content, as
// filters do.
func Finish(reason geminiapi.FinishReason) Block {
	return func(a *script.Answer) { a.FinishReason = reason }
}

// Continue ends the answer with CONTINUATION and a token, with which a client requests the rest.
// The next [Fixture.Reply] answers that request. With a fault after it, such as [Cut], the token is
// a checkpoint in the last chunk before the fault.
func Continue(token string) Block {
	return func(a *script.Answer) { a.ContinuationToken = token }
}

// Usage sets the usage of the answer; by default the server counts tokens.
func Usage(usage *geminiapi.UsageMetadata) Block {
	return func(a *script.Answer) { a.Usage = usage }
}
