package toolloop

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// answer runs the calls of a step concurrently, within the limit. It waits for all of them. It
// waits for a tool that ignores its context until the time limit of the tool or of the run. It
// fails when the context ends or the caller leaves the loop over the events.
func (r *run) answer(ctx context.Context, step *Step) error {
	b := r.begin(ctx, step.Calls)
	defer b.workers.Wait()
	defer b.stop()
	for i := range step.Calls {
		<-b.finished[i]
		call := &step.Calls[i]
		if r.yield != nil && call.Response != nil &&
			!r.yield(Event{Step: step.Number, Call: call}) {
			return errLeft
		}
	}
	r.tools = append(r.tools, b.tools...)
	if err := ctx.Err(); err != nil {
		return &InterruptedError{Step: step.Number, Running: r.running(), Err: err}
	}
	return nil
}

// running returns the names of the tools that have not returned, without repetitions.
func (r *run) running() []string {
	var names []string
	for _, tool := range r.tools {
		if tool != nil && !tool.hasReturned() && !slices.Contains(names, tool.name) {
			names = append(names, tool.name)
		}
	}
	return names
}

// batch is the calls of one step in flight.
type batch struct {
	run *run
	ctx context.Context // of the run; when it ends, no tool is waited for any longer
	// of the tools; it also ends when the caller leaves the loop over the events, and then the run
	// waits for the tools
	toolCtx context.Context
	stop    context.CancelFunc

	workers sync.WaitGroup
	// closed when a call, and its element of tools, receive no more writes
	finished []chan struct{}
	tools    []*runningTool // of each call, nil for a call that did not run
}

// begin starts to run calls, as many at once as the limit allows.
func (r *run) begin(ctx context.Context, calls []Call) *batch {
	b := &batch{run: r, ctx: ctx, finished: make([]chan struct{}, len(calls)),
		tools: make([]*runningTool, len(calls))}
	b.toolCtx, b.stop = context.WithCancel(ctx)
	queue := make(chan int, len(calls))
	for i := range calls {
		b.finished[i] = make(chan struct{})
		queue <- i
	}
	close(queue)
	for range min(r.options.parallel, len(calls)) {
		b.workers.Go(func() {
			for i := range queue {
				b.tools[i] = b.call(&calls[i])
				close(b.finished[i])
			}
		})
	}
	return b
}

// call runs a call, unless the context has ended, and returns the tool that it called.
func (b *batch) call(call *Call) *runningTool {
	if call.Err = b.toolCtx.Err(); call.Err != nil {
		return nil
	}
	name := jsonx.Deref(call.FunctionCall.Name)
	handler := b.run.handlers[name]
	if handler == nil {
		call.Err = &UnknownFunctionError{Name: name, Known: b.run.names()}
		call.fail(call.Err.Error())
		return nil
	}
	begin := time.Now()
	tool := b.handle(call, handler)
	call.Duration = time.Since(begin)
	return tool
}

// handle calls a tool and stores the result in the call.
func (b *batch) handle(call *Call, handler Handler) *runningTool {
	toolCtx, cancel, limit := b.toolCtx, func() {}, b.run.options.toolTimeout
	if limit > 0 {
		toolCtx, cancel = context.WithTimeout(b.toolCtx, limit)
	}
	defer cancel()
	tool := startTool(toolCtx, handler, call.FunctionCall)
	isBack := tool.await(b.ctx, limit)
	isLate := errors.Is(toolCtx.Err(), context.DeadlineExceeded) && b.toolCtx.Err() == nil
	switch {
	case !isBack && b.ctx.Err() != nil:
		call.Err = b.ctx.Err()
	case !isBack:
		call.Err = &ToolTimeoutError{Limit: limit, Running: true, Err: context.DeadlineExceeded}
		call.fail(call.Err.Error())
	case tool.err != nil && isLate:
		call.Err = &ToolTimeoutError{Limit: limit, Err: tool.err}
		call.fail(call.Err.Error())
	case tool.err != nil:
		call.Err = tool.err
		call.fail(tool.failure)
	default:
		call.succeed(*tool.response)
	}
	return tool
}

// fail stores an error as the result that the model gets.
func (c *Call) fail(text string) {
	text = strings.ToValidUTF8(text, string(utf8.RuneError)) // without which it has no form in JSON
	response, _ := gemini.FunctionResult(c.FunctionCall, errors.New(text))
	c.succeed(*response)
}

// succeed stores a result for the model.
func (c *Call) succeed(response geminiapi.FunctionResponse) {
	response.ID, response.Name = c.FunctionCall.ID, c.FunctionCall.Name
	c.Response = &response
}
