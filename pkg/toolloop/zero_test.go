package toolloop_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/exportedtest"
	"github.com/gemwire/gemwire/pkg/toolloop"
	"github.com/google/go-cmp/cmp"
)

// zeroErrors are all error types, by their names.
var zeroErrors = map[string]error{
	"ArgumentsError": &toolloop.ArgumentsError{}, "FinishError": &toolloop.FinishError{},
	"InterruptedError": &toolloop.InterruptedError{},
	"LimitError":       &toolloop.LimitError{}, "RequestError": &toolloop.RequestError{},
	"ToolError":  &toolloop.ToolError{},
	"PanicError": &toolloop.PanicError{}, "ToolTimeoutError": &toolloop.ToolTimeoutError{},
	"UnknownFunctionError": &toolloop.UnknownFunctionError{},
}

// zeroCalls has a call of each exported function with zero values and nil. It must neither panic
// nor call a model.
func zeroCalls(t *testing.T) map[string]func() {
	m := answering(answer)
	t.Cleanup(func() {
		if len(m.requests) > 0 {
			t.Error("a model was asked")
		}
	})
	fails := func(what string, err, want error) {
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	newWith := func(opts ...toolloop.Option) func() {
		return func() {
			loop, err := toolloop.New(m, nil, opts...)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = loop.Run(t.Context(), nil); !is[*toolloop.RequestError](err) {
				t.Error(err)
			}
		}
	}
	calls := map[string]func(){
		"New": func() {
			_, err := toolloop.New(nil, nil)
			fails("no model", err, toolloop.ErrNoModel)
			if _, err = toolloop.New(m, []toolloop.Tool{{}}); !is[*toolloop.ToolError](err) {
				t.Errorf("a zero tool: %v", err)
			}
			newWith(nil, nil)()
		},
		"Func": func() {
			for _, tool := range []toolloop.Tool{
				toolloop.Func[struct{}, any]("", "", nil),
				toolloop.Func("", "",
					func(context.Context, struct{}) (any, error) { return nil, nil }),
				toolloop.Func("f", "", func(context.Context, any) (any, error) { return nil, nil }),
			} {
				if _, err := toolloop.New(m, []toolloop.Tool{tool}); !is[*toolloop.ToolError](err) {
					t.Errorf("%+v: %v", tool, err)
				}
			}
		},
		"Loop.Run": func() {
			for _, loop := range []*toolloop.Loop{nil, {}} {
				_, err := loop.Run(t.Context(), &geminiapi.GenerateContentRequest{})
				fails("Run", err, toolloop.ErrNotMade)
			}
		},
		"Loop.Stream": func() {
			for _, loop := range []*toolloop.Loop{nil, {}} {
				for _, err := range loop.Stream(t.Context(), nil) {
					fails("Stream", err, toolloop.ErrNotMade)
				}
			}
		},
		"Result.Text":       func() { _, _ = (*toolloop.Result)(nil).Text(), new(toolloop.Result).Text() },
		"WithMaxSteps":      newWith(toolloop.WithMaxSteps(0)),
		"WithParallelCalls": newWith(toolloop.WithParallelCalls(0)),
		"WithTimeout":       newWith(toolloop.WithTimeout(0)),
		"WithToolTimeout":   newWith(toolloop.WithToolTimeout(0)),
		"WithStep":          newWith(toolloop.WithStep(nil)),
	}
	addMethods(t, calls, zeroErrors)
	return calls
}

// addMethods adds the methods of errors.
func addMethods(t *testing.T, calls map[string]func(), errs map[string]error) {
	for name, err := range errs {
		calls[name+".Error"] = func() {
			if err.Error() == "" {
				t.Errorf("%s has no text", name)
			}
		}
		if wrapper, ok := err.(interface{ Unwrap() error }); ok {
			calls[name+".Unwrap"] = func() { _ = wrapper.Unwrap() }
		}
		if located, ok := err.(interface{ Location() (string, int64) }); ok {
			calls[name+".Location"] = func() { _, _ = located.Location() }
		}
		if reasoned, ok := err.(interface{ Reason() string }); ok {
			calls[name+".Reason"] = func() { _ = reasoned.Reason() }
		}
	}
}

func TestEachExportedFunctionTakesZeroValues(t *testing.T) {
	t.Parallel()
	calls := zeroCalls(t)
	if diff := cmp.Diff(exportedtest.Functions(t), slices.Sorted(maps.Keys(calls))); diff != "" {
		t.Error(diff)
	}
	for _, call := range calls {
		call()
	}
}
