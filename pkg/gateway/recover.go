package gateway

import (
	"fmt"
	"net/http"
	"runtime/debug"
)

// panicked returns the problem of a panic, which is logged with its stack: what it was about may be the client's, so
// that nobody else is told.
func (c *call) panicked(reason any) *Problem {
	if reason == http.ErrAbortHandler {
		panic(reason)
	}
	if c.logger != nil {
		c.logger.Error("a request panicked", "request_id", c.id, "form", c.form.name,
			"panic", fmt.Sprint(reason), "stack", string(debug.Stack()))
	}
	p := &Problem{
		Status: http.StatusInternalServerError, Type: typeServer, Code: "internal_error",
		Message: "the gateway failed; its log has the reason under the id " + c.id,
	}
	if c.isAnswered { // or a half looks like a whole
		c.cutOff(p)
	}
	return p
}
