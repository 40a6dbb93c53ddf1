package fault

import (
	"context"
	"net/http"
	"time"
)

// Wait waits for a duration. It returns false early if the client disconnects or the server closes.
func Wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Disconnect closes the connection in the middle of an answer. The client reads what was flushed,
// and then an unexpected end. If nothing was flushed, there is no header either.
func Disconnect(w http.ResponseWriter) { disconnect(w, false) }

// ResetConnection makes the connection fail for the client, like a network failure. Data that was
// already written may be lost.
func ResetConnection(w http.ResponseWriter) { disconnect(w, true) }

// lingerer is a connection of package net, or one in memory that behaves like it.
type lingerer interface {
	SetLinger(seconds int) error
}

func disconnect(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil { // HTTP/2 has no connection to close; this ends the one stream.
		panic(http.ErrAbortHandler)
	}
	if socket, ok := conn.(lingerer); ok && reset {
		_ = socket.SetLinger(0)
	}
	_ = conn.Close()
}
