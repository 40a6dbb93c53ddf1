package answer

import (
	"regexp"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// streamsArguments reports whether arguments are streamed in pieces. Only Vertex AI does that,
// since Gemini 3, on request.
func (a *author) streamsArguments() bool {
	c := a.Request.ToolConfig
	if !a.isVertex || !a.isGemini3 || c == nil || c.FunctionCallingConfig == nil {
		return false
	}
	streams := c.FunctionCallingConfig.StreamFunctionCallArguments
	return streams != nil && *streams
}

// callPieces splits a call into its name and signature, each value of the arguments with its path,
// and an empty call that ends it.
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

// appendArgs appends the leaf values in a value, each with its path. An empty object or list has a
// path and no value. The arguments themselves are always an object and have no entry.
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

// emptyArg is an entry for an empty container. The path of a list ends in [].
func emptyArg(path string, value jsontext.Value) geminiapi.PartialArg {
	if value.Kind() == jsontext.KindBeginArray {
		path += "[]"
	}
	return geminiapi.PartialArg{JSONPath: &path}
}

// plainName matches a name that needs no quotes in a path.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// step returns the step of a path to a member.
func step(name string) string {
	if plainName.MatchString(name) {
		return "." + name
	}
	quoted, _ := jsontext.AppendQuote(nil, name)
	return "[" + string(quoted) + "]"
}

// longText is the number of tokens per piece of a text.
const longText = 8

// scalarArgs returns a value in the wire format. A long text is sent in pieces, and an empty piece
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
