package intermediary

import (
	"fmt"
	"net/http"

	"github.com/gemwire/gemwire/server/gateway"
)

// The names of the intermediaries.
const (
	NameReverseProxy = "reverseproxy"
	NameGateway      = "gateway"
	NameGenAIProxy   = "genaiproxy"
	NameHop          = "hop"
	NamePricing      = "gateway+prices"
	NameCounting     = "gateway+store"
)

// Settings are the settings of the gateway; the other intermediaries have none.
type Settings struct {
	// MaxConcurrent is how many requests it serves at once; 0 is its default.
	MaxConcurrent int
}

// New returns the intermediary of a name, in front of the upstream at an address.
func New(name, upstream string, s Settings) (http.Handler, error) {
	switch name {
	case NameReverseProxy:
		return ReverseProxy(upstream), nil
	case NameHop:
		return Hop(upstream), nil
	case NameGenAIProxy:
		return GenAIProxy(upstream)
	case NamePricing:
		return Pricing(upstream)
	case NameCounting:
		return Counting(upstream)
	case NameGateway:
		var opts []gateway.Option
		if s.MaxConcurrent > 0 {
			opts = append(opts, gateway.WithMaxConcurrent(s.MaxConcurrent))
		}
		return Gateway(upstream, opts...)
	default:
		return nil, fmt.Errorf("nothing is called %q", name)
	}
}
