package fakegemini

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Matcher is a condition for a request, for [On] and for [Handler.Matching].
type Matcher func(*script.Match)

// matchOf returns what matchers ask for. One that is nil is a mistake.
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

// Model asks for a model, without "models/". Any of several will do, and * stands for any text:
// "gemini-3*".
func Model(names ...string) Matcher {
	return func(m *script.Match) { m.Model = append(m.Model, names...) }
}

// Prompt asks for a text in what the user said last. A turn of tool results is not matched by it:
// that is a request of its own, see [ToolResult], and with [Turn] beside it both are.
func Prompt(part string) Matcher {
	return func(m *script.Match) { m.Prompt = append(m.Prompt, script.Text{Contains: &part}) }
}

// PromptExactly asks for the whole text of what the user said last, as [Prompt] does for a part.
// The texts of several parts are joined by line feeds.
func PromptExactly(text string) Matcher {
	return func(m *script.Match) { m.Prompt = append(m.Prompt, script.Text{Exact: &text}) }
}

// System asks for a text in the system instruction.
func System(part string) Matcher {
	return func(m *script.Match) { m.System = append(m.System, script.Text{Contains: &part}) }
}

// Turn asks for the number of turns in which the model has spoken before: 0 is the first request of
// a conversation. It is read from the request, so that conversations at the same time do not
// disturb one another.
func Turn(n int) Matcher {
	return func(m *script.Match) { m.Turn = &n }
}

// ToolResult asks for the result of a function in the last turn, "" for that of any. Its JSON,
// without white space, has all of the texts.
func ToolResult(function string, parts ...string) Matcher {
	return func(m *script.Match) {
		result := &script.ToolResult{Name: function}
		for _, part := range parts {
			result.Content = append(result.Content, script.Text{Contains: &part})
		}
		m.ToolResult = result
	}
}

// ToolResultFor asks for the result of the call with an id in the last turn.
func ToolResultFor(id string) Matcher {
	return func(m *script.Match) { m.ToolResult = &script.ToolResult{ID: id} }
}

// Tool asks for functions that the request declares, all of them.
func Tool(functions ...string) Matcher {
	return func(m *script.Match) { m.Tool = append(m.Tool, functions...) }
}

// ResponseMIMEType asks for the form in which the answer is wanted, such as "application/json";
// "text/plain" is also that of a request which names none.
func ResponseMIMEType(mimeType string) Matcher {
	return func(m *script.Match) { m.ResponseMIMEType = mimeType }
}

// Signature asks for a thought signature that the request returns, as it was sent.
func Signature(signature string) Matcher {
	return func(m *script.Match) { m.Signature = signature }
}

// Header asks for a header with a value. Those that hold keys and tokens have the value "REDACTED".
func Header(name, value string) Matcher {
	return func(m *script.Match) {
		if m.Header == nil {
			m.Header = make(map[string]script.Text)
		}
		m.Header[name] = script.Text{Exact: &value}
	}
}

// Stream asks for streamGenerateContent, with false for generateContent.
func Stream(streamed bool) Matcher {
	return func(m *script.Match) { m.Stream = &streamed }
}

// Operation asks for another method than the two that generate content, such as "countTokens".
func Operation(name string) Matcher {
	return func(m *script.Match) { m.Operation = name }
}

// Chance lets a fixture match with a probability from 0 to 1 what it would match otherwise. What
// happens follows from the seed of the server, see [WithSeed]. A fixture in front of all others
// that fails now and then is
//
//	fakegemini.On(fakegemini.Chance(0.1)).Reply(fakegemini.Unavailable())
func Chance(probability float64) Matcher {
	return func(m *script.Match) { m.Chance = &probability }
}

// Where asks for anything that a function finds in a request. It must be safe for concurrent use.
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
