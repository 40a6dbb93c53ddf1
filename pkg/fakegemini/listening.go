package fakegemini

import (
	"net"
	"net/http"
	"sync"
)

// listening serves one listener.
type listening struct {
	server *http.Server
	// served is closed when the server accepts no more connections.
	served chan struct{}
	// connections are the connections that the server has not closed or handed over.
	connections sync.WaitGroup
}

// serve answers the connections of a listener until [listening.close].
func serve(listener net.Listener, handler http.Handler) *listening {
	l := &listening{served: make(chan struct{})}
	l.server = &http.Server{Handler: handler, ConnState: l.count}
	go func() {
		defer close(l.served)
		_ = l.server.Serve(listener) // returns ErrServerClosed
	}()
	return l
}

// count counts the open connections.
func (l *listening) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		l.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		l.connections.Done()
	}
}

// close ends all connections and waits for their handlers.
func (l *listening) close() {
	_ = l.server.Close()
	<-l.served
	_ = l.server.Close() // also closes a connection that was accepted during the first call
	l.connections.Wait()
}
