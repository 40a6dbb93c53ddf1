package inspector

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
)

// The bounds of what is kept, where no option says otherwise.
const (
	// DefaultMaxExchanges is how many exchanges are kept.
	DefaultMaxExchanges = 500
	// DefaultMaxBytes is how many bytes all of them may have.
	DefaultMaxBytes = 64 << 20
	// DefaultMaxBodySize is how many bytes of a body are kept.
	DefaultMaxBodySize = 256 << 10
)

// Option changes what [New] makes.
type Option func(*settings)

type settings struct {
	forms        transform.Forms
	bodies       bool
	maxExchanges int
	maxBytes     int
	maxBodySize  int
	secrets      []string
	hosts        []string
	gateway      string
	replay       http.Handler
	jobs         Jobs
	clock        func() time.Time
	err          error
}

// WithForms sets the forms whose members the page finds on the other side of a conversion. The
// default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *settings) { s.forms = forms } }

// WithBodies keeps bodies, chunks and headers from the beginning. Without it they are kept once the
// switch on the page is on, of requests that come from then on.
func WithBodies() Option { return func(s *settings) { s.bodies = true } }

// WithMaxExchanges sets how many exchanges are kept, at least 1.
func WithMaxExchanges(n int) Option {
	return func(s *settings) {
		s.maxExchanges = n
		s.refuse(n < 1, "the most exchanges to keep are %d; expected at least 1", n)
	}
}

// WithMaxBytes sets how many bytes all exchanges together may have, at least 64 KiB.
func WithMaxBytes(n int) Option {
	return func(s *settings) {
		s.maxBytes = n
		s.refuse(n < 64<<10, "the most bytes to keep are %d; expected at least 65536", n)
	}
}

// WithMaxBodySize sets how many bytes of one body are kept, at least 1 KiB. Searching a KiB for
// secrets takes some 0.1 ms of a processor, for which no client waits.
func WithMaxBodySize(n int) Option {
	return func(s *settings) {
		s.maxBodySize = n
		s.refuse(n < 1<<10, "the most bytes to keep of a body are %d; expected at least 1024", n)
	}
}

// WithSecrets removes values, such as the keys of the upstream, from all that is kept. Values of
// less than six bytes are not looked for. [Inspector.AddSecrets] adds those that come later.
func WithSecrets(values ...string) Option {
	return func(s *settings) { s.secrets = append(s.secrets, values...) }
}

// WithAllowedHosts serves the page under names of other machines too, without a port, such as
// "dev.example.test".
func WithAllowedHosts(hosts ...string) Option {
	return func(s *settings) {
		for _, host := range hosts {
			s.hosts = append(s.hosts, strings.ToLower(strings.TrimSuffix(host, ".")))
		}
	}
}

// WithGatewayURL sets the address under which clients reach the gateway, for the commands that the
// page makes. It is http://127.0.0.1:8080 without the option.
func WithGatewayURL(base string) Option {
	return func(s *settings) {
		parsed, err := url.Parse(base)
		s.refuse(err != nil || parsed.Host == "",
			"the gateway's address has no host; expected one like http://127.0.0.1:8080")
		s.gateway = strings.TrimSuffix(base, "/")
	}
}

// WithReplay lets requests be replayed by a handler, the gateway's own. It gets the path, the body
// and the header of the request that is replayed, but no credential: a gateway that wants client
// keys must be wrapped to let these requests in. Their RemoteAddr is "inspector". What the gateway
// tells of a replay is kept like any other exchange.
func WithReplay(gateway http.Handler) Option { return func(s *settings) { s.replay = gateway } }

// WithClock tells the time in place of [time.Now], for tests.
func WithClock(now func() time.Time) Option { return func(s *settings) { s.clock = now } }

// refuse keeps the first thing that is wrong with the options.
func (s *settings) refuse(wrong bool, format string, args ...any) {
	if wrong && s.err == nil {
		s.err = fmt.Errorf("inspector: "+format, args...)
	}
}
