package generator

import (
	"syscall"
	"time"
)

// sleepUntil sleeps in the kernel: the timers of the runtime may be a millisecond late where
// nothing else runs.
func sleepUntil(due time.Time) {
	for {
		left := time.Until(due)
		if left <= 0 {
			return
		}
		span := syscall.NsecToTimespec(int64(left))
		_ = syscall.Nanosleep(&span, nil) // by a signal it ends early, and begins again
	}
}

// sleepPrecisely has the kernel wake this thread within a microsecond, in place of the usual 50.
func sleepPrecisely() {
	const setTimerSlack = 29 // PR_SET_TIMERSLACK of prctl(2)
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
}
