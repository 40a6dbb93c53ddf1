package fault

import (
	"context"
	"net/http"
	"time"
)

// Wait returns after a duration, or earlier, and then false, when the client has gone or the server
// closes.
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
// and then an unexpected end; without any of it there is no header either.
func Disconnect(w http.ResponseWriter) { disconnect(w, false) }

// ResetConnection makes the connection fail for the client, as if the network had gone. What was
// written before may be lost.
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
