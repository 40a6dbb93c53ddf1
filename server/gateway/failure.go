package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// failed returns the problem of an error of the way to the answer.
func (c *call) failed(err error) *problem.Problem {
	if p, ok := err.(*problem.Problem); ok {
		c.blank(p)
		return p
	}
	switch cause := context.Cause(c.request.Context()); cause {
	case errEnding:
		return problem.Closing()
	case errCanceled, errDeleted:
		return problem.Stopped(cause)
	}
	p := problem.OfCall(err, c.callersKey)
	if p.Code == problem.CodeModelNotFound {
		c.hintModel(p)
	}
	p.Shorten()
	c.blank(p)
	return p
}

// isEnding reports whether the gateway was closed while the request was under way.
func (c *call) isEnding() bool { return context.Cause(c.request.Context()) == errEnding }

// hasLeft reports whether the client has gone.
func (c *call) hasLeft() bool { return c.request.Context().Err() != nil && !c.isEnding() }

// panicked returns the problem of a panic, which is logged with its stack: what it was about may be
// the client's, so that nobody else is told.
func (c *call) panicked(reason any) *problem.Problem {
	if reason == http.ErrAbortHandler {
		panic(reason)
	}
	if c.logger != nil {
		c.logger.Error("a request panicked", "request_id", c.id, "form", c.form.name,
			"panic", c.recorders.Secrets.Text(fmt.Sprint(reason)), "stack",
			c.recorders.Secrets.Text(string(debug.Stack())))
	}
	p := &problem.Problem{
		Status: http.StatusInternalServerError, Type: problem.TypeServer, Code: "internal_error",
		Message: "the gateway failed; its log has the reason under the id " + c.id,
	}
	if c.isAnswered { // or a half looks like a whole
		c.cutOff(p)
	}
	return p
}

// cutOffPanicked cuts off an answer that cannot be written because its writer has panicked, for
// example in a heartbeat.
func (c *call) cutOffPanicked(err error) {
	if fault, ok := errors.AsType[*recovered.PanicError](err); ok {
		c.panicked(fault.Value)
	}
}

// cutOff ends an answer that cannot go on, so that the client notices: by a connection that is
// closed before the end.
func (c *call) cutOff(p *problem.Problem) *problem.Problem {
	c.note(p)
	panic(http.ErrAbortHandler)
}

// leftProblem is that of a client which does not read any more.
func (c *call) leftProblem(err error) *problem.Problem {
	c.end.Canceled = true
	p := problem.ClientLeft()
	p.Err = err
	return p
}
