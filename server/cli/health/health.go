// Package health answers health probes, for example from Kubernetes: whether the process is alive
// and whether it accepts work.
package health

import (
	"io"
	"net/http"
)

// Alive answers 200 while the process runs.
func Alive() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		Answer(w, http.StatusOK, "ok\n")
	})
}

// Ready answers 200 while isReady returns true, and otherwise 503. isReady must be safe for
// concurrent use.
func Ready(isReady func() bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !isReady() {
			Answer(w, http.StatusServiceUnavailable, "not ready\n")
			return
		}
		Answer(w, http.StatusOK, "ready\n")
	})
}

// Answer writes a text that caches must not store.
func Answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, text)
}
