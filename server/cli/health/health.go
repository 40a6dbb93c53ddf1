// Package health answers those who look whether a process is alive and takes work, such as
// Kubernetes.
package health

import (
	"io"
	"net/http"
)

// Alive answers as long as the process does.
func Alive() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		Answer(w, http.StatusOK, "ok\n")
	})
}

// Ready answers 200 while isReady says so, and else 503. isReady is called by several goroutines.
func Ready(isReady func() bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !isReady() {
			Answer(w, http.StatusServiceUnavailable, "not ready\n")
			return
		}
		Answer(w, http.StatusOK, "ready\n")
	})
}

// Answer writes a text that no cache keeps.
func Answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, text)
}
