package gateway

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/socket"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
	"github.com/go-chi/chi/v5"
)

// WithoutWebSockets refuses WebSocket connections of the Responses API with 426. Clients then use
// HTTP. It is for gateways behind a proxy that does not pass WebSockets on. [Handler.Reload] with
// it closes the existing connections when their requests have ended.
func WithoutWebSockets() Option { return func(s *settings) { s.noSockets = true } }

// Limits of WebSocket connections.
const (
	// maxSockets and maxSocketsPerClient limit the connections. Idle ones take up to 40 KB each.
	maxSockets          = 8192
	maxSocketsPerClient = maxSockets / 2
	// socketAge is the limit of OpenAI's server.
	socketAge = time.Hour
	// Proxies close connections that are silent for 60 s.
	socketPing     = 30 * time.Second
	socketPongWait = time.Minute
)

// The reasons why the gateway itself ends connections. Clients connect again after both.
var (
	closeGoingAway = &socket.Close{Code: socket.CodeGoingAway, Reason: "the gateway is shutting down"}
	closeRestart   = &socket.Close{Code: socket.CodeRestart,
		Reason: "the gateway no longer serves WebSockets"}
)

// sockets are the WebSocket connections of a gateway. They outlive changes of options.
type sockets struct {
	handler *Handler
	group   *socket.Group
	memory  *response.Room
}

func newSockets(h *Handler) *sockets {
	return &sockets{handler: h, memory: &response.Room{},
		group: socket.NewGroup(maxSockets, maxSocketsPerClient)}
}

// limit sets the limits of the memory of all connections.
func (s *sockets) limit(by *setup) { s.memory.Limit(by.bytesInFlight, by.maxBodySize) }

// socketRoutes adds the routes for connections to the paths of the Responses API.
func socketRoutes(router chi.Router, s *setup, f *transform.Form) {
	form := formOf(f, f.Name)
	for _, path := range f.Paths {
		router.Get(path, func(w http.ResponseWriter, r *http.Request) {
			c := s.newCall(w, r, &form)
			defer c.finish()
			if p := c.recovered(func() *problem.Problem { return c.upgrade(f) }); p != nil {
				c.refuse(p)
			}
		})
	}
}

// upgrade accepts a connection. It refuses a request before the upgrade in the way of the form. A
// connection that was accepted has no entry in the log, because each of its requests has one.
func (c *call) upgrade(f *transform.Form) *problem.Problem {
	if p := c.guardUpgrade(); p != nil {
		return p
	}
	if p := c.identify(); p != nil {
		return p
	}
	err := socket.Check(c.writer, c.request)
	if c.noSockets {
		err = socket.NotUpgraded(c.request,
			"this gateway does not serve WebSockets (--websocket); send a POST request")
	}
	if err != nil {
		return c.notUpgraded(err)
	}
	seat := c.sockets.group.Take(c.terms.Client)
	if seat == nil {
		return overloaded("this gateway is at its limit of WebSocket connections")
	}
	c.showCatalog()
	conn, err := socket.Accept(c.writer, c.request, c.socketSettings())
	c.isAnswered = true
	if err != nil {
		seat.Leave()
		return c.leftProblem(err)
	}
	accepted := c.newResponseSocket(f, conn, seat)
	// the context of the upgrade ends, and the router uses its value again
	ctx := context.WithValue(context.WithoutCancel(c.request.Context()), chi.RouteCtxKey, nil)
	go accepted.serve(ctx)
	return nil
}

// guardUpgrade refuses connections that a page of another site opens. Such a page could read the
// messages, so the rules of a POST apply.
func (c *call) guardUpgrade() *problem.Problem {
	c.sites.SetHeaders(c.writer.Header(), c.request)
	as := *c.request
	as.Method = http.MethodPost
	if refused := c.sites.Check(&as, false); refused != nil {
		return &problem.Problem{Status: refused.Status, Type: problem.TypeInvalidRequest,
			Code: refused.Code, Message: refused.Reason}
	}
	return nil
}

// notUpgraded is the problem of a request that cannot become a connection.
func (c *call) notUpgraded(err error) *problem.Problem {
	refused, ok := errors.AsType[*socket.HandshakeError](err)
	if !ok {
		return c.failed(err)
	}
	for name, values := range refused.Header {
		c.writer.Header()[name] = values
	}
	p := problem.Invalid("invalid_handshake", "", refused.Reason)
	if p.Status = refused.Status; p.Status == http.StatusUpgradeRequired {
		p.Code = "upgrade_required"
	}
	return p
}

// socketSettings returns the limits of a connection.
func (c *call) socketSettings() socket.Settings {
	return socket.Settings{Ping: socketPing, PongWait: socketPongWait, Age: socketAge,
		Old: closeOld, WriteTimeout: c.writeTimeout, DiscardLimit: c.maxBodySize}
}
