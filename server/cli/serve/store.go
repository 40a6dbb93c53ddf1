package serve

import (
	"context"
	"crypto/pbkdf2"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/batchapi"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/store"
)

// rooms are an open store with its rooms.
type rooms struct {
	store     *store.Store
	responses responsestore.Store
	jobs      *bulk.Service // nil without
	// compaction is the secret that seals shortened conversations, or nil.
	compaction []byte
}

// close closes the rooms, and then the store.
func (r *rooms) close() (err error) {
	if r.jobs != nil {
		err = r.jobs.Close()
	}
	if r.responses != nil { // to which the end of the gateway may write
		if failed := r.responses.Close(); err == nil {
			err = failed
		}
	}
	if failed := r.store.Close(); err == nil {
		err = failed
	}
	return err
}

// storePause is the time between two attempts to open a store that is not required.
const storePause = 2 * time.Second

// setUpStore opens the store, and gives its rooms to the gateway. Without the setting store the
// gateway keeps nothing. A store that is not required and does not open is opened later; see
// [server.awaitStore].
func (s *server) setUpStore(ctx context.Context) error {
	if !s.settings.StoreLasts() {
		if err := s.setUpSpending(ctx); err != nil {
			return err
		}
	}
	if s.settings.Store == "" {
		return nil
	}
	if s.settings.StoreLasts() && s.settings.CallersKey {
		s.log.Info("no files and batches: they need the gateway's own accounts, not callers_key")
	}
	opened, err := s.openStore(ctx)
	switch {
	case err == nil:
		s.use(opened)
	case s.settings.StoreRequired:
		return err
	default:
		s.log.Error("the store is not available; requests that need it get 503 until it is",
			"error", err.Error())
		s.lasting = append(s.lasting, gateway.WithResponseStore(away{}))
		if s.settings.StoreLasts() && !s.settings.CallersKey {
			s.lasting = append(s.lasting, gateway.WithBatchesAway())
		}
		s.isStoreAway = true
	}
	if s.settings.StoreLasts() {
		return s.setUpSpending(ctx)
	}
	return nil
}

// openStore opens the store and its rooms.
func (s *server) openStore(ctx context.Context) (r *rooms, err error) {
	opts, err := setup.StoreOptions(s.settings)
	if err != nil {
		return nil, err
	}
	r = &rooms{}
	if r.store, err = store.Open(ctx, append(opts, store.WithLogger(s.log))...); err != nil {
		return nil, err // which says that it is about the store
	}
	if r.responses, err = r.store.Documents(ctx); err == nil {
		err = s.openBatches(ctx, r)
	}
	if err == nil {
		err = s.openSecret(ctx, r)
	}
	if err != nil {
		_ = r.close() // which the first error explains
		return nil, fmt.Errorf("open the store: %w", err)
	}
	return r, nil
}

// openSecret reads the secret that seals shortened conversations: the store's key if it has one,
// and otherwise a secret in the store.
func (s *server) openSecret(ctx context.Context, r *rooms) error {
	key, err := s.settings.StoreKey()
	switch {
	case err != nil:
	case key != "":
		r.compaction, err = sealingSecret(key)
	default:
		r.compaction, err = r.store.Secret(ctx, "compaction")
	}
	return err
}

// sealingRounds make it slow to guess the store's key. Each client has sealed texts, with which it
// could check a guess.
const sealingRounds = 600_000

// sealingSecret derives the secret that seals shortened conversations from the store's key, which a
// person may have chosen.
func sealingSecret(key string) ([]byte, error) {
	return pbkdf2.Key(sha256.New, key, []byte("gemwire compaction"), sealingRounds, sha256.Size)
}

// openBatches opens files and batches if the store lasts. With callers' keys there are no batches,
// because no caller is connected to send a key when a request of a batch runs.
func (s *server) openBatches(ctx context.Context, r *rooms) (err error) {
	if !s.settings.StoreLasts() || s.settings.CallersKey {
		return nil
	}
	r.jobs, err = bulk.Open(ctx, bulk.WithStore(r.store), bulk.WithForms(setup.Forms(ctx)),
		bulk.WithObserver(s.observers.Jobs...), bulk.WithLogger(s.log))
	return err
}

// use gives the rooms to the gateway's options.
func (s *server) use(r *rooms) {
	s.rooms, s.jobs = r, r.jobs
	s.spending.engine.Store(r.store.Engine())
	s.lasting = append(s.lasting, gateway.WithResponseStore(r.responses))
	if signatures := r.store.Signatures(); signatures != nil {
		s.lasting = append(s.lasting, gateway.WithSignatureStore(signatures))
	}
	if r.compaction != nil {
		s.lasting = append(s.lasting, gateway.WithCompactionKey(r.compaction))
	}
	if r.jobs != nil {
		s.shownJobs.set(batchapi.Jobs(r.jobs))
		answeredBy := map[string]string{setup.JobUpstream: string(s.settings.Service())}
		s.lasting = append(s.lasting, gateway.WithBatches(batchapi.New(r.jobs,
			batchapi.WithExecutor(bulk.ExecutorLive, answeredBy))))
	}
}

// awaitStore opens a store that was not available, and sends it once. Whoever calls stop must have
// received it, or it is closed.
func (s *server) awaitStore(ctx context.Context) (opened <-chan *rooms, stop func()) {
	if !s.isStoreAway {
		return nil, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	out, ended := make(chan *rooms), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(storePause):
			}
			r, err := s.openStore(ctx)
			if err != nil {
				s.log.Debug("the store is still not available", "error", err.Error())
				continue
			}
			select {
			case out <- r:
			case <-ctx.Done():
				_ = r.close() // because the gateway ends
			}
			return
		}
	}()
	return out, func() {
		cancel()
		<-ended
	}
}

// away is the store of responses while the store is not available.
type away struct{}

// Put implements [responsestore.Store].
func (away) Put(context.Context, responsestore.Owner, ...responsestore.Write) error {
	return responsestore.ErrUnavailable
}

// Get implements [responsestore.Store].
func (away) Get(context.Context, responsestore.Owner, string) (*responsestore.Document, error) {
	return nil, responsestore.ErrUnavailable
}

// Entries implements [responsestore.Store].
func (away) Entries(context.Context, responsestore.Owner, string, responsestore.List,
	responsestore.Page) ([]responsestore.Entry, bool, error) {
	return nil, false, responsestore.ErrUnavailable
}

// Find implements [responsestore.Store].
func (away) Find(context.Context, responsestore.Owner, string) (string, *responsestore.Entry,
	error) {
	return "", nil, responsestore.ErrUnavailable
}

// Delete implements [responsestore.Store].
func (away) Delete(context.Context, responsestore.Owner, string) error {
	return responsestore.ErrUnavailable
}

// DeleteEntry implements [responsestore.Store].
func (away) DeleteEntry(context.Context, responsestore.Owner, string, string) error {
	return responsestore.ErrUnavailable
}

// Close implements [responsestore.Store].
func (away) Close() error { return nil }
