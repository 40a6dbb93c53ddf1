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

// Origins say what the members of Gemini's request are made of, as pointers into a form's request.
type Origins struct {
	// Contents is the list that the contents and the instruction are made of, such as "/messages".
	Contents string
	// Tools is the list that the tools are made of.
	Tools string
	// Settings are the members that set those of Gemini's request and of its generationConfig, by
	// their names there, such as "seed".
	Settings map[string]string
}

// WithFormat returns the origins of a request that has the form of the answer at another place,
// such as "/output_format", an older name of it.
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

// Places find what was converted in one request, more closely than [Origins]. Each returns "" for
// what it does not know. They are called only for a request that is refused.
type Places struct {
	// Content returns the pointer of what one of the contents begins with.
	Content func(turn int) string
	// Function returns the pointer of the function that a declaration was made of. The index is
	// that of the declaration among those of the form.
	Function func(index int, name string) string
	// Setting returns the pointer of what set a member, where Settings of [Origins] does not tell
	// it. It may be nil.
	Setting func(name string) string
}

// Origin returns the pointer of a setting: of the member of extra_body, or else of the form's
// member.
func (r *Request) Origin(name string) string {
	return cmp.Or(r.ExtraBody[strings.ToLower(name)], r.Origins.Settings[name])
}

// refused makes the error for a converted request that Gemini would refuse, with the places in the
// form's request that its faults come from.
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

// originOf returns the pointer into the form's request of what a value of the converted one was
// made of, the nearest that is known; "" for the whole request.
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

// contentOrigin returns the pointer of what a turn begins with.
func (r *Request) contentOrigin(turn string, places *Places) string {
	i, err := strconv.Atoi(turn)
	if err != nil {
		return r.Origins.Contents
	}
	return cmp.Or(places.Content(i), r.Origins.Contents)
}

// toolOrigin returns the pointer of the function that a declaration was made of, or of what
// extra_body has.
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

// declaration returns the index and the name of the function that a pointer into the converted
// tools is about. ok is false for other pointers, and for functions of another tool than the first
// one with functions, which has the form's.
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

// settingOrigin returns the pointer of what set a member of Gemini's request or of its
// generationConfig. The tokens below it lead on where the member is Gemini's own.
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
