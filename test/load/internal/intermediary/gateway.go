package intermediary

import (
	"github.com/gemwire/gemwire/server/gateway"
)

// Gateway returns the gateway in front of an upstream.
func Gateway(upstream string, opts ...gateway.Option) (*gateway.Handler, error) {
	return gateway.New(append(opts, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: "http://" + upstream,
		Accounts: []gateway.Account{gateway.KeyAccount("load", "load")},
	}))...)
}
