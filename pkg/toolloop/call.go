package toolloop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// answer runs the calls of a step at the same time, within the limit, and waits for all of them. It fails when the
// context ends or the loop over the events is left.
func (r *run) answer(ctx context.Context, step *Step) error {
	callCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	finished := make([]chan struct{}, len(step.Calls))
	for i := range finished {
		finished[i] = make(chan struct{})
	}
	slots := make(chan struct{}, r.options.parallel)
	var workers sync.WaitGroup
	workers.Go(func() {
		for i := range step.Calls {
			slots <- struct{}{}
			workers.Go(func() {
				defer func() { <-slots; close(finished[i]) }()
				r.call(callCtx, &step.Calls[i])
			})
		}
	})
	defer workers.Wait()
	for i := range finished {
		<-finished[i]
		if r.yield != nil && !r.yield(Event{Step: step.Number, Call: &step.Calls[i]}) {
			cancel()
			return errLeft
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("toolloop: step %d: %w", step.Number, err)
	}
	return nil
}

// call runs a call. When the context has ended, it does not.
func (r *run) call(ctx context.Context, call *Call) {
	if call.Err = ctx.Err(); call.Err != nil {
		return
	}
	begin := time.Now()
	call.Err = errNoResult // of a tool that ends its goroutine by runtime.Goexit
	defer func() {
		call.Duration = time.Since(begin)
		if call.Err != nil {
			call.Response = failure(call)
		}
		call.Response.ID, call.Response.Name = call.FunctionCall.ID, call.FunctionCall.Name
	}()
	call.Response, call.Err = r.handle(ctx, call.FunctionCall)
}

// failure tells the model of an error.
func failure(call *Call) *geminiapi.FunctionResponse {
	text := strings.ToValidUTF8(call.Err.Error(), string(utf8.RuneError)) // without which it has no form in JSON
	response, _ := gemini.FunctionResult(call.FunctionCall, errors.New(text))
	return response
}

// handle calls the tool.
func (r *run) handle(ctx context.Context, call *geminiapi.FunctionCall) (*geminiapi.FunctionResponse, error) {
	handler := r.handlers[optional.Value(call.Name)]
	if handler == nil {
		return nil, &UnknownFunctionError{Name: optional.Value(call.Name), Known: r.names()}
	}
	limited := ctx
	if r.options.toolTimeout > 0 {
		toolCtx, cancel := context.WithTimeout(ctx, r.options.toolTimeout)
		defer cancel()
		limited = toolCtx
	}
	var response *geminiapi.FunctionResponse
	err := recovered.Call(func() (err error) {
		response, err = handler(limited, clonedCall(call))
		return err
	})
	switch {
	case err != nil && errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil:
		return nil, &ToolTimeoutError{Limit: r.options.toolTimeout, Err: err}
	case err == nil && response == nil:
		return nil, errNoResult
	case err != nil:
		return nil, err
	}
	own := *response
	return &own, nil
}
