package gateway

import (
	"context"

	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
)

// failed returns the problem of an error of the way to the answer.
func (c *call) failed(err error) *problem.Problem {
	if p, ok := err.(*problem.Problem); ok {
		return p
	}
	if c.isEnding() {
		return problem.Closing()
	}
	p := problem.OfCall(err, c.callersKey)
	if p.Code == problem.CodeModelNotFound {
		c.hintModel(p)
	}
	return p
}

// isEnding reports whether the gateway was closed while the request was under way.
func (c *call) isEnding() bool { return context.Cause(c.request.Context()) == errEnding }

// hasLeft reports whether the client has gone.
func (c *call) hasLeft() bool { return c.request.Context().Err() != nil && !c.isEnding() }
