package fakegemini

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Matcher is a condition on a request, for [On] and for [Handler.Matching].
type Matcher func(*script.Match)

// matchOf combines matchers. A nil matcher is an error.
func matchOf(matchers []Matcher) script.Match {
	var match script.Match
	for i, matcher := range matchers {
		if matcher == nil {
			match.Mistake = fmt.Errorf("matcher %d is nil", i)
			continue
		}
		matcher(&match)
	}
	return match
}

// Model matches a model, without "models/". With several names, one must match. * stands for any
// text: "gemini-3*".
func Model(names ...string) Matcher {
	return func(m *script.Match) { m.Model = append(m.Model, names...) }
}

// Prompt matches a text in the user's last input. It does not match a turn of tool results, which
// is a separate request, see [ToolResult]. Together with [Turn] it matches both.
func Prompt(part string) Matcher {
	return func(m *script.Match) { m.Prompt = append(m.Prompt, script.Text{Contains: &part}) }
}

// PromptExactly matches the whole text of the user's last input, where [Prompt] matches a part.
// Line feeds join the texts of several parts.
func PromptExactly(text string) Matcher {
	return func(m *script.Match) { m.Prompt = append(m.Prompt, script.Text{Exact: &text}) }
}

// System matches a text in the system instruction.
func System(part string) Matcher {
	return func(m *script.Match) { m.System = append(m.System, script.Text{Contains: &part}) }
}

// Turn matches the number of earlier model turns: 0 is the first request of a conversation. The
// number comes from the request, so parallel conversations do not affect each other.
func Turn(n int) Matcher {
	return func(m *script.Match) { m.Turn = &n }
}

// ToolResult matches the result of a function in the last turn; "" is any function. Its JSON,
// without white space, must contain all of the texts.
func ToolResult(function string, parts ...string) Matcher {
	return func(m *script.Match) {
		result := &script.ToolResult{Name: function}
		for _, part := range parts {
			result.Content = append(result.Content, script.Text{Contains: &part})
		}
		m.ToolResult = result
	}
}

// ToolResultFor matches the result of the call with an id in the last turn.
func ToolResultFor(id string) Matcher {
	return func(m *script.Match) { m.ToolResult = &script.ToolResult{ID: id} }
}

// Tool matches a request that declares all of the functions.
func Tool(functions ...string) Matcher {
	return func(m *script.Match) { m.Tool = append(m.Tool, functions...) }
}

// ResponseMIMEType matches the requested form of the answer, such as "application/json". A request
// without one has "text/plain".
func ResponseMIMEType(mimeType string) Matcher {
	return func(m *script.Match) { m.ResponseMIMEType = mimeType }
}

// Signature matches a thought signature that the request sends back unchanged.
func Signature(signature string) Matcher {
	return func(m *script.Match) { m.Signature = signature }
}

// Header matches a header with a value. Headers with keys and tokens have the value "REDACTED".
func Header(name, value string) Matcher {
	return func(m *script.Match) {
		if m.Header == nil {
			m.Header = make(map[string]script.Text)
		}
		m.Header[name] = script.Text{Exact: &value}
	}
}

// Stream matches streamGenerateContent; with false it matches generateContent.
func Stream(streamed bool) Matcher {
	return func(m *script.Match) { m.Stream = &streamed }
}

// Operation matches a method that does not generate content, such as "countTokens".
func Operation(name string) Matcher {
	return func(m *script.Match) { m.Operation = name }
}

// Chance makes a fixture match only with a probability from 0 to 1. The outcomes depend on the seed
// of the server, see [WithSeed]. A fixture before all others that fails sometimes is
//
//	fakegemini.On(fakegemini.Chance(0.1)).Reply(fakegemini.Unavailable())
func Chance(probability float64) Matcher {
	return func(m *script.Match) { m.Chance = &probability }
}

// Where matches the requests for which the function returns true. The function must be safe for
// concurrent use.
func Where(holds func(*Request) bool) Matcher {
	return func(m *script.Match) {
		if holds == nil {
			m.Mistake = errors.New("the condition of Where is nil")
			return
		}
		first := m.Func
		m.Func = func(r *received.Request) bool {
			request := newRequest(r)
			return (first == nil || first(r)) && holds(&request)
		}
	}
}
