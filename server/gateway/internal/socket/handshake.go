package socket

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// HandshakeError is the reason why a request cannot become a connection.
type HandshakeError struct {
	// Status is the HTTP status for the request.
	Status int
	// Header has the response headers about what the client should send.
	Header http.Header
	Reason string
}

// Error returns the reason.
func (e *HandshakeError) Error() string { return "socket: " + e.Reason }

// keySize is the size of the decoded Sec-WebSocket-Key.
const keySize = 16

// version is the version of the protocol, RFC 6455.
const version = "13"

// Check returns a *[HandshakeError] unless the request asks for a connection in the way of RFC
// 6455, and the response writer can become one. It must be called before [Accept], so that the
// caller can word the refusal.
func Check(w http.ResponseWriter, r *http.Request) error {
	switch {
	case !canHijack(w):
		return NotUpgraded(r, "this server does not pass WebSocket connections on")
	case r.ProtoMajor != 1 || !r.ProtoAtLeast(1, 1):
		return NotUpgraded(r, "a WebSocket connection needs HTTP/1.1")
	case !hasToken(r.Header, "Connection", "upgrade") ||
		!hasToken(r.Header, "Upgrade", "websocket"):
		return NotUpgraded(r, "the request is not an upgrade to WebSocket; send a POST, or let "+
			"proxies pass on the headers Upgrade and Connection")
	case r.Header.Get("Sec-Websocket-Version") != version:
		return &HandshakeError{http.StatusBadRequest,
			http.Header{"Sec-Websocket-Version": {version}},
			"Sec-WebSocket-Version: must be " + version}
	}
	keys := r.Header.Values("Sec-Websocket-Key")
	if len(keys) != 1 {
		return &HandshakeError{http.StatusBadRequest, nil,
			"Sec-WebSocket-Key: must be set once"}
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(keys[0]))
	if err != nil || len(key) != keySize {
		return &HandshakeError{http.StatusBadRequest, nil,
			"Sec-WebSocket-Key: must be 16 bytes in base64"}
	}
	return nil
}

// NotUpgraded returns the error 426 for a request on a path that only serves connections.
func NotUpgraded(r *http.Request, reason string) *HandshakeError {
	header := http.Header{"Upgrade": {"websocket"}}
	if r.ProtoMajor == 1 { // HTTP/2 forbids it
		header["Connection"] = []string{"Upgrade"}
	}
	return &HandshakeError{http.StatusUpgradeRequired, header, reason}
}

// canHijack reports whether a response writer, or one that it wraps, gives access to the
// connection.
func canHijack(w http.ResponseWriter) bool {
	for {
		switch outer := w.(type) {
		case http.Hijacker:
			return true
		case interface{ Unwrap() http.ResponseWriter }:
			w = outer.Unwrap()
		default:
			return false
		}
	}
}

// hasToken reports whether a list in a header has a token, which is given in lower case.
func hasToken(header http.Header, name, token string) bool {
	for _, list := range header.Values(name) {
		for one := range strings.SplitSeq(list, ",") {
			if strings.EqualFold(strings.TrimSpace(one), token) {
				return true
			}
		}
	}
	return false
}
