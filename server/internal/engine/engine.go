package engine

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Settings select the store. Either Directory or URL is set.
type Settings struct {
	Directory  string
	URL        string
	Connection []nats.Option
	Replicas   int
	MaxBytes   int64 // of bulk jobs; 0 for what servers allow
	ExtraBytes int64 // of everything else in the directory
	// Key encrypts the directory. It is "" for none.
	Key    string
	Logger *slog.Logger
}

// Engine is a connection to the streams and tables of bulk jobs. It is safe for concurrent use.
type Engine struct {
	conn *nats.Conn
	js   jetstream.JetStream
	host *host // nil for servers elsewhere
	link *link
	room diskGuard
	once sync.Once

	// Work has the pending ranges and tasks, Lines the requests of ranges, Results their results,
	// and Files all files.
	Work, Lines, Results, Files *Stream
	// Documents has the responses and conversations of the gateway, and Signatures its long thought
	// signatures.
	Documents, Signatures *Stream
	// Jobs and FileIndex are tables. Ledger is the table of another package.
	Jobs, FileIndex *Table
	Ledger          jetstream.KeyValue
	// Usage counts what clients used, Limits what they have left, and Keys are client keys.
	Usage, Limits, Keys *Table
}

// requestTime is the time limit of a server's reply, including a write to the disk.
const requestTime = 10 * time.Second

// Open connects, and makes everything that does not exist yet.
func Open(ctx context.Context, settings Settings) (*Engine, error) {
	e := &Engine{link: newLink(), room: diskGuard{directory: settings.Directory}}
	if err := e.connect(settings); err != nil {
		return nil, err
	}
	if err := e.prepare(ctx, settings); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// connect opens the connection, which reconnects until it is closed.
func (e *Engine) connect(settings Settings) (err error) {
	options := []nats.Option{
		nats.Name("gemwire bulk"), nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond),
		nats.DrainTimeout(requestTime),
		// otherwise a server that refuses the connection twice, for example during its setup, would
		// end the work for good
		nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			settings.Logger.Warn("store: the store reports an error", "error", err)
		}),
	}
	url := settings.URL
	if settings.Directory != "" {
		if e.host, err = newHost(settings); err != nil {
			return err
		}
		url, options = "", append(options, nats.InProcessServer(e.host))
	}
	e.conn, err = e.dial(url, append(append(options, settings.Connection...), e.watchLoss))
	if err != nil {
		err = fmt.Errorf("store: connect to the store: %w", err)
		if e.host != nil {
			if failure := e.host.lastFailure(); failure != nil {
				err = failure // without the words of the client
			}
			e.host.close()
		}
		return err
	}
	if e.host != nil {
		e.host.opened.Store(true)
	}
	e.js, err = jetstream.New(e.conn, jetstream.WithDefaultTimeout(requestTime),
		jetstream.WithPublishAsyncMaxPending(256), jetstream.WithPublishAsyncTimeout(silenceTime))
	return err
}

// watchLoss is a connection option. It notifies the engine when the connection is lost, in
// addition to other handlers.
func (e *Engine) watchLoss(options *nats.Options) error {
	others := options.DisconnectedErrCB
	options.DisconnectedErrCB = func(conn *nats.Conn, err error) {
		e.link.lost()
		if others != nil {
			others(conn, err)
		}
	}
	return nil
}

// dial connects. In a directory it connects again if the process with the server ends during the
// handshake. Then this process may start the server.
func (e *Engine) dial(url string, options []nats.Option) (*nats.Conn, error) {
	for deadline := time.Now().Add(hostTime); ; time.Sleep(hostPause) {
		conn, err := nats.Connect(url, options...)
		if err == nil || e.host == nil || !e.host.reached.Load() || time.Now().After(deadline) {
			return conn, err
		}
	}
}

// prepare makes everything that does not exist yet on remote servers. In a directory the process
// that starts the server does that.
func (e *Engine) prepare(ctx context.Context, settings Settings) error {
	if e.host == nil {
		if err := (&builder{js: e.js, settings: settings, ask: e.Ask}).setUp(ctx); err != nil {
			return err
		}
	}
	return e.Ask(ctx, e.bind)
}

// Close closes the connection, and the server if it runs in this process.
func (e *Engine) Close() {
	e.once.Do(func() {
		e.conn.Close()
		if e.host != nil {
			e.host.close()
		}
	})
}

// IsEmbedded reports whether the store is in a directory of this machine.
func (e *Engine) IsEmbedded() bool { return e.host != nil }

// Instance identifies the run of the server in a directory. It changes with a restart. It is "" for
// remote servers.
func (e *Engine) Instance() string {
	if e.host == nil {
		return ""
	}
	return e.conn.ConnectedServerId()
}

// Revive restarts a server in this process after a failed write, once there is room again; see
// [Engine.Append].
func (e *Engine) Revive(ctx context.Context) error {
	if e.host == nil || !e.host.failed() {
		return nil
	}
	if err := e.room.check(); err != nil {
		return err
	}
	if err := e.host.restart(); err != nil {
		return err
	}
	return e.Ask(ctx, func(ctx context.Context) error {
		_, err := e.js.AccountInfo(ctx)
		return err
	})
}

// Publish sends a message that is not stored.
func (e *Engine) Publish(subject string, data []byte) error { return e.conn.Publish(subject, data) }

// Listen calls received with messages that are not stored, one after another, until the returned
// function is called.
func (e *Engine) Listen(subject string, received func(subject string, data []byte)) (stop func(),
	err error) {
	subscription, err := e.conn.Subscribe(subject, func(m *nats.Msg) { received(m.Subject, m.Data) })
	if err != nil {
		return nil, err
	}
	return func() { _ = subscription.Unsubscribe() }, nil
}
