package gateway

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
)

// panicked returns the problem of a panic, which is logged with its stack: what it was about may be the client's, so
// that nobody else is told.
func (c *call) panicked(reason any) *problem.Problem {
	if reason == http.ErrAbortHandler {
		panic(reason)
	}
	if c.logger != nil {
		c.logger.Error("a request panicked", "request_id", c.id, "form", c.form.name,
			"panic", fmt.Sprint(reason), "stack", string(debug.Stack()))
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
