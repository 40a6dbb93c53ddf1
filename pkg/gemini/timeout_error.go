package gemini

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// TimeoutError reports which of a client's own limits a call has reached. errors.Is finds [context.DeadlineExceeded],
// and the error is a net.Error whose Timeout returns true.
type TimeoutError struct {
	// Limit is the name of the limit: "overall", "attempt" or "stream idle".
	Limit string
	// After is the length of the limit.
	After time.Duration
}

func newTimeoutError(limit string, after time.Duration) error {
	return &TimeoutError{Limit: limit, After: after}
}

// Error returns a text such as "no end within the attempt timeout of 30s".
func (e *TimeoutError) Error() string {
	what := "no end within the "
	if e.Limit == transport.LimitIdle {
		what = "nothing came within the "
	}
	return what + e.Limit + " timeout of " + e.After.String()
}

// Is reports whether target is [context.DeadlineExceeded].
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout returns true.
func (e *TimeoutError) Timeout() bool { return true }

// Temporary returns true. The interface net.Error requires it.
func (e *TimeoutError) Temporary() bool { return true }
