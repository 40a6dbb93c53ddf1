package toolloop

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// runningTool is a call of a tool on its own goroutine. The run abandons it if the tool does not
// return in time. An abandoned tool cannot reach the run: it has a copy of the call, and the other
// fields may be read only after returned is closed.
type runningTool struct {
	name     string
	returned chan struct{} // closed when the rest is set

	response *geminiapi.FunctionResponse
	err      error
	failure  string // the text of err
}

// startTool starts a call. The tool gets its own copy of the call.
func startTool(ctx context.Context, handler Handler, call *geminiapi.FunctionCall) *runningTool {
	t := &runningTool{name: jsonx.Deref(call.Name), returned: make(chan struct{})}
	own := *call
	own.Args = slices.Clone(call.Args)
	go t.run(ctx, handler, &own)
	return t
}

// run calls the tool.
func (t *runningTool) run(ctx context.Context, handler Handler, call *geminiapi.FunctionCall) {
	defer close(t.returned)
	// of a tool that ends its goroutine with runtime.Goexit
	t.err, t.failure = errNoResult, errNoResult.Error()
	err := callRecovered(func() (err error) {
		t.response, err = handler(ctx, call)
		return err
	})
	if err == nil {
		err = checkResult(t.response)
	}
	if t.err = err; err == nil {
		return
	}
	if fault := callRecovered(func() error { t.failure = err.Error(); return nil }); fault != nil {
		t.failure = fault.Error() // of an error that is a nil pointer, for example
	}
}

// checkResult returns the reason why the response of a tool cannot be sent.
func checkResult(response *geminiapi.FunctionResponse) error {
	switch {
	case response == nil:
		return errNoResult
	case len(response.Response) > 0 &&
		!response.Response.IsValid(jsontext.AllowDuplicateNames(true)):
		return errNoJSON
	default:
		return nil
	}
}

// await waits until the tool has returned, its time limit is reached (0 is no limit), or the
// context has ended. It reports whether the tool has returned.
func (t *runningTool) await(ctx context.Context, limit time.Duration) bool {
	var over <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-t.returned:
		return true
	case <-over:
	case <-ctx.Done():
	}
	return t.comesBack()
}

// lastMoment is the time that a tool has to return after its limit. The end of a context wakes up
// the tools and the run at the same time. Without this delay it would be chance which of the tools
// are reported as still running.
const lastMoment = 50 * time.Millisecond

// comesBack reports whether the tool returns within lastMoment.
func (t *runningTool) comesBack() bool {
	timer := time.NewTimer(lastMoment)
	defer timer.Stop()
	select {
	case <-t.returned:
		return true
	case <-timer.C:
		return t.hasReturned()
	}
}

func (t *runningTool) hasReturned() bool {
	select {
	case <-t.returned:
		return true
	default:
		return false
	}
}

// What is wrong with results.
var (
	errNoResult = errors.New("no result")
	errNoJSON   = errors.New("the result is not JSON")
)
