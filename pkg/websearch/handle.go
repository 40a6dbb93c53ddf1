package websearch

import (
	"context"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	// ErrOtherFunction is wrapped by the error of [Client.Handle] for a call of a function that is
	// not [Name].
	ErrOtherFunction = errors.New("call of another function")
	// ErrIncompleteCall is wrapped by the error of [Client.Handle] for a piece of a call whose
	// arguments are being streamed.
	ErrIncompleteCall = errors.New("call whose arguments are not complete")
)

// Handle runs the search that a model asked for and returns what to send back: a function response
// with the id and name of the call, and [Answer] as its content. That a search failed is part of
// the answer, where the model reads it and can mend its request; the event for the user is left
// out.
//
// It returns an error, and no response, when call is nil or not one of this function
// ([ErrOtherFunction]), when it is a piece of a streamed call ([ErrIncompleteCall]), and when ctx
// has ended. A program that has to know why a search failed calls [ParseRequest] with the
// arguments, then [Client.Search].
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
