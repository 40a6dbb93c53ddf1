package target

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Origins maps the members of Gemini's request to pointers into a form's request.
type Origins struct {
	// Contents is the list that the contents and the instruction are made from, such as
	// "/messages".
	Contents string
	// Tools is the list that the tools are made from.
	Tools string
	// Settings maps names of members in Gemini's request and its generationConfig, such as "seed",
	// to the form's members.
	Settings map[string]string
}

// WithFormat returns the origins of a request that has the format of the answer in another member,
// such as the older "/output_format".
func (o *Origins) WithFormat(pointer string) *Origins {
	own := o.Settings["responseFormat"]
	if own == pointer {
		return o
	}
	out := *o
	out.Settings = maps.Clone(o.Settings)
	for name, at := range o.Settings {
		if below, isFormat := strings.CutPrefix(at, own); isFormat {
			out.Settings[name] = pointer + below
		}
	}
	return &out
}

// Places finds the origin of values in one request, more precisely than [Origins]. Each function
// returns "" if it does not know the origin. They are called only for a request that is refused.
type Places struct {
	// Content returns the pointer of the first element of a content.
	Content func(turn int) string
	// Function returns the pointer of the function that a declaration was made from. The index
	// counts the declarations of the form.
	Function func(index int, name string) string
	// Setting returns the pointer of the member that set a value, if Settings of [Origins] does not
	// have it. It may be nil.
	Setting func(name string) string
}

// Origin returns the pointer of a setting: the member of extra_body, else the form's member.
func (r *Request) Origin(name string) string {
	return cmp.Or(r.ExtraBody[strings.ToLower(name)], r.Origins.Settings[name])
}

// refused makes the error for a converted request that Gemini would refuse. It points to the places
// of the faults in the form's request.
func (r *Request) refused(err error, places *Places) error {
	const problem = "Gemini would refuse the converted request"
	found, ok := errors.AsType[*validation.Error](err)
	if !ok {
		return &refusal.Error{Problem: problem, Err: err}
	}
	inRequest := &validation.Error{Prefix: problem, Violations: slices.Clone(found.Violations)}
	for i := range inRequest.Violations {
		v := &inRequest.Violations[i]
		v.Pointer = r.originOf(v.Pointer, places)
	}
	if first := inRequest.Violations[0]; len(inRequest.Violations) == 1 {
		return &refusal.Error{Pointer: first.Pointer, Problem: problem + ": " + first.Reason(),
			Err: inRequest}
	}
	return &refusal.Error{Problem: inRequest.Error(), Err: inRequest}
}

// originOf returns the nearest known pointer into the form's request for a value of the converted
// request. "" is the whole request.
func (r *Request) originOf(converted string, places *Places) string {
	tokens := strings.Split(converted, "/")[1:]
	switch {
	case converted == "":
		return ""
	case tokens[0] == "contents" && len(tokens) > 1:
		return r.contentOrigin(tokens[1], places)
	case tokens[0] == "contents", tokens[0] == "systemInstruction":
		return r.Origins.Contents
	case tokens[0] == "tools":
		return r.toolOrigin(tokens, places)
	case tokens[0] == "generationConfig" && len(tokens) > 1:
		return r.settingOrigin(tokens[1], tokens[2:], places)
	default:
		return r.settingOrigin(tokens[0], tokens[1:], places)
	}
}

// contentOrigin returns the pointer of the first element of a turn.
func (r *Request) contentOrigin(turn string, places *Places) string {
	i, err := strconv.Atoi(turn)
	if err != nil {
		return r.Origins.Contents
	}
	return cmp.Or(places.Content(i), r.Origins.Contents)
}

// toolOrigin returns the pointer of the function that a declaration was made from, or of a member
// of extra_body.
func (r *Request) toolOrigin(tokens []string, places *Places) string {
	if index, name, ok := r.declaration(tokens); ok {
		if function := places.Function(index, name); function != "" {
			return function
		}
	}
	from := r.ExtraBody["tools"]
	if from == "" || len(tokens) < 2 {
		return cmp.Or(from, r.Origins.Tools)
	}
	before := len(r.Out.Tools) - len(r.NativeTools)
	if i, err := strconv.Atoi(tokens[1]); err == nil && i >= before {
		tokens[1] = strconv.Itoa(i - before)
	}
	return from + "/" + strings.Join(tokens[1:], "/")
}

// declaration returns the index and the name of the function for a pointer into the converted
// tools. ok is false for other pointers. It is also false for functions that are not in the first
// tool with functions, which has the form's.
func (r *Request) declaration(tokens []string) (index int, name string, ok bool) {
	if len(tokens) < 4 || tokens[2] != "functionDeclarations" {
		return 0, "", false
	}
	hasFunctions := func(t geminiapi.Tool) bool { return len(t.FunctionDeclarations) > 0 }
	first := slices.IndexFunc(r.Out.Tools, hasFunctions)
	index, err := strconv.Atoi(tokens[3])
	if err != nil || tokens[1] != strconv.Itoa(first) ||
		index >= len(r.Out.Tools[first].FunctionDeclarations) {
		return 0, "", false
	}
	return index, jsonx.Deref(r.Out.Tools[first].FunctionDeclarations[index].Name), true
}

// settingOrigin returns the pointer of the member that set a value of Gemini's request or its
// generationConfig. below continues the pointer if the member is Gemini's own.
func (r *Request) settingOrigin(name string, below []string, places *Places) string {
	if from := r.ExtraBody[strings.ToLower(name)]; from != "" {
		return strings.Join(append([]string{from}, below...), "/")
	}
	if places.Setting != nil {
		if member := places.Setting(name); member != "" {
			return member
		}
	}
	return r.Origins.Settings[name]
}
