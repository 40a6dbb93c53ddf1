package toolloop

import (
	"context"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/go-json-experiment/json/jsontext"
)

// Tool is a function that a model may call.
type Tool struct {
	// Declaration is what the model is told of the function.
	Declaration geminiapi.FunctionDeclaration
	// Handle runs a call. It may be called by several goroutines at once. The response needs
	// neither id nor name: they are those of the call. The call is its own to change. The context
	// ends with the time of the tool or of the run, and a Handle that does not return then is left
	// to itself.
	Handle Handler

	err error // of Func
}

// Handler runs a call of a function.
type Handler func(ctx context.Context, call *geminiapi.FunctionCall) (*geminiapi.FunctionResponse,
	error)

// Func makes a tool of a Go function. A is a struct, whose JSON is the arguments: the model is told
// its schema ([structured.SchemaOf]), and arguments are decoded and checked by [structured.Parse],
// so that the function is never called with others. R is anything that has a JSON form, see
// [gemini.FunctionResult].
//
// [New] returns the error of a type that cannot be arguments, and of a function that is nil.
func Func[A, R any](name, description string,
	f func(ctx context.Context, arguments A) (R, error)) Tool {
	if f == nil {
		return Tool{Declaration: named(name), err: errors.New("its function is nil")}
	}
	parameters, err := parametersOf[A]()
	if err != nil {
		return Tool{Declaration: named(name), err: fmt.Errorf("its arguments: %w", err)}
	}
	return Tool{
		Declaration: gemini.FunctionDeclaration(name, description, parameters),
		Handle: func(ctx context.Context,
			call *geminiapi.FunctionCall) (*geminiapi.FunctionResponse, error) {
			arguments, err := argumentsOf[A](call)
			if err != nil {
				return nil, err
			}
			result, err := f(ctx, arguments)
			if err != nil {
				return nil, err
			}
			return gemini.FunctionResult(call, result)
		},
	}
}

// named is the declaration of a tool that cannot be made.
func named(name string) geminiapi.FunctionDeclaration {
	return geminiapi.FunctionDeclaration{Name: &name}
}

// parametersOf returns the schema of arguments, nil for a struct without any.
func parametersOf[A any]() (jsontext.Value, error) {
	schema, err := structured.SchemaOf[A]()
	if err != nil {
		return nil, err
	}
	if string(jsonx.Member(schema, "type")) != `"object"` {
		return nil, errors.New("they must be a struct or a map")
	}
	if jsonx.Member(schema, "properties") == nil &&
		string(jsonx.Member(schema, "additionalProperties")) == "false" {
		return nil, nil
	}
	return schema, nil
}

// argumentsOf returns the arguments of a call.
func argumentsOf[A any](call *geminiapi.FunctionCall) (A, error) {
	text := string(jsonx.NonNull(call.Args))
	if text == "" {
		text = "{}"
	}
	arguments, err := structured.Parse[A](text)
	if err != nil {
		return arguments, &ArgumentsError{Name: jsonx.Deref(call.Name), Err: err}
	}
	return arguments, nil
}
