package intermediary

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// Hop is the floor: the server and the transport of the standard library with the least between
// that reads a request whole, as whoever converts it must, and sends each piece of the answer as it
// comes. It converts nothing and checks nothing. Its buffers are as small as the gateway's.
func Hop(upstream string) http.Handler {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, 1024
	transport.DisableCompression = true
	transport.ReadBufferSize, transport.WriteBufferSize = 2<<10, 2<<10
	return &hop{upstream, transport}
}

type hop struct {
	upstream  string
	transport *http.Transport
}

var pieces = sync.Pool{New: func() any { return new([4 << 10]byte) }}

func (h *hop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	address := *r.URL
	address.Scheme, address.Host = "http", h.upstream
	request := &http.Request{
		Method: r.Method, URL: &address, Host: h.upstream,
		Header: http.Header{"Content-Type": r.Header["Content-Type"]},
		Body:   io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), ProtoMajor: 1,
		ProtoMinor: 1,
	}
	reply, err := h.transport.RoundTrip(request.WithContext(r.Context()))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer reply.Body.Close()
	w.Header()["Content-Type"] = reply.Header["Content-Type"]
	if length := reply.Header["Content-Length"]; length != nil {
		w.Header()["Content-Length"] = length
	}
	w.WriteHeader(reply.StatusCode)
	passOn(w, reply)
}

// passOn writes a body, each piece at once unless it is the only one.
func passOn(w http.ResponseWriter, reply *http.Response) {
	piece := pieces.Get().(*[4 << 10]byte)
	defer pieces.Put(piece)
	for {
		n, err := reply.Body.Read(piece[:])
		if _, writeErr := w.Write(piece[:n]); err != nil || writeErr != nil {
			return
		}
		if reply.ContentLength < 0 {
			_ = http.NewResponseController(w).Flush()
		}
	}
}
