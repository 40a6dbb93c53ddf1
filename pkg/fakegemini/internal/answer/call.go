package answer

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/instance"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// calls returns the function calls of an answer, or nil. These are the calls that the prompt names
// for the current step. In the mode ANY it is at least the first allowed function.
func (a *author) calls() []geminiapi.Part {
	functions, mode := a.callable()
	if len(functions) == 0 || mode == geminiapi.FunctionCallingModeNone {
		return nil
	}
	var parts []geminiapi.Part
	for _, mention := range mentions(a.prompt.text, functions) {
		if mention.step == a.prompt.step {
			parts = append(parts, a.call(mention, len(parts)))
		}
	}
	if len(parts) == 0 && mode == geminiapi.FunctionCallingModeAny {
		parts = append(parts, a.call(mention{function: functions[0]}, 0))
	}
	return parts
}

// callable returns the allowed functions, and the mode.
func (a *author) callable() ([]*geminiapi.FunctionDeclaration, geminiapi.FunctionCallingMode) {
	var allowed []string
	mode := geminiapi.FunctionCallingModeAuto
	if c := a.Request.ToolConfig; c != nil && c.FunctionCallingConfig != nil {
		allowed = c.FunctionCallingConfig.AllowedFunctionNames
		if c.FunctionCallingConfig.Mode != nil {
			mode = *c.FunctionCallingConfig.Mode
		}
	}
	var functions []*geminiapi.FunctionDeclaration
	for i := range a.Request.Tools {
		for j := range a.Request.Tools[i].FunctionDeclarations {
			f := &a.Request.Tools[i].FunctionDeclarations[j]
			if f.Name != nil && (len(allowed) == 0 || slices.Contains(allowed, *f.Name)) {
				functions = append(functions, f)
			}
		}
	}
	return functions, mode
}

// call returns the part with a call. The Gemini API gives calls an id since Gemini 3; Vertex AI
// rarely does.
func (a *author) call(m mention, index int) geminiapi.Part {
	call := &geminiapi.FunctionCall{Name: m.function.Name, Args: m.args}
	if call.Args == nil {
		call.Args = arguments(m.function)
	}
	if a.isGemini3 && !a.isVertex {
		call.ID = new(a.seed.callID("call " + strconv.Itoa(a.prompt.step) + " " +
			strconv.Itoa(index)))
	}
	return geminiapi.Part{FunctionCall: call}
}

// arguments makes arguments from the declared schema; a function without a schema has none.
func arguments(f *geminiapi.FunctionDeclaration) jsontext.Value {
	schema := f.ParametersJSONSchema
	if f.Parameters != nil {
		schema, _ = json.Marshal(f.Parameters)
	}
	if len(schema) == 0 {
		return jsontext.Value("{}")
	}
	return instance.Arguments(schema)
}

// mention is the name of a function in a prompt.
type mention struct {
	function *geminiapi.FunctionDeclaration
	// args are the arguments after the name, or nil.
	args jsontext.Value
	// step is the number of results that must come first.
	step int
}

// maxCalls is the maximum number of calls that a prompt may ask for.
const maxCalls = 100

// mentions finds the names of functions in a prompt, as whole words. After the word "then", a call
// belongs to the next step; otherwise calls are parallel.
func mentions(text string, functions []*geminiapi.FunctionDeclaration) []mention {
	var found []mention
	step, after := 0, 0
	for at := 0; at < len(text) && len(found) < maxCalls; {
		function := functionAt(text, at, functions)
		if function == nil {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		if len(found) > 0 && saysThen(text[after:at]) {
			step++
		}
		at += len(*function.Name)
		args := objectAt(text[at:])
		at += args.end
		after = at
		found = append(found, mention{function: function, args: args.object, step: step})
	}
	return found
}

// functionAt returns the function with the longest name that begins at an offset, or nil.
func functionAt(text string, at int,
	functions []*geminiapi.FunctionDeclaration) *geminiapi.FunctionDeclaration {
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 && isNameRune(before) {
		return nil
	}
	var longest *geminiapi.FunctionDeclaration
	for _, f := range functions {
		rest, begins := strings.CutPrefix(text[at:], *f.Name)
		next, size := utf8.DecodeRuneInString(rest)
		if !begins || *f.Name == "" || size > 0 && isNameRune(next) {
			continue
		}
		if longest == nil || len(*f.Name) > len(*longest.Name) {
			longest = f
		}
	}
	return longest
}

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// saysThen reports whether a text contains the word "then".
func saysThen(text string) bool {
	isNoLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	return slices.Contains(strings.FieldsFunc(strings.ToLower(text), isNoLetter), "then")
}

// givenArguments are the arguments in a prompt after the name of a function.
type givenArguments struct {
	object jsontext.Value
	// end is the offset of their end.
	end int
}

// objectAt parses the JSON object at the beginning of a text, after white space and a colon or
// bracket.
func objectAt(text string) givenArguments {
	begin := strings.IndexFunc(text,
		func(r rune) bool { return !unicode.IsSpace(r) && r != ':' && r != '(' })
	if begin < 0 || text[begin] != '{' {
		return givenArguments{}
	}
	value, err := jsontext.NewDecoder(bytes.NewReader([]byte(text[begin:]))).ReadValue()
	if err != nil {
		return givenArguments{}
	}
	return givenArguments{object: value.Clone(), end: begin + len(value)}
}
