package serve

import (
	"context"
	"io"
	"sync"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// Started is a gateway that runs in this process.
type Started struct {
	// URL is its address, without /v1.
	URL string
	// IsFake reports that the built-in fake server answers, because there are no credentials.
	IsFake bool
	// Stop ends the gateway, and waits until requests in flight have ended. It may be called
	// several times.
	Stop func()
}

// Start starts a gateway with the settings of sources, and logs to log. When ctx ends the gateway
// ends too.
func Start(ctx context.Context, sources config.Sources, log io.Writer) (*Started, error) {
	load := func() (*config.Config, error) { return config.Load(sources) }
	settings, err := load()
	if err != nil {
		return nil, err
	}
	s := newServer(settings, log)
	if err := s.open(ctx, io.Discard); err != nil {
		s.close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer s.close()
		_ = s.serve(ctx, load) // which logs what fails
	}()
	stop := sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	return &Started{URL: s.listeners[0].url(), IsFake: settings.Service() == gateway.Embedded,
		Stop: stop}, nil
}
