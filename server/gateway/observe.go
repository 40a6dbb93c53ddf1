package gateway

import (
	"strconv"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
)

// observe tells the observers that a request has come.
func (c *call) observe() *problem.Problem {
	c.beginRecording()
	return nil
}

// beginRecording asks the observers to record the request, once.
func (c *call) beginRecording() {
	c.recorders.IsBetween = c.upstream.Service == OpenAI
	if !c.isDiverted() {
		c.recorders.Begin(c.observers, c.begun)
	}
}

// begun returns what is told of the beginning of a request.
func (c *call) begun() exchange.Start {
	start := exchange.Start{
		ID: c.id, At: c.start, Form: c.form.name, Method: c.request.Method, Path: c.request.URL.Path,
		ClientName: c.clientName, UserAgent: c.request.UserAgent(), RemoteAddr: c.request.RemoteAddr,
	}
	start.ClientRetry, _ = strconv.Atoi(c.request.Header.Get("X-Stainless-Retry-Count"))
	return start
}

// tellRequest tells those that want bodies of the client's request.
func (c *call) tellRequest() {
	if !c.recorders.WantsBodies() {
		return
	}
	c.recorders.Request(exchange.Client, exchange.Request{
		Method: c.request.Method, URL: secret.WithoutKey(c.request.URL), Header: c.request.Header, Body: c.body,
	})
}
