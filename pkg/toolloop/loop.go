package toolloop

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Generator asks a model. A *[gemini.Client] is one.
type Generator interface {
	GenerateContent(context.Context, *geminiapi.GenerateContentRequest, ...gemini.Option) (*geminiapi.GenerateContentResponse, error)
	StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest, ...gemini.Option) iter.Seq2[*geminiapi.GenerateContentResponse, error]
}

// Loop runs the calls of a model. Make one with [New].
type Loop struct {
	model        Generator
	declarations []geminiapi.FunctionDeclaration
	handlers     map[string]Handler
	options      options
}

// New returns a loop over a model with tools. It fails for a tool that has no name, no Handle, or the name of
// another one, and returns the error of a [Func].
func New(model Generator, tools []Tool, opts ...Option) (*Loop, error) {
	l := &Loop{model: model, handlers: make(map[string]Handler, len(tools)), options: newOptions(opts)}
	for i, tool := range tools {
		name := optional.Value(tool.Declaration.Name)
		switch {
		case tool.err != nil:
			return nil, tool.err
		case name == "":
			return nil, fmt.Errorf("toolloop: tool %d has no name", i)
		case tool.Handle == nil:
			return nil, fmt.Errorf("toolloop: tool %q has no Handle", name)
		case l.handlers[name] != nil:
			return nil, fmt.Errorf("toolloop: two tools are named %q", name)
		}
		l.handlers[name] = tool.Handle
		l.declarations = append(l.declarations, tool.Declaration)
	}
	return l, nil
}

// Run asks the model and runs what it calls until it answers. The request must not declare functions itself; it
// is not changed. With an error the result has what came before, and is nil only for a request that is refused
// here. Errors of the model's client are returned as they are.
func (l *Loop) Run(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts ...gemini.Option,
) (*Result, error) {
	r, err := l.newRun(request, opts)
	if err != nil {
		return nil, err
	}
	err = r.steps(ctx)
	return r.result, err
}

// Stream does what [Loop.Run] does with streamed answers. The last pair has the result, also with an error, unless
// the request is refused here. Leaving the loop ends the run.
func (l *Loop) Stream(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts ...gemini.Option,
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

// errLeft is why a run ends whose loop was left.
var errLeft = errors.New("toolloop: the loop over the events was left")

// newRun returns a run of a request.
func (l *Loop) newRun(request *geminiapi.GenerateContentRequest, opts []gemini.Option) (*run, error) {
	if request == nil {
		return nil, errors.New("toolloop: no request")
	}
	for i := range request.Tools {
		if declared := request.Tools[i].FunctionDeclarations; len(declared) > 0 {
			return nil, fmt.Errorf("toolloop: /tools/%d/functionDeclarations: the request declares %q, which no tool answers; "+
				"expected functions to be tools of the loop", i, optional.Value(declared[0].Name))
		}
	}
	r := &run{Loop: l, request: *request, opts: opts, result: &Result{Contents: slices.Clone(request.Contents)}}
	if len(l.declarations) > 0 {
		r.request.Tools = append(slices.Clone(request.Tools), gemini.FunctionTool(l.declarations...))
	}
	return r, nil
}
