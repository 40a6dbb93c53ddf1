package gateway

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/pkg/gateway/clientkey"
	"github.com/gemwire/gemwire/pkg/gateway/internal/guard"
	"github.com/gemwire/gemwire/pkg/gateway/internal/intake"
)

// accessSettings are who may ask, and how much at a time.
type accessSettings struct {
	keys           *clientkey.Keys
	allowedHosts   []string
	allowedOrigins []string
	maxBodySize    int64
	bytesInFlight  int64
	maxConcurrent  int
}

const (
	// DefaultMaxBodySize is the limit on the body of a request: 64 MiB, which one session of an agent with images reaches.
	DefaultMaxBodySize = 64 << 20
	// DefaultMaxBytesInFlight is the limit on the bodies of all requests together: 256 MiB.
	DefaultMaxBytesInFlight = 256 << 20
)

func defaultAccess() accessSettings {
	return accessSettings{maxBodySize: DefaultMaxBodySize, bytesInFlight: DefaultMaxBytesInFlight}
}

// WithClientKeys asks every request for one of the keys, as Authorization: Bearer, x-api-key or x-goog-api-key, and holds
// it to the models and limits of that key. By default there are no keys, which is for this machine alone: a gateway that
// others reach needs them, or [WithCallersKey].
func WithClientKeys(keys *clientkey.Keys) Option { return func(s *settings) { s.keys = keys } }

// WithAllowedHosts names the gateway for clients, besides the names of this machine and addresses: "gateway.example.com",
// "*.example.com" for all below, "*" for any. A request under another name is refused, since a page of another site can
// have its own name lead to the gateway.
func WithAllowedHosts(hosts ...string) Option { return func(s *settings) { s.allowedHosts = hosts } }

// WithAllowedOrigins lets pages of web sites call the gateway from a browser: "https://app.example.com", or "*" for any.
// By default there are none.
func WithAllowedOrigins(origins ...string) Option {
	return func(s *settings) { s.allowedOrigins = origins }
}

// WithMaxBodySize limits the bytes of a request's body. The default is [DefaultMaxBodySize].
func WithMaxBodySize(size int64) Option { return func(s *settings) { s.maxBodySize = size } }

// WithMaxBytesInFlight limits the bytes that the bodies of all requests under way have together. What they are decoded to
// takes several times as much. A request waits a moment for room, and then is refused with 429. The default is
// [DefaultMaxBytesInFlight]; it is never less than what one body may have.
func WithMaxBytesInFlight(size int64) Option { return func(s *settings) { s.bytesInFlight = size } }

// WithMaxConcurrent limits how many requests are under way at a time; others are refused with 429. The default is 0, any
// number.
func WithMaxConcurrent(n int) Option { return func(s *settings) { s.maxConcurrent = n } }

var errTwoKeys = errors.New("gateway: a request has one key: that of a client, or the caller's own of Gemini")

// access makes what decides who may ask.
func (s *setup) access() error {
	if s.keys != nil && s.callersKey {
		return errTwoKeys
	}
	if s.maxBodySize <= 0 {
		s.maxBodySize = DefaultMaxBodySize
	}
	var err error
	if s.sites, err = guard.New(s.allowedHosts, s.allowedOrigins); err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	s.gate = intake.NewGate(s.intakeLimits())
	return nil
}

func (s *accessSettings) intakeLimits() intake.Limits {
	return intake.Limits{BodySize: s.maxBodySize, BytesInFlight: s.bytesInFlight, Concurrent: s.maxConcurrent}
}

// inheritAccess takes over what requests under way hold of the limits, and what clients have used up.
func (s *setup) inheritAccess(old *setup) {
	s.keys.Inherit(old.keys)
	if old.gate.HasLimits(s.intakeLimits()) {
		s.gate = old.gate
	}
}
