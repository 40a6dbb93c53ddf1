package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// failed converts an error to a problem.
func (c *call) failed(err error) *problem.Problem {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		c.blank(p)
		return p
	}
	switch cause := context.Cause(c.request.Context()); cause {
	case errEnding:
		return problem.Closing()
	case errCanceled, errDeleted:
		return problem.Stopped(cause)
	}
	if rest, ok := errors.AsType[*upstream.RestError](err); ok {
		c.end.Rest = &exchange.Rest{Account: rest.Account, Until: rest.Until, By: rest.By,
			Reason: errortext.WithoutPackage(rest.Err.Error())}
	}
	p := c.ofCall(err)
	if p.Code == problem.CodeModelNotFound {
		c.hintModel(p)
	}
	p.Shorten()
	c.blank(p)
	return p
}

// ofCall returns the problem of a failed Gemini call, and records the host of a failed connection.
func (c *call) ofCall(err error) *problem.Problem {
	if host := transporterror.Host(err); host != "" && !errors.Is(err, context.Canceled) {
		c.end.UpstreamHost = host
	}
	return problem.OfCall(err, problem.Caller{
		HasOwnKey: c.callersKey, IsProgram: c.inProcess != nil && c.inProcess.Client == "",
		Upstream: c.upstream.title(),
	})
}

// isEnding reports whether the gateway was closed while the request was in flight.
func (c *call) isEnding() bool { return context.Cause(c.request.Context()) == errEnding }

// hasLeft reports whether the client has disconnected.
func (c *call) hasLeft() bool { return c.request.Context().Err() != nil && !c.isEnding() }

// panicked returns the problem of a panic and logs it with its stack. The response does not contain
// the panic value, because it may hold another client's data.
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
		Message: "internal error; the gateway's log has the reason under the request ID " + c.id,
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

// cutOff ends an answer that cannot be completed. It closes the connection early so that the client
// notices.
func (c *call) cutOff(p *problem.Problem) *problem.Problem {
	c.note(p)
	panic(http.ErrAbortHandler)
}

// leftProblem is the problem of a client that has stopped reading.
func (c *call) leftProblem(err error) *problem.Problem {
	c.end.Canceled = true
	p := problem.ClientLeft()
	p.Err = err
	return p
}
