package toolloop

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Loop asks a model and runs its calls. Make one with [New].
type Loop struct {
	model        gemini.Generator
	declarations []geminiapi.FunctionDeclaration
	handlers     map[string]Handler
	options      options
}

// New returns a loop for a model with tools. It returns [ErrNoModel] without a model. It returns a
// *[ToolError] for a tool without Handle or name, with a duplicate name or one that the API
// rejects, and for a [Func] that could not make its tool.
func New(model gemini.Generator, tools []Tool, opts ...Option) (*Loop, error) {
	if model == nil {
		return nil, ErrNoModel
	}
	l := &Loop{
		model: model, handlers: make(map[string]Handler, len(tools)),
		options: options{maxSteps: defaultMaxSteps, parallel: defaultParallel},
	}
	option.Apply(&l.options, opts)
	for i, tool := range tools {
		name := jsonx.Deref(tool.Declaration.Name)
		if err := l.add(name, tool); err != nil {
			return nil, &ToolError{Position: i, Name: name, Err: err}
		}
	}
	return l, nil
}

// add adds a tool, or returns what is wrong with the tool.
func (l *Loop) add(name string, tool Tool) error {
	switch {
	case tool.err != nil:
		return tool.err
	case name == "":
		return errors.New("it has no name")
	case tool.Handle == nil:
		return errors.New("it has no Handle")
	case l.handlers[name] != nil:
		return errors.New("an earlier tool has the same name")
	}
	if err := checkName(name); err != nil {
		return err
	}
	l.handlers[name] = tool.Handle
	l.declarations = append(l.declarations, tool.Declaration)
	return nil
}

// checkName returns why the API rejects the name of a function. It uses the check of requests that
// declare functions.
func checkName(name string) error {
	request := &geminiapi.GenerateContentRequest{
		Contents: []geminiapi.Content{gemini.UserText("any")},
		Tools:    []geminiapi.Tool{gemini.FunctionTool(geminiapi.FunctionDeclaration{Name: &name})},
	}
	if invalid, ok := errors.AsType[*validation.Error](gemini.ValidateRequest(request)); ok {
		return errors.New(invalid.Violations[0].Reason())
	}
	return nil
}

// Run asks the model and runs its calls until the model answers. The request must not declare
// functions itself; Run does not change it. With an error, the result covers the run up to the
// error. It is nil only for a request that Run rejects itself, with a *[RequestError] or
// [ErrNotMade]. Errors of the model's client are returned unchanged.
//
// Run waits for its tools up to the time limit of a tool ([WithToolTimeout]), the time limit of the
// run and the end of the context; see the package comment.
func (l *Loop) Run(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts ...gemini.CallOption,
) (*Result, error) {
	r, err := l.newRun(request, opts)
	if err != nil {
		return nil, err
	}
	err = r.steps(ctx)
	return r.result, err
}

// Stream does what [Loop.Run] does, with streamed answers. The last pair has the result, also with
// an error, unless Stream rejects the request itself. Leaving the loop ends the run.
func (l *Loop) Stream(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts ...gemini.CallOption,
) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r, err := l.newRun(request, opts)
		if err != nil {
			yield(Event{}, err)
			return
		}
		r.yield = func(event Event) bool { return yield(event, nil) }
		if err := r.steps(ctx); !errors.Is(err, errLeft) {
			yield(Event{Step: len(r.result.Steps), Result: r.result}, err)
		}
	}
}

// names returns the names of the tools.
func (l *Loop) names() []string {
	var names []string
	for i := range l.declarations {
		names = append(names, *l.declarations[i].Name)
	}
	return names
}

// errLeft ends a run whose caller left the loop.
var errLeft = errors.New("toolloop: the caller left the loop over the events")

// newRun returns a run of a request.
func (l *Loop) newRun(request *geminiapi.GenerateContentRequest, opts []gemini.CallOption) (*run,
	error) {
	if l == nil || l.model == nil {
		return nil, ErrNotMade
	}
	if request == nil {
		return nil, &RequestError{Problem: "no request"}
	}
	for i := range request.Tools {
		if declared := request.Tools[i].FunctionDeclarations; len(declared) > 0 {
			return nil, &RequestError{
				Pointer: fmt.Sprintf("/tools/%d/functionDeclarations", i),
				Problem: fmt.Sprintf("the request declares %q, which no tool answers; expected functions to be tools of the loop",
					jsonx.Deref(declared[0].Name)),
			}
		}
	}
	r := &run{Loop: l, request: *request, opts: opts,
		result: &Result{Contents: slices.Clone(request.Contents)}}
	if len(l.declarations) > 0 {
		r.request.Tools = append(slices.Clone(request.Tools),
			gemini.FunctionTool(l.declarations...))
	}
	return r, nil
}
