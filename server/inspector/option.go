package inspector

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
)

// Default limits of the recorded data.
const (
	// DefaultMaxExchanges is the maximum number of exchanges.
	DefaultMaxExchanges = 10_000
	// DefaultMaxBytes is the maximum total size of all exchanges in bytes.
	DefaultMaxBytes = 256 << 20
	// DefaultMaxBodySize is the maximum recorded size of a body in bytes, without the media in it.
	DefaultMaxBodySize = 1 << 20
)

// Option configures an inspector in [New].
type Option func(*settings)

type settings struct {
	forms        transform.Forms
	bodies       bool
	maxExchanges int
	maxBytes     int
	maxBodySize  int
	maxString    int // 0 for maxBodySize
	secrets      []string
	hosts        []string
	gateway      string
	replay       http.Handler
	accounts     func() []string
	jobs         Jobs
	spend        Spend
	folder       string
	linkCommand  string
	noReplay     string
	clock        func() time.Time
	err          error
}

// WithForms sets the forms whose members the page can find on the other side of a conversion. The
// default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *settings) { s.forms = forms } }

// WithBodies records bodies, chunks and headers from the start. Without it they are recorded for
// new requests after the switch on the page is turned on.
func WithBodies() Option { return func(s *settings) { s.bodies = true } }

// WithMaxExchanges sets the maximum number of exchanges, at least 1.
func WithMaxExchanges(n int) Option {
	return func(s *settings) {
		s.maxExchanges = n
		s.refuse(n < 1, "the maximum number of exchanges is %d; expected at least 1", n)
	}
}

// WithMaxBytes sets the maximum total size of all exchanges in bytes, at least 64 KiB.
func WithMaxBytes(n int) Option {
	return func(s *settings) {
		s.maxBytes = n
		s.refuse(n < 64<<10, "the maximum size is %d; expected at least 65536", n)
	}
}

// WithMaxBodySize sets the maximum recorded size of a body in bytes, at least 1 KiB. Media that a
// body has as base64 do not count: each is kept once for all bodies, up to 1/16 of [WithMaxBytes].
// Searching a MiB for secrets takes about 7 ms of CPU time for each secret, which no client waits
// for.
func WithMaxBodySize(n int) Option {
	return func(s *settings) {
		s.maxBodySize = n
		s.refuse(n < 1<<10, "the maximum body size is %d; expected at least 1024", n)
	}
}

// WithMaxStringSize sets the maximum recorded size of a string in a body in bytes, at least 64. The
// default is the maximum size of a body, so that strings are cut only with their body.
func WithMaxStringSize(n int) Option {
	return func(s *settings) {
		s.maxString = n
		s.refuse(n < 64, "the maximum string size is %d; expected at least 64", n)
	}
}

// WithSecrets removes values, such as the upstream's keys, from everything that is recorded. Values
// of less than six bytes are ignored. [Inspector.AddSecrets] adds later values.
func WithSecrets(values ...string) Option {
	return func(s *settings) { s.secrets = append(s.secrets, values...) }
}

// WithAllowedHosts serves the page under other host names too, without a port, such as
// "dev.example.test".
func WithAllowedHosts(hosts ...string) Option {
	return func(s *settings) {
		for _, host := range hosts {
			s.hosts = append(s.hosts, strings.ToLower(strings.TrimSuffix(host, ".")))
		}
	}
}

// WithGatewayURL sets the URL of the gateway for clients, for the commands that the page shows. The
// default is http://127.0.0.1:8080.
func WithGatewayURL(base string) Option {
	return func(s *settings) {
		parsed, err := url.Parse(base)
		s.refuse(err != nil || parsed.Host == "",
			"the gateway's URL has no host; expected one such as http://127.0.0.1:8080")
		s.gateway = strings.TrimSuffix(base, "/")
	}
}

// WithReplay sets the handler that replays requests, which is the gateway's own. It gets the path,
// body and header of the replayed request, but no credential. A gateway with client keys must be
// wrapped to admit these requests. Their RemoteAddr is "inspector". The inspector records a replay
// like any other exchange.
func WithReplay(gateway http.Handler) Option { return func(s *settings) { s.replay = gateway } }

// WithoutReplay sets the reason why the page cannot replay requests, as the end of a sentence that
// begins with "Replay unavailable:". Without it the reason is that no gateway is attached.
func WithoutReplay(reason string) Option { return func(s *settings) { s.noReplay = reason } }

// WithLinkCommand sets the command that makes the gateway print a new link to the page, such as
// "kill -HUP 4711". A browser whose session has ended shows it.
func WithLinkCommand(command string) Option { return func(s *settings) { s.linkCommand = command } }

// WithAccounts sets the function that returns the names of the accounts that a replay may choose.
// The handler of [WithReplay] must call the account of [exchange.AccountOf].
func WithAccounts(names func() []string) Option { return func(s *settings) { s.accounts = names } }

// WithClock replaces [time.Now], for tests.
func WithClock(now func() time.Time) Option { return func(s *settings) { s.clock = now } }

// refuse records the first error of the options.
func (s *settings) refuse(wrong bool, format string, args ...any) {
	if wrong && s.err == nil {
		s.err = fmt.Errorf("inspector: "+format, args...)
	}
}
