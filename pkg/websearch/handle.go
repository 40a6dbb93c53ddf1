package websearch

import (
	"context"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	// ErrOtherFunction is wrapped by the error of [Client.Handle] for a call of another function
	// than [Name].
	ErrOtherFunction = errors.New("call of another function")
	// ErrIncompleteCall is wrapped by the error of [Client.Handle] for one piece of a streamed
	// call.
	ErrIncompleteCall = errors.New("call whose arguments are not complete")
)

// Handle runs the search that a model asked for and returns the function response to send back. It
// has the id and name of the call, and [Answer] as its content. A failed search is part of the
// answer, so that the model can correct its request. The event for the user is left out.
//
// Handle returns an error and no response if call is nil or calls another function
// ([ErrOtherFunction]), if it is a piece of a streamed call ([ErrIncompleteCall]), and if ctx has
// ended. A program that needs to know why a search failed calls [ParseRequest] with the arguments,
// then [Client.Search].
func (c *Client) Handle(ctx context.Context,
	call *geminiapi.FunctionCall) (*geminiapi.FunctionResponse, error) {
	if err := checkCall(call); err != nil {
		return nil, err
	}
	answer := c.answerForModel(ctx, call.Args)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("websearch: %w", err)
	}
	return &geminiapi.FunctionResponse{ID: call.ID, Name: call.Name, Response: answer}, nil
}

func checkCall(call *geminiapi.FunctionCall) error {
	switch {
	case call == nil:
		return fmt.Errorf("websearch: %w: no call", ErrOtherFunction)
	case call.WillContinue != nil && *call.WillContinue, call.PartialArgs != nil:
		return fmt.Errorf("websearch: %w", ErrIncompleteCall)
	case call.Name == nil || *call.Name != Name:
		return fmt.Errorf("websearch: %w: expected %s", ErrOtherFunction, Name)
	}
	return nil
}

func (c *Client) answerForModel(ctx context.Context, args jsontext.Value) jsontext.Value {
	response, err := c.run(ctx, args)
	if err != nil {
		return failed(failureOf(err), nil)
	}
	return succeeded(response)
}

func (c *Client) run(ctx context.Context, args jsontext.Value) (*Response, error) {
	request, err := ParseRequest(args)
	if err != nil {
		return nil, err
	}
	return c.Search(ctx, request)
}
