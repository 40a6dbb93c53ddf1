package fakegemini

import (
	"bytes"
	"net/http"
)

// recorder is an [http.ResponseWriter] that stores the answer.
type recorder struct {
	header http.Header
	status int // 0 before the header is written
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

// WriteHeader stores the first status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(data)
}

// Flush does nothing, because no client waits.
func (r *recorder) Flush() { r.WriteHeader(http.StatusOK) }
