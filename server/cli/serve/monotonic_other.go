//go:build !linux

package serve

// monotonicMicroseconds returns 0: there is no systemd.
func monotonicMicroseconds() int64 { return 0 }
