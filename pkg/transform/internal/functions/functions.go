// Package functions declares the functions of a request of any form, and the tools that the server
// runs, and says which of them are to be called.
package functions

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

// Function is a function as a form declares it.
type Function struct {
	Name        *string
	Description *string
	Parameters  jsontext.Value
	// ParametersMember is where Parameters are, as a pointer, such as "/parameters".
	ParametersMember string
	Strict           *bool
}

// saysSame reports whether two functions are declared in the same words.
func (f *Function) saysSame(other *Function) bool {
	return jsonx.Deref(f.Description) == jsonx.Deref(other.Description) &&
		jsonx.Deref(f.Strict) == jsonx.Deref(other.Strict) &&
		bytes.Equal(jsonx.NonNull(f.Parameters), jsonx.NonNull(other.Parameters))
}

// LoseAgain reports a function at a pointer that is declared again, after the first declaration,
// which counts.
func LoseAgain(r *target.Request, first, again *Function, pointer string) {
	kind := report.Lost
	if first.saysSame(again) {
		kind = report.Approximated
	}
	r.Report.Add(kind, pointer, "declared before; the first declaration counts")
}

// Declare writes the declaration of a function that stands at a place of the form's request. The
// choice decides how closely calls follow their schemas, and so has to be read before. The error is
// a *[refusal.Error].
func Declare(r *target.Request, f *Function, choice *Choice, at *codec.Location,
	out *geminiapi.FunctionDeclaration) error {
	out.Name, out.Description = f.Name, f.Description
	if err := setParameters(r, f, at, out); err != nil {
		return err
	}
	switch strict := f.Strict; {
	case strict == nil:
	case !*strict:
		r.Report.Add(report.Approximated, at.Pointer()+"/strict",
			"Gemini follows the schema always")
	case !choice.bindsToSchemas():
		r.Report.Add(report.Approximated, at.Pointer()+"/strict",
			"Gemini follows the schema, and surely so with the tool choice validated")
	}
	return nil
}

// Set sets the functions, all in one tool. They stand in front of those that extra_body declares,
// if there are any: models since 2.5 have been seen to call only the functions of one tool
// (github.com/google-gemini/gemini-cli/pull/65).
func Set(r *target.Request, declarations []geminiapi.FunctionDeclaration) {
	if len(declarations) == 0 {
		return
	}
	for i := range r.NativeTools {
		if tool := &r.NativeTools[i]; len(tool.FunctionDeclarations) > 0 {
			tool.FunctionDeclarations = append(declarations, tool.FunctionDeclarations...)
			return
		}
	}
	r.Out.Tools = append(r.Out.Tools, geminiapi.Tool{FunctionDeclarations: declarations})
}

// Names returns the names of the functions that tools declare.
func Names(tools []geminiapi.Tool) map[string]bool {
	out := map[string]bool{}
	for i := range tools {
		for j := range tools[i].FunctionDeclarations {
			out[jsonx.Deref(tools[i].FunctionDeclarations[j].Name)] = true
		}
	}
	return out
}

// SetSearch lets the model search with Google, as Google's own endpoint for chat_completions does.
func SetSearch(r *target.Request) {
	searches := func(t geminiapi.Tool) bool { return t.GoogleSearch != nil }
	if !slices.ContainsFunc(r.NativeTools, searches) &&
		!slices.ContainsFunc(r.Out.Tools, searches) {
		r.Out.Tools = append(r.Out.Tools, geminiapi.Tool{GoogleSearch: &geminiapi.GoogleSearch{}})
	}
}

// AddNative adds the tools of extra_body behind all others, which completes the tools.
func AddNative(r *target.Request) {
	r.Out.Tools = append(r.Out.Tools, r.NativeTools...)
	showServerCalls(r)
}

// showServerCalls makes a request with functions and tools that the server runs one that the Gemini
// API takes: it refuses the two together unless their calls are shown ("Please enable
// tool_config.include_server_side_tool_invocations"). Models before Gemini 3 never take both.
func showServerCalls(r *target.Request) {
	if r.VertexAI || len(r.Traits.Thinking.Levels) == 0 || !r.HasFunctions() ||
		!slices.ContainsFunc(r.Out.Tools, isServerTool) {
		return
	}
	config := r.ToolConfig()
	if config.IncludeServerSideToolInvocations == nil {
		config.IncludeServerSideToolInvocations = new(true)
		r.Report.Add(report.Added,
			"/extra_body/google/tool_config/include_server_side_tool_invocations",
			"functions need it beside tools that the server runs")
	}
}

// isServerTool reports whether a tool is one that the server runs, alone or beside functions.
func isServerTool(t geminiapi.Tool) bool {
	t.FunctionDeclarations = nil
	return !t.IsEmpty()
}
