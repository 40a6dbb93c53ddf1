package gateway_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
)

// pipeNetwork is a server for clients in the same process. They connect by [net.Pipe], so that real
// HTTP works with the fake clock of testing/synctest. A bubble ends only when all its goroutines
// have ended.
type pipeNetwork struct {
	mu     sync.Mutex
	accept chan net.Conn // nil while no server listens
	done   chan struct{}
	server *http.Server
}

// listen starts a server, for example after kill.
func (n *pipeNetwork) listen(handler http.Handler) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.accept, n.done = make(chan net.Conn), make(chan struct{})
	n.server = &http.Server{Handler: handler}
	go n.server.Serve(&pipeListener{accept: n.accept, done: n.done})
}

// kill ends the server and all its connections at once.
func (n *pipeNetwork) kill() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.accept != nil {
		n.server.Close()
		n.accept = nil
	}
}

func (n *pipeNetwork) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	n.mu.Lock()
	accept, done := n.accept, n.done
	n.mu.Unlock()
	if accept == nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: net.ErrClosed}
	}
	client, server := net.Pipe()
	select {
	case accept <- server:
		return client, nil
	case <-done:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// client returns a client whose requests all go to the server.
func (n *pipeNetwork) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: n.dial, MaxIdleConnsPerHost: 100,
		IdleConnTimeout: time.Hour}}
}

type pipeListener struct {
	accept <-chan net.Conn
	done   chan struct{}
	once   sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accept:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// pipedGateway is a gateway with an upstream. All connections are pipes.
type pipedGateway struct {
	upstream, front pipeNetwork
	calling         *http.Client // of the gateway
	client          *http.Client // of the gateway's client
	handler         *gateway.Handler
}

// newPipedGateway is called in a synctest bubble. Everything that it starts has ended when close
// returns.
func newPipedGateway(t *testing.T, upstream http.HandlerFunc,
	opts ...gateway.Option) *pipedGateway {
	t.Helper()
	g := &pipedGateway{}
	g.upstream.listen(upstream)
	g.calling, g.client = g.upstream.client(), g.front.client()
	var err error
	g.handler, err = gateway.New(append(opts, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: "http://127.0.0.1", HTTPClient: g.calling,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
	}))...)
	if err != nil {
		t.Fatal(err)
	}
	g.front.listen(g.handler)
	return g
}

func (g *pipedGateway) close() {
	g.client.CloseIdleConnections()
	g.front.kill()
	g.handler.Close()
	g.calling.CloseIdleConnections()
	g.upstream.kill()
	// net/http waits half a second before it closes a connection whose body it has not read
	time.Sleep(time.Second)
}
