package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// host is the server of a directory, in this process or in another one. A connection asks it for a
// server each time it connects.
type host struct {
	directory string
	settings  Settings
	options   *server.Options
	logger    *serverLogger
	broken    atomic.Bool
	reached   atomic.Bool
	opened    atomic.Bool   // once; before, the errors are returned
	ended     chan struct{} // closed by close

	mu      sync.Mutex
	failure error // of the last attempt
	lock    *flock.Flock
	server  *server.Server // nil while another process runs it
	socket  *socket
	// endCheckpoints ends the checkpoints of the server.
	endCheckpoints func() checkpoint
}

// hostTime is how long a connection waits for another process's server, which may be starting or
// ending.
const hostTime = 15 * time.Second

// hostPause is the time between two attempts.
const hostPause = 50 * time.Millisecond

var errClosed = errors.New("store: the store is closed")

// newHost creates the directory, accessible to its owner only.
func newHost(settings Settings) (*host, error) {
	if err := os.MkdirAll(settings.Directory, 0o700); err != nil {
		return nil, fmt.Errorf("store: make the directory of the store: %w", err)
	}
	if err := os.Chmod(settings.Directory, 0o700); err != nil {
		return nil, fmt.Errorf("store: restrict access to the directory of the store: %w", err)
	}
	return &host{
		directory: settings.Directory,
		settings:  settings,
		options: &server.Options{
			ServerName: "gemwire-bulk", DontListen: true, NoSigs: true, JetStream: true,
			StoreDir: settings.Directory, SyncAlways: true,
			JetStreamMaxStore: storeLimit(settings.MaxBytes) + settings.ExtraBytes,
			JetStreamKey:      settings.Key,
		},
		logger: &serverLogger{settings.Logger},
		ended:  make(chan struct{}),
		lock:   flock.New(filepath.Join(settings.Directory, "lock"), flock.SetPermissions(0o600)),
	}, nil
}

// storeLimit includes room for work and tables in addition to the bounded streams.
func storeLimit(maxBytes int64) int64 { return maxBytes + maxBytes/4 + 1<<30 }

// InProcessConn returns a connection to the server. It starts the server if no process runs it.
func (h *host) InProcessConn() (net.Conn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for deadline := time.Now().Add(hostTime); ; {
		conn, err := h.reach()
		h.reached.Store(err == nil)
		h.note(err)
		if !errors.Is(err, errUnreachable) || time.Now().After(deadline) {
			return conn, err
		}
		select {
		case <-h.ended:
			return nil, errClosed
		case <-time.After(hostPause):
		}
	}
}

// note records the result of an attempt. It logs an error if no caller gets it, once.
func (h *host) note(err error) {
	isNew := err != nil && (h.failure == nil || err.Error() != h.failure.Error())
	if isNew && h.opened.Load() && !errors.Is(err, errUnreachable) {
		h.settings.Logger.Warn("store: the server of the store does not start", "error", err)
	}
	h.failure = err
}

// lastFailure returns the error of the last attempt, or nil.
func (h *host) lastFailure() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failure
}

func (h *host) reach() (net.Conn, error) {
	if h.server == nil {
		if err := checkKey(h.directory, h.settings.Key); err != nil {
			return nil, err
		}
		locked, err := h.lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("store: lock the directory of the store: %w", err)
		}
		if !locked {
			return dialSocket(h.directory)
		}
		if err := h.start(); err != nil {
			return nil, errors.Join(err, h.lock.Unlock())
		}
	}
	return h.server.InProcessConn()
}

// start starts the server, and sets it up before other processes can reach it. The lock must be
// held.
func (h *host) start() error {
	folders := streamFolders(h.directory)
	if err := noteKey(h.directory, h.settings.Key); err != nil {
		return err
	}
	if err := h.checkDirectory(); err != nil {
		return err
	}
	started, err := server.NewServer(h.options)
	if err != nil {
		return fmt.Errorf("store: make the server of the store: %w", err)
	}
	started.SetLogger(h.logger, false, false)
	started.Start()
	var socket *socket
	if !started.ReadyForConnections(hostTime) || !started.JetStreamEnabled() {
		err = fmt.Errorf("store: the server of the store in %s does not start", h.directory)
	}
	if err == nil {
		err = h.setUp(started, folders)
	}
	if err == nil {
		socket, err = listenSocket(h.directory, started.InProcessConn)
	}
	if err != nil {
		started.Shutdown()
		started.WaitForShutdown()
		return err
	}
	h.server, h.socket, h.endCheckpoints = started, socket, h.keepCheckpoints(started)
	h.broken.Store(false)
	return nil
}

// setUp makes everything that does not exist yet. No process works at this moment, so taken
// messages become available again.
func (h *host) setUp(started *server.Server, folders map[string]string) error {
	conn, err := nats.Connect("", nats.InProcessServer(started))
	if err != nil {
		return fmt.Errorf("store: set up the store: %w", err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(requestTime))
	if err != nil {
		return fmt.Errorf("store: set up the store: %w", err)
	}
	if err := checkStreams(context.Background(), js, folders); err != nil {
		return err
	}
	if err := h.checkLast(context.Background(), js); err != nil {
		return err
	}
	b := builder{js: js, settings: h.settings, forgets: true,
		ask: func(ctx context.Context, ask func(context.Context) error) error {
			return ask(ctx)
		}}
	return b.setUp(context.Background())
}

// stop stops the server if it runs in this process, and keeps the lock.
func (h *host) stop() {
	if h.server == nil {
		return
	}
	h.socket.close()
	last := h.endCheckpoints()
	h.server.Shutdown()
	h.server.WaitForShutdown()
	last.addFiles(h.directory)
	last.write(h.directory)
	h.server, h.socket = nil, nil
}

// restart stops the server after a failed write if it runs in this process, and starts it again.
func (h *host) restart() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.failed() {
		return nil // another caller has done it
	}
	if h.server == nil {
		h.broken.Store(false)
		return nil
	}
	h.stop()
	return h.start()
}

// close stops the server and releases the directory.
func (h *host) close() {
	close(h.ended)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stop()
	_ = h.lock.Close()
}

func (h *host) fail()        { h.broken.Store(true) }
func (h *host) failed() bool { return h.broken.Load() }
