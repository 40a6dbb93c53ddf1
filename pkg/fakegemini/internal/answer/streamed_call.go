package answer

import (
	"regexp"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// streamsArguments reports whether the arguments of calls come in pieces, which only Vertex AI
// does, since Gemini 3, for who asks for it.
func (a *author) streamsArguments() bool {
	c := a.Request.ToolConfig
	if !a.isVertex || !a.isGemini3 || c == nil || c.FunctionCallingConfig == nil {
		return false
	}
	streams := c.FunctionCallingConfig.StreamFunctionCallArguments
	return streams != nil && *streams
}

// callPieces divides a call: its name and signature, then each value of the arguments by its path,
// then an empty call that ends it.
func callPieces(c *geminiapi.Candidate, part *geminiapi.Part) []geminiapi.Candidate {
	call := part.FunctionCall
	first := geminiapi.Part{
		FunctionCall: &geminiapi.FunctionCall{Name: call.Name, ID: call.ID,
			WillContinue: new(true)},
		ThoughtSignature: part.ThoughtSignature,
	}
	pieces := []geminiapi.Candidate{piece(c, first)}
	for _, arg := range appendArgs(nil, "$", call.Args) {
		pieces = append(pieces, piece(c, geminiapi.Part{
			FunctionCall: &geminiapi.FunctionCall{PartialArgs: []geminiapi.PartialArg{arg},
				WillContinue: new(true)},
		}))
	}
	return append(pieces, piece(c, geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{}}))
}

// appendArgs appends the values in a value that hold no others, each with its path. An object or
// list without anything in it has a path and no value; the arguments themselves are an object
// without being told.
func appendArgs(args []geminiapi.PartialArg, path string,
	value jsontext.Value) []geminiapi.PartialArg {
	before := len(args)
	switch value.Kind() {
	case jsontext.KindBeginObject:
		for name, member := range jsonx.Members(value) {
			args = appendArgs(args, path+step(name), member)
		}
	case jsontext.KindBeginArray:
		for i, element := range jsonx.Elements(value) {
			args = appendArgs(args, path+"["+strconv.Itoa(i)+"]", element)
		}
	default:
		return append(args, scalarArgs(path, value)...)
	}
	if len(args) == before && path != "$" {
		args = append(args, emptyArg(path, value))
	}
	return args
}

// emptyArg stands for an empty container. A path that ends in [] is that of a list.
func emptyArg(path string, value jsontext.Value) geminiapi.PartialArg {
	if value.Kind() == jsontext.KindBeginArray {
		path += "[]"
	}
	return geminiapi.PartialArg{JSONPath: &path}
}

// plainName is a name that stands in a path as it is.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// step is the step of a path to a member.
func step(name string) string {
	if plainName.MatchString(name) {
		return "." + name
	}
	quoted, _ := jsontext.AppendQuote(nil, name)
	return "[" + string(quoted) + "]"
}

// longText is how many tokens of a text come at once.
const longText = 8

// scalarArgs returns a value as the wire has it. A long text comes in pieces, and an empty piece
// ends it.
func scalarArgs(path string, value jsontext.Value) []geminiapi.PartialArg {
	arg := geminiapi.PartialArg{JSONPath: &path}
	switch value.Kind() {
	case jsontext.KindString:
		text, _ := jsontext.AppendUnquote(nil, value)
		return textArgs(path, string(text))
	case jsontext.KindNumber:
		number, _ := strconv.ParseFloat(string(value), 64)
		arg.NumberValue = &number
	case jsontext.KindTrue, jsontext.KindFalse:
		arg.BoolValue = new(value.Kind() == jsontext.KindTrue)
	default:
		arg.NullValue = new(geminiapi.NullValueNull)
	}
	return []geminiapi.PartialArg{arg}
}

func textArgs(path, text string) []geminiapi.PartialArg {
	pieces := tokens(text)
	if len(pieces) <= longText {
		return []geminiapi.PartialArg{{JSONPath: &path, StringValue: &text}}
	}
	var args []geminiapi.PartialArg
	for len(pieces) > 0 {
		n := min(longText, len(pieces))
		joined := ""
		for _, piece := range pieces[:n] {
			joined += piece
		}
		args = append(args,
			geminiapi.PartialArg{JSONPath: &path, StringValue: &joined, WillContinue: new(true)})
		pieces = pieces[n:]
	}
	return append(args, geminiapi.PartialArg{JSONPath: &path, StringValue: new("")})
}
