// Package functions declares the functions and server tools of a request in any form, and sets
// which functions to call.
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

// Function is a function declaration in a form.
type Function struct {
	Name        *string
	Description *string
	Parameters  jsontext.Value
	// ParametersMember is the pointer of Parameters, such as "/parameters".
	ParametersMember string
	Strict           *bool
}

// saysSame reports whether two function declarations are equal.
func (f *Function) saysSame(other *Function) bool {
	return jsonx.Deref(f.Description) == jsonx.Deref(other.Description) &&
		jsonx.Deref(f.Strict) == jsonx.Deref(other.Strict) &&
		bytes.Equal(jsonx.NonNull(f.Parameters), jsonx.NonNull(other.Parameters))
}

// LoseAgain reports a second declaration of a function, at a pointer. The first declaration counts.
func LoseAgain(r *target.Request, first, again *Function, pointer string) {
	kind := report.Lost
	if first.saysSame(again) {
		kind = report.Approximated
	}
	r.Report.Add(kind, pointer, "declared before, and the first declaration is used")
}

// Declare writes the declaration of the function at a location of the form's request. The choice
// decides how strictly calls follow their schemas, so it must be read first. The error is a
// *[refusal.Error].
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
			"Gemini always follows the schema")
	case !choice.bindsToSchemas():
		r.Report.Add(report.Approximated, at.Pointer()+"/strict",
			"Gemini follows the schema; the tool choice validated guarantees it")
	}
	return nil
}

// Set sets the functions, all in one tool, before the functions of extra_body. Models since 2.5
// have been seen to call only the functions of one tool
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

// SetSearch enables Google Search, as Google's own endpoint for chat completions does.
func SetSearch(r *target.Request) {
	searches := func(t geminiapi.Tool) bool { return t.GoogleSearch != nil }
	if !slices.ContainsFunc(r.NativeTools, searches) &&
		!slices.ContainsFunc(r.Out.Tools, searches) {
		r.Out.Tools = append(r.Out.Tools, geminiapi.Tool{GoogleSearch: &geminiapi.GoogleSearch{}})
	}
}

// AddNative adds the tools of extra_body after all others. The list of tools is then complete.
func AddNative(r *target.Request) {
	r.Out.Tools = append(r.Out.Tools, r.NativeTools...)
	showServerCalls(r)
}

// showServerCalls makes the Gemini API accept functions together with server tools. The API refuses
// that unless their calls are shown ("Please enable
// tool_config.include_server_side_tool_invocations"). Models before Gemini 3 never accept both.
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
			"functions together with server tools require it")
	}
}

// isServerTool reports whether a tool has a server tool, alone or in addition to functions.
func isServerTool(t geminiapi.Tool) bool {
	t.FunctionDeclarations = nil
	return !t.IsEmpty()
}
