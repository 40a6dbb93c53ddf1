package geminitest

import (
	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Matcher is a condition for a request, for [On] and for the assertions of a [Server].
type Matcher = fakegemini.Matcher

// Fixture answers the requests that it matches. It is made by [On] and may be used by several
// servers.
type Fixture = fakegemini.Fixture

// Request is one request as the server received it, with its keys and tokens replaced by
// "REDACTED".
type Request = fakegemini.Request

// Model asks for a model, without "models/".
func Model(names ...string) Matcher { return fakegemini.Model(names...) }

// Prompt asks for a text in what the user said last.
func Prompt(part string) Matcher { return fakegemini.Prompt(part) }

// PromptExactly asks for the whole text of what the user said last, as [Prompt] does for a part.
func PromptExactly(text string) Matcher { return fakegemini.PromptExactly(text) }

// System asks for a text in the system instruction.
func System(part string) Matcher { return fakegemini.System(part) }

// Turn asks for the number of turns in which the model has spoken before: 0 is the first request of
// a conversation.
func Turn(n int) Matcher { return fakegemini.Turn(n) }

// ToolResult asks for the result of a function in the last turn, "" for that of any.
func ToolResult(function string, parts ...string) Matcher {
	return fakegemini.ToolResult(function, parts...)
}

// ToolResultFor asks for the result of the call with an id in the last turn.
func ToolResultFor(id string) Matcher { return fakegemini.ToolResultFor(id) }

// Tool asks for functions that the request declares, all of them.
func Tool(functions ...string) Matcher { return fakegemini.Tool(functions...) }

// ResponseMIMEType asks for the form in which the answer is wanted, such as "application/json";
// "text/plain" is also that of a request which names none.
func ResponseMIMEType(mimeType string) Matcher { return fakegemini.ResponseMIMEType(mimeType) }

// Signature asks for a thought signature that the request returns, as it was sent.
func Signature(signature string) Matcher { return fakegemini.Signature(signature) }

// Header asks for a header with a value.
func Header(name, value string) Matcher { return fakegemini.Header(name, value) }

// Stream asks for streamGenerateContent, with false for generateContent.
func Stream(streamed bool) Matcher { return fakegemini.Stream(streamed) }

// Operation asks for another method than the two that generate content, such as "countTokens".
func Operation(name string) Matcher { return fakegemini.Operation(name) }

// Chance lets a fixture match with a probability from 0 to 1 what it would match otherwise.
func Chance(probability float64) Matcher { return fakegemini.Chance(probability) }

// Where asks for anything that a function finds in a request.
func Where(holds func(*Request) bool) Matcher { return fakegemini.Where(holds) }

// On returns a fixture for requests that all of the matchers match; without any, for each
// generateContent and streamGenerateContent.
func On(matchers ...Matcher) *Fixture { return fakegemini.On(matchers...) }
