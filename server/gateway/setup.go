package gateway

import (
	"context"
	"net/http"
	"sync"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/gateway/internal/background"
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
	"github.com/gemwire/gemwire/server/gateway/internal/guard"
	"github.com/gemwire/gemwire/server/gateway/internal/intake"
	"github.com/gemwire/gemwire/server/gateway/internal/modelfacts"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// setup is the complete configuration between two calls of Reload.
type setup struct {
	settings
	router http.Handler
	// operations are the operations that [Handler.Answer] finds by their path.
	operations map[string]operation
	pool       *upstream.Pool
	free       func() // what the upstream holds
	// ownSecrets returns the credentials that the gateway sends, or nil if it sends no credentials.
	ownSecrets func() []string

	signing   *signature.Carrying
	sealer    *compaction.Sealer
	modelList *modellist.Cache
	runs      *background.Runs
	sites     *guard.Guard
	gate      *intake.Gate
	noticed   noticed
	facts     modelfacts.Memory
	sockets   *sockets
	catalogs  *catalogs
	options   int // how often the options have changed

	mu       sync.Mutex
	users    int // requests in flight, and one while the setup is in force
	isClosed bool
	idle     chan struct{} // closed when the last request has ended, where somebody waits
}

func newSetup(opts []Option) (*setup, error) {
	s := &setup{settings: defaultSettings(), users: 1, modelList: modellist.NewCache(),
		runs: background.NewRuns(maxBackground), catalogs: &catalogs{}}
	option.Apply(&s.settings, opts)
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := s.checkBudgets(); err != nil {
		return nil, err
	}
	if err := s.access(); err != nil {
		return nil, err
	}
	if err := s.connect(); err != nil {
		return nil, err
	}
	s.ofAllKeys = limitsOf("", s.budgets...)
	s.signing = s.signatures.carrying(s.logger)
	if err := s.openSealer(); err != nil {
		return nil, err
	}
	s.operations = operationsOf(s.forms)
	s.router = newRouter(s)
	return s, nil
}

// inherit takes over the state that outlives a change of options.
func (s *setup) inherit(old *setup) {
	if s.quota == nil {
		s.quota = old.quota
	}
	if old.gate.HasLimits(s.intakeLimits()) {
		s.gate = old.gate
	}
	s.runs, s.sockets = old.runs, old.sockets
	s.catalogs, s.options = old.catalogs, old.options+1
	s.inheritSealer(old)
	if s.upstream.isSameServer(&old.upstream) {
		s.pool.Inherit(old.pool)
	}
	if s.signatures.memorySize == old.signatures.memorySize &&
		s.signatures.store == old.signatures.store {
		s.signing.Memory = old.signing.Memory
	}
}

// acquire counts one more request. It reports false if the setup is closed.
func (s *setup) acquire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 {
		return false
	}
	s.users++
	return true
}

// release records that a request has ended, or that the setup is no longer current.
func (s *setup) release() {
	s.mu.Lock()
	s.users--
	if s.users <= 1 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
	isLast := s.users == 0
	s.mu.Unlock()
	if isLast {
		s.close()
	}
}

// wait waits until no request is in flight.
func (s *setup) wait(ctx context.Context) error {
	s.mu.Lock()
	if s.users <= 1 {
		s.mu.Unlock()
		return nil
	}
	if s.idle == nil {
		s.idle = make(chan struct{})
	}
	idle := s.idle
	s.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close frees the resources of the setup.
func (s *setup) close() {
	s.mu.Lock()
	isClosed := s.isClosed
	s.isClosed = true
	s.mu.Unlock()
	if isClosed {
		return
	}
	s.modelList.Close()
	if s.free != nil {
		s.free()
	}
}
