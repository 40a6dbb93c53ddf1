package cli

import (
	"bytes"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/cli/message"
)

// accessLog prints a line for each answered request: method, path, status, time, and the message of
// an error. It does not print the query, because a client may have put its key there.
type accessLog struct {
	next http.Handler
	out  *log.Logger
}

// ServeHTTP implements [http.Handler].
func (l *accessLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	seen := &seenReply{ResponseWriter: w}
	defer func() { // also when a fault of a script ends the connection by a panic
		took := time.Since(begin).Round(time.Millisecond)
		l.out.Printf("%s %s %s", message.Escape(r.Method+" "+r.URL.Path), seen.outcome(), took)
	}()
	l.next.ServeHTTP(seen, r)
}

// maxSeenError is the number of bytes of an error body that are searched for its message.
const maxSeenError = 64 << 10

// seenReply passes a reply on, and records its status and the body of an error.
type seenReply struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// Unwrap gives [http.ResponseController] access to the connection.
func (r *seenReply) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (r *seenReply) WriteHeader(status int) {
	if r.status < http.StatusOK {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (r *seenReply) Write(p []byte) (int, error) {
	if r.status < http.StatusOK {
		r.status = http.StatusOK
	}
	if r.status >= http.StatusBadRequest {
		r.body.Write(p[:min(len(p), maxSeenError-r.body.Len())])
	}
	return r.ResponseWriter.Write(p)
}

// outcome returns the status, and the message of an error.
func (r *seenReply) outcome() string {
	switch {
	case r.status == 0:
		return "cut"
	case r.status >= http.StatusBadRequest:
		return message.Escape(gemini.DecodeError(r.status, r.Header(), r.body.Bytes()).Summary())
	default:
		return strconv.Itoa(r.status)
	}
}
