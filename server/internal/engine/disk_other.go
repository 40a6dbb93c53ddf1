//go:build !linux && !darwin && !windows

package engine

import "errors"

// diskRoom is not supported here.
func diskRoom(string) (free, total int64, err error) { return 0, 0, errors.ErrUnsupported }
