package serve

import "golang.org/x/sys/unix"

// monotonicMicroseconds returns the time of CLOCK_MONOTONIC, which systemd uses.
func monotonicMicroseconds() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0
	}
	return now.Nano() / 1000
}
