package fakegemini

import (
	"bytes"
	"net/http"
)

// recorder is an [http.ResponseWriter] that keeps the answer.
type recorder struct {
	header http.Header
	status int // 0 before the header is written
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

// WriteHeader keeps the first status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(data)
}

// Flush sends nothing, as no client waits.
func (r *recorder) Flush() { r.WriteHeader(http.StatusOK) }
