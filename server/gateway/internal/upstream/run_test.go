package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// A request that was sent may be the cause of its failure. A request that found no connection is
// not.
func TestOnlyAnAttemptWithoutAConnectionIsUnreached(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for _, tt := range []struct {
		err         error
		isUnreached bool
	}{
		{refused, true},
		{fmt.Errorf("gemini: %w", refused), true},
		{&net.OpError{Op: "dial", Net: "tcp", Err: context.Canceled}, false},
		{&net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}, false},
		{&net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}, false},
		{io.ErrUnexpectedEOF, false},
		{gemini.DecodeError(503, nil, nil), false},
	} {
		var attempts []exchange.Attempt
		err := newPool().Run(t.Context(), &Call{
			Models: []string{"m"}, Method: "generateContent", Attempts: 1,
			Try:       func(*Try) error { return tt.err },
			OnAttempt: func(a exchange.Attempt) { attempts = append(attempts, a) },
		})
		if !errors.Is(err, tt.err) || len(attempts) != 1 ||
			attempts[0].IsUnreached != tt.isUnreached {
			t.Errorf("%v: %+v", tt.err, attempts)
		}
	}
}
