package message

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// ListenError explains why listening on an address failed, without the address. instead says how to
// choose another address, such as "--addr".
func ListenError(instead string, err error) error {
	op, ok := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("cannot listen there: the address is in use; choose another with %s",
			instead)
	case ok:
		return fmt.Errorf("cannot listen there: %w", op.Err)
	default:
		return err
	}
}
