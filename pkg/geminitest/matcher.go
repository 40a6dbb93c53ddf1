package geminitest

import (
	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Matcher is a condition on a request, for [On] and for the assertions of a [Server].
type Matcher = fakegemini.Matcher

// Fixture answers the requests that it matches. [On] makes a fixture. Several servers may use it.
type Fixture = fakegemini.Fixture

// Request is one request as the server received it, with its keys and tokens replaced by
// "REDACTED".
type Request = fakegemini.Request

// Model matches a model, without "models/".
func Model(names ...string) Matcher { return fakegemini.Model(names...) }

// Prompt matches a text in the user's last input.
func Prompt(part string) Matcher { return fakegemini.Prompt(part) }

// PromptExactly matches the whole text of the user's last input, where [Prompt] matches a part.
func PromptExactly(text string) Matcher { return fakegemini.PromptExactly(text) }

// System matches a text in the system instruction.
func System(part string) Matcher { return fakegemini.System(part) }

// Turn matches the number of earlier model turns: 0 is the first request of a conversation.
func Turn(n int) Matcher { return fakegemini.Turn(n) }

// ToolResult matches the result of a function in the last turn; "" is any function.
func ToolResult(function string, parts ...string) Matcher {
	return fakegemini.ToolResult(function, parts...)
}

// ToolResultFor matches the result of the call with an id in the last turn.
func ToolResultFor(id string) Matcher { return fakegemini.ToolResultFor(id) }

// Tool matches a request that declares all of the functions.
func Tool(functions ...string) Matcher { return fakegemini.Tool(functions...) }

// ResponseMIMEType matches the requested form of the answer, such as "application/json". A request
// without one has "text/plain".
func ResponseMIMEType(mimeType string) Matcher { return fakegemini.ResponseMIMEType(mimeType) }

// Signature matches a thought signature that the request sends back unchanged.
func Signature(signature string) Matcher { return fakegemini.Signature(signature) }

// Header matches a header with a value.
func Header(name, value string) Matcher { return fakegemini.Header(name, value) }

// Stream matches streamGenerateContent; with false it matches generateContent.
func Stream(streamed bool) Matcher { return fakegemini.Stream(streamed) }

// Operation matches a method that does not generate content, such as "countTokens".
func Operation(name string) Matcher { return fakegemini.Operation(name) }

// Chance makes a fixture match only with a probability from 0 to 1.
func Chance(probability float64) Matcher { return fakegemini.Chance(probability) }

// Where matches the requests for which holds returns true.
func Where(holds func(*Request) bool) Matcher { return fakegemini.Where(holds) }

// On returns a fixture for requests that all of the matchers match. Without matchers it matches
// each generateContent and streamGenerateContent.
func On(matchers ...Matcher) *Fixture { return fakegemini.On(matchers...) }
