package serve

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/keyfile"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/quota/ledger"
	"github.com/gemwire/gemwire/server/usage"
)

// spending is what the server counts of its clients.
type spending struct {
	engine atomic.Pointer[engine.Engine] // nil in memory, and while the store is away
	usage  *usage.Book
	quota  *quota.Quota
	keys   string // the version of the keys in force
}

// setUpSpending opens the rooms of usage and limits. They may begin without their store.
func (s *server) setUpSpending(ctx context.Context) (err error) {
	opts := []quota.Option{quota.WithLogger(s.log)}
	room := usage.InMemory()
	if s.settings.StoreLasts() {
		room = usage.Later(s.spending.engine.Load)
		opts = append(opts, quota.On(ledger.Later(s.spending.engine.Load)))
	}
	s.spending.usage, err = usage.Open(ctx, room, usage.WithDays(s.settings.UsageDays),
		usage.WithLogger(s.log))
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if s.settings.RefusesWithoutStore() {
		opts = append(opts, quota.RefuseWithoutLedger())
	}
	s.spending.quota = quota.New(opts...)
	s.lasting = append(s.lasting, gateway.WithQuota(s.spending.quota),
		gateway.WithUsage(s.spending.usage))
	return nil
}

// options returns the gateway options of settings, with the keys in the store.
func (s *server) options(ctx context.Context, settings *config.Config) ([]gateway.Option, error) {
	source := s.keySource(settings)
	text, version := []byte(nil), ""
	var err error
	if source != nil {
		if text, version, err = source.Read(ctx); err != nil {
			return nil, fmt.Errorf("key_file: %w", err)
		}
	}
	opts, err := settings.Options()
	if err != nil {
		return nil, err
	}
	if settings.KeyFile == config.KeysInStore {
		keys, err := keyfile.Keys(text)
		if err != nil {
			return nil, fmt.Errorf("key_file: %w", err)
		}
		opts = append(opts, gateway.WithClientKeys(keys))
	}
	s.spending.keys = version
	return opts, nil
}

// keySource returns where the keys are, or nil without keys.
func (s *server) keySource(settings *config.Config) keyfile.Source {
	switch {
	case settings.HasKeyFile():
		return keyfile.InFile(settings.KeyFile)
	case settings.KeyFile != config.KeysInStore:
		return nil
	}
	if e := s.spending.engine.Load(); e != nil {
		return keyfile.InStore(e)
	}
	return nil
}

const (
	// keyPause is how often the keys are checked for changes.
	keyPause = time.Second
	// keyTime is the time limit of a check.
	keyTime = 5 * time.Second
)

// reloadChangedKeys puts changed keys in force. Invalid keys change nothing.
func (s *server) reloadChangedKeys(ctx context.Context) {
	source := s.keySource(s.latest)
	if source == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	_, version, err := source.Read(ctx)
	if err != nil || version == s.spending.keys {
		return // a store that does not answer has no new keys
	}
	s.spending.keys = version // so that an error is logged once
	opts, err := s.options(ctx, s.latest)
	if err == nil {
		err = s.gateway.Reload(append(opts, s.lasting...)...)
	}
	if err != nil {
		s.log.Error("the changed client keys are invalid; the keys stay unchanged", "error",
			errortext.WithoutPackage(err.Error()))
		return
	}
	s.log.Info("client keys reloaded")
}

// closeTime is the time limit of the last writes.
const closeTime = 10 * time.Second

// closeSpending writes the last numbers.
func (s *server) closeSpending() {
	if s.spending.quota != nil {
		s.spending.quota.Close()
	}
	if s.spending.usage == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := s.spending.usage.Close(ctx); err != nil {
		s.log.Error("writing the usage failed", "error", err.Error())
	}
}
