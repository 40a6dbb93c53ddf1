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

// calls returns the function calls of an answer, nil for none: those that the prompt asks for by
// name in the step that the conversation has come to, or with the mode ANY at least the first
// function that may be called.
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

// callable returns the functions that may be called, and the mode.
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

// call returns the part of a call. The Gemini API gives calls an id since Gemini 3, Vertex AI
// seldom does.
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

// arguments are made from the declared schema; a function without one has none.
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

// mention is a place in a prompt that names a function.
type mention struct {
	function *geminiapi.FunctionDeclaration
	// args are those that stand behind the name, nil for none.
	args jsontext.Value
	// step is how many results must have come before.
	step int
}

// maxCalls is how many calls a prompt may ask for.
const maxCalls = 100

// mentions finds the names of functions in a prompt, each as a word of its own. The word "then"
// between two of them puts the second into the next step; otherwise both are called at once.
func mentions(text string, functions []*geminiapi.FunctionDeclaration) []mention {
	var found []mention
	step, behind := 0, 0
	for at := 0; at < len(text) && len(found) < maxCalls; {
		function := functionAt(text, at, functions)
		if function == nil {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		if len(found) > 0 && saysThen(text[behind:at]) {
			step++
		}
		at += len(*function.Name)
		args := objectAt(text[at:])
		at += args.end
		behind = at
		found = append(found, mention{function: function, args: args.object, step: step})
	}
	return found
}

// functionAt returns the function with the longest name that begins at a place, nil for none.
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

// saysThen reports whether a text has the word "then".
func saysThen(text string) bool {
	isNoLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	return slices.Contains(strings.FieldsFunc(strings.ToLower(text), isNoLetter), "then")
}

// givenArguments are those that a prompt holds behind the name of a function.
type givenArguments struct {
	object jsontext.Value
	// end is where they end.
	end int
}

// objectAt reads the JSON object with which a text begins, but for white space and a colon or
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
