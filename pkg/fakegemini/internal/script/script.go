// Package script is what a test has the fake server answer: fixtures, each of which matches
// requests and answers them, and faults in the answers. A script is data, so that it can be a file
// as well as Go.
package script

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/go-json-experiment/json/jsontext"
)

// Script is a list of fixtures. The first one that matches a request answers it.
type Script struct {
	// Schema is where editors find the JSON Schema of the file. Nothing else reads it.
	Schema string `json:"$schema,omitzero"`
	// Strict refuses a request to generate content that no fixture matches. Otherwise the fake
	// answers it.
	Strict bool `json:"strict,omitzero"`
	// Seed is what chances and jitter follow from: equal seeds, equal outcomes.
	Seed uint64 `json:"seed,omitzero"`
	// Models are ids of models that the server has besides Google's.
	Models []string `json:"models,omitzero"`
	// Fixtures are in the order in which they are tried.
	Fixtures []Fixture `json:"fixtures"`
}

// Fixture answers the requests that it matches.
type Fixture struct {
	// Name is what reports call the fixture.
	Name string `json:"name,omitzero"`
	// Match is what a request must be like. The zero value matches every request to generate
	// content.
	Match Match `json:"match,omitzero"`
	// Reply is the answer of a fixture that has one, which it gives each time.
	Reply *Answer `json:"reply,omitzero"`
	// Replies are the answers of a fixture that has several, which it gives one after the other,
	// each once.
	Replies []Answer `json:"replies,omitzero"`
	// Times is how many requests the fixture answers; the last answer is repeated. Without it a
	// fixture with one answer answers any number, and one with several as many as it has. 0 is any
	// number.
	Times *int `json:"times,omitzero"`
	// Unchecked answers also what the real server would refuse.
	Unchecked bool `json:"unchecked,omitzero"`
}

// Answers returns the answers in their order.
func (f *Fixture) Answers() []Answer {
	if f.Reply != nil {
		return append([]Answer{*f.Reply}, f.Replies...)
	}
	return f.Replies
}

// limit is how many requests the fixture answers, -1 when there is no limit.
func (f *Fixture) limit() int {
	switch answers := len(f.Answers()); {
	case f.Times != nil && *f.Times > 0:
		return *f.Times
	case f.Times != nil || answers == 1:
		return -1
	default:
		return answers
	}
}

// Answer is what one request is answered with.
type Answer struct {
	// Blocks are what the answer consists of, in order. In a stream each piece is a chunk. Without
	// any, the candidate has no content, only a FinishReason.
	Blocks []Block `json:"blocks,omitzero"`
	// TTFT is the time to the first token: how long the answer keeps a client waiting.
	TTFT duration.Duration `json:"ttft,omitzero"`
	// TokensPerSecond is how fast the rest comes. Without it there is no wait.
	TokensPerSecond float64 `json:"tokensPerSecond,omitzero"`
	// Jitter is the part of each wait by which it may be longer or shorter, such as 0.2.
	Jitter float64 `json:"jitter,omitzero"`
	// ChunkTokens splits texts into chunks of about so many tokens. Without it a piece is a chunk.
	ChunkTokens int `json:"chunkTokens,omitzero"`
	// FinishReason is why the answer ends; without one it is STOP.
	FinishReason geminiapi.FinishReason `json:"finishReason,omitzero"`
	// ContinuationToken is the token by which a client asks for the rest. The answer ends with
	// CONTINUATION then, or, where a fault ends it, has the token as a checkpoint in its last
	// chunk.
	ContinuationToken string `json:"continuationToken,omitzero"`
	// Usage is what the answer is said to have cost. Without it the tokens are counted.
	Usage *geminiapi.UsageMetadata `json:"usage,omitzero"`
}

// Block is one of the pieces of an answer: exactly one of its members but Signature and Candidate
// is set.
type Block struct {
	// Text is a text, in the pieces in which a stream sends it.
	Text Pieces `json:"text,omitzero"`
	// JSON is a text that is JSON, in one piece.
	JSON jsontext.Value `json:"json,omitzero"`
	// Thought is a summary of thoughts, in pieces too.
	Thought Pieces `json:"thought,omitzero"`
	// Call is a call of one of the client's functions.
	Call *Call `json:"call,omitzero"`
	// Data is an image or other media.
	Data *Data `json:"data,omitzero"`
	// Part is any part as the wire has it.
	Part *geminiapi.Part `json:"part,omitzero"`
	// Grounding is where the answer comes from. It is sent with the chunk before it.
	Grounding *geminiapi.GroundingMetadata `json:"grounding,omitzero"`
	// Chunk is a whole chunk of a stream, or a whole response, as the wire has it.
	Chunk jsontext.Value `json:"chunk,omitzero"`
	// Pause is how long nothing is sent.
	Pause duration.Duration `json:"pause,omitzero"`
	// Fault is what goes wrong here.
	Fault *fault.Fault `json:"fault,omitzero"`

	// Signature is the thought signature of a text, thought or call. Without one the fake signs
	// what the model's rules ask for; "" keeps it from that.
	Signature *string `json:"signature,omitzero"`
	// Candidate is the index of the candidate that has the content, of an answer with several.
	Candidate int `json:"candidate,omitzero"`

	// Mistake is what is wrong with a block that was made in Go, such as a text as an event of an
	// error.
	Mistake error `json:"-"`
}

// Call is a function call.
type Call struct {
	Name string `json:"name"`
	// Args are the arguments, {} without any.
	Args jsontext.Value `json:"args,omitzero"`
	// ID is the call's id. Without one, it is made for the models that have ids.
	ID string `json:"id,omitzero"`
}

// Data is media.
type Data struct {
	MIMEType string `json:"mimeType"`
	// Data is base64.
	Data string `json:"data"`
}

// label is what reports call a fixture.
func (s *Script) label(i int) string {
	if name := s.Fixtures[i].Name; name != "" {
		return fmt.Sprintf("fixture %d (%s)", i+1, name)
	}
	return fmt.Sprintf("fixture %d", i+1)
}
