// Package script plays the scripts of tests: fixtures that match requests and answer them, with
// faults in the answers. A script is data, so it can be a file or Go.
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
	// Schema is where editors find the JSON Schema of the file. It is ignored otherwise.
	Schema string `json:"$schema,omitzero"`
	// Strict refuses a request to generate content that no fixture matches. Otherwise the fake
	// answers it.
	Strict bool `json:"strict,omitzero"`
	// Seed is the seed for chances and jitter: equal seeds give equal outcomes.
	Seed uint64 `json:"seed,omitzero"`
	// Models are ids of additional models.
	Models []string `json:"models,omitzero"`
	// Fixtures are tried in this order.
	Fixtures []Fixture `json:"fixtures"`
}

// Fixture answers the requests that it matches.
type Fixture struct {
	// Name is the name of the fixture in reports.
	Name string `json:"name,omitzero"`
	// Match has the conditions for a request. The zero value matches every request to generate
	// content.
	Match Match `json:"match,omitzero"`
	// Reply is the only answer of a fixture, which it gives each time.
	Reply *Answer `json:"reply,omitzero"`
	// Replies are the answers of a fixture with several answers. It gives each once, in order.
	Replies []Answer `json:"replies,omitzero"`
	// Times is the number of requests that the fixture answers; it repeats its last answer. By
	// default a fixture with one answer has no limit, and a fixture with several answers gives each
	// once. 0 means no limit.
	Times *int `json:"times,omitzero"`
	// Unchecked also answers requests that the real server would refuse.
	Unchecked bool `json:"unchecked,omitzero"`
}

// Answers returns the answers in order.
func (f *Fixture) Answers() []Answer {
	if f.Reply != nil {
		return append([]Answer{*f.Reply}, f.Replies...)
	}
	return f.Replies
}

// limit returns the number of requests that the fixture answers, or -1 for no limit.
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

// Answer is the answer to one request.
type Answer struct {
	// Blocks are the parts of the answer, in order. In a stream each piece is a chunk. Without
	// blocks, the candidate has no content, only a FinishReason.
	Blocks []Block `json:"blocks,omitzero"`
	// TTFT is the time to the first token: how long the client waits for the first chunk.
	TTFT duration.Duration `json:"ttft,omitzero"`
	// TokensPerSecond is the speed of the rest. By default there is no wait.
	TokensPerSecond float64 `json:"tokensPerSecond,omitzero"`
	// Jitter is the part by which each wait may vary, such as 0.2.
	Jitter float64 `json:"jitter,omitzero"`
	// ChunkTokens splits texts into chunks of about this many tokens. By default a piece is a
	// chunk.
	ChunkTokens int `json:"chunkTokens,omitzero"`
	// FinishReason is the finish reason; the default is STOP.
	FinishReason geminiapi.FinishReason `json:"finishReason,omitzero"`
	// ContinuationToken is the token with which a client requests the rest. The answer then ends
	// with CONTINUATION. If a fault ends it, its last chunk has the token as a checkpoint.
	ContinuationToken string `json:"continuationToken,omitzero"`
	// Usage is the usage of the answer. By default the fake counts tokens.
	Usage *geminiapi.UsageMetadata `json:"usage,omitzero"`
}

// Block is one part of an answer. In addition to Signature and Candidate, exactly one of its
// members is set.
type Block struct {
	// Text is a text, in the pieces that a stream sends.
	Text Pieces `json:"text,omitzero"`
	// JSON is a text that is JSON, in one piece.
	JSON jsontext.Value `json:"json,omitzero"`
	// Thought is a summary of thoughts, in pieces too.
	Thought Pieces `json:"thought,omitzero"`
	// Call is a call of one of the client's functions.
	Call *Call `json:"call,omitzero"`
	// Data is an image or other media.
	Data *Data `json:"data,omitzero"`
	// Part is any part of the wire format.
	Part *geminiapi.Part `json:"part,omitzero"`
	// Grounding has the sources of the answer. The server sends it with the previous chunk.
	Grounding *geminiapi.GroundingMetadata `json:"grounding,omitzero"`
	// Chunk is a whole chunk of a stream, or a whole response, in the wire format.
	Chunk jsontext.Value `json:"chunk,omitzero"`
	// Pause is a duration in which nothing is sent.
	Pause duration.Duration `json:"pause,omitzero"`
	// Fault is a failure at this point.
	Fault *fault.Fault `json:"fault,omitzero"`

	// Signature is the thought signature of a text, thought or call. By default the fake adds the
	// signatures that the model requires; "" turns that off.
	Signature *string `json:"signature,omitzero"`
	// Candidate is the index of the candidate with this content, in an answer with several.
	Candidate int `json:"candidate,omitzero"`

	// Mistake is the error of a block that was made in Go, such as an error event made from a text.
	Mistake error `json:"-"`
}

// Call is a function call.
type Call struct {
	Name string `json:"name"`
	// Args are the arguments; the default is {}.
	Args jsontext.Value `json:"args,omitzero"`
	// ID is the call's id. By default the fake makes one for models with call ids.
	ID string `json:"id,omitzero"`
}

// Data is media.
type Data struct {
	MIMEType string `json:"mimeType"`
	// Data is base64.
	Data string `json:"data"`
}

// label returns the name of a fixture in reports.
func (s *Script) label(i int) string {
	if name := s.Fixtures[i].Name; name != "" {
		return fmt.Sprintf("fixture %d (%s)", i+1, name)
	}
	return fmt.Sprintf("fixture %d", i+1)
}
