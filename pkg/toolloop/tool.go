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
	// Declaration describes the function to the model.
	Declaration geminiapi.FunctionDeclaration
	// Handle runs a call. It must be safe for concurrent use. The response needs neither id nor
	// name: they are set from the call. Handle may change the call. The context ends at the time
	// limit of the tool or of the run. A Handle that does not return by then is abandoned.
	Handle Handler

	err error // of Func
}

// Handler runs a call of a function.
type Handler func(ctx context.Context, call *geminiapi.FunctionCall) (*geminiapi.FunctionResponse,
	error)

// Func makes a tool of a Go function. A is a struct whose JSON form is the arguments: the model
// gets its schema ([structured.SchemaOf]), and [structured.Parse] decodes and checks the arguments,
// so the function is called with valid arguments only. R is anything that has a JSON form, see
// [gemini.FunctionResult].
//
// [New] returns the error for a type that cannot be arguments, and for a nil function.
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

// named is the declaration of a tool that could not be made.
func named(name string) geminiapi.FunctionDeclaration {
	return geminiapi.FunctionDeclaration{Name: &name}
}

// parametersOf returns the schema of arguments, nil for a struct without fields.
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
