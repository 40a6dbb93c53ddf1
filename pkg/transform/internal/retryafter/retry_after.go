// Package retryafter reads the header Retry-After.
package retryafter

import (
	"net/http"
	"strconv"
	"time"
)

// Delay returns the delay that a server asks for, in seconds or as a time. It is 0 or less if the
// server asks for none.
func Delay(header http.Header) time.Duration {
	after := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(after, 64); err == nil {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(after); err == nil {
		return time.Until(at).Round(time.Second)
	}
	return 0
}
