package fakegemini

import (
	"encoding/base64"
	"errors"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
	"github.com/go-json-experiment/json/jsontext"
)

// Block is a piece of an answer, a pause in it, what goes wrong in it, or how it is sent; for
// [Fixture.Reply].
type Block func(*script.Answer)

func block(b script.Block) Block {
	return func(a *script.Answer) { a.Blocks = append(a.Blocks, b) }
}

// Text is a text, in the pieces in which a stream sends it.
func Text(pieces ...string) Block {
	return block(script.Block{Text: append(script.Pieces{}, pieces...)})
}

// JSON is a text that is JSON, in one piece: what a request with a response schema is answered
// with.
func JSON(value string) Block { return block(script.Block{JSON: jsontext.Value(value)}) }

// Thought is a summary of the model's thoughts, in the pieces in which a stream sends it.
func Thought(pieces ...string) Block {
	return block(script.Block{Thought: append(script.Pieces{}, pieces...)})
}

// Call is a call of one of the client's functions, with the arguments as a JSON object, {} for "".
// For models that have them it has an id and a thought signature, which is checked when it comes
// back.
func Call(function, args string) Block { return CallWithID("", function, args) }

// CallWithID is a [Call] with an id, such as the one of a call in the client's test data.
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

// Grounding is where the answer comes from. It is sent with the chunk before it.
func Grounding(metadata *geminiapi.GroundingMetadata) Block {
	return block(script.Block{Grounding: metadata})
}

// Part is any part, as the wire has it.
func Part(part geminiapi.Part) Block { return block(script.Block{Part: &part}) }

// Chunk is a whole response, or a chunk of a stream, in JSON. It is sent as it is, without anything
// added to it; a client that does not stream gets all chunks of an answer merged.
//
// It also answers other methods, see [Operation].
func Chunk(value string) Block { return block(script.Block{Chunk: jsontext.Value(value)}) }

// Signed gives a text, thought, call or image a thought signature, in place of the one that the
// server would make. "" leaves it without.
func Signed(signature string, b Block) Block {
	return change(b, func(made *script.Block) { made.Signature = &signature })
}

// OfCandidate gives content to the candidate of an index, of an answer with several. Other content
// is that of candidate 0.
func OfCandidate(index int, b Block) Block {
	return change(b, func(made *script.Block) { made.Candidate = index })
}

// change has a block made and then changed, which may be what is wrong with it.
func change(b Block, with func(*script.Block)) Block {
	return func(a *script.Answer) {
		before := len(a.Blocks)
		if b == nil {
			a.Blocks = append(a.Blocks,
				script.Block{Mistake: errors.New("the block that is changed is nil")})
			return
		}
		b(a)
		if len(a.Blocks) == before { // It says how the answer is sent, or why it ends.
			a.Blocks = append(a.Blocks, script.Block{})
		}
		with(&a.Blocks[len(a.Blocks)-1])
	}
}

// Pause sends nothing for a while.
func Pause(d time.Duration) Block { return block(script.Block{Pause: duration.Duration(d)}) }

// TTFT is the time to the first token: how long the client waits for the answer to begin.
func TTFT(d time.Duration) Block {
	return func(a *script.Answer) { a.TTFT = duration.Duration(d) }
}

// Pace sends so many tokens a second, each wait longer or shorter by at most the part that jitter
// says: 0.2 is 20 percent. A token is taken for four bytes of text.
func Pace(tokensPerSecond, jitter float64) Block {
	return func(a *script.Answer) { a.TokensPerSecond, a.Jitter = tokensPerSecond, jitter }
}

// ChunkTokens splits texts into chunks of about so many tokens, between words.
func ChunkTokens(n int) Block {
	return func(a *script.Answer) { a.ChunkTokens = n }
}

// Finish is why the answer ends; without it, that is STOP. Alone it makes an answer without
// content, as filters do.
func Finish(reason geminiapi.FinishReason) Block {
	return func(a *script.Answer) { a.FinishReason = reason }
}

// Continue ends the answer with CONTINUATION and a token, by which a client asks for the rest: the
// next [Fixture.Reply] answers that. With a fault behind it, such as [Cut], the token is a
// checkpoint in the last chunk before the fault.
func Continue(token string) Block {
	return func(a *script.Answer) { a.ContinuationToken = token }
}

// Usage is what the answer is said to have cost; without it, tokens are counted.
func Usage(usage *geminiapi.UsageMetadata) Block {
	return func(a *script.Answer) { a.Usage = usage }
}
