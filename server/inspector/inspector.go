package inspector

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// Inspector records a gateway's exchanges and shows them on a page. [New] makes it. It is safe for
// concurrent use.
type Inspector struct {
	settings
	store    *store
	disk     *folder // nil without
	retain   *retention
	backlog  *backlog
	sessions *sessions
	handler  http.Handler
	replays  turns
	progress *jobProgress
	// importing is held while a session is imported.
	importing sync.Mutex
	closed    chan struct{}
	closing   sync.Once
}

// docsBase is the base of links to the documentation.
const docsBase = "https://github.com/gemwire/gemwire/blob/main/"

var _ exchange.Observer = (*Inspector)(nil)

// New returns an empty inspector. It returns an error that names the invalid option.
func New(opts ...Option) (*Inspector, error) {
	i := &Inspector{
		settings: settings{
			forms: forms.All(), maxExchanges: DefaultMaxExchanges, maxBytes: DefaultMaxBytes,
			maxBodySize: DefaultMaxBodySize,
			gateway:     "http://127.0.0.1:8080", clock: time.Now,
		},
		sessions: newSessions(),
		progress: &jobProgress{},
		closed:   make(chan struct{}),
	}
	option.Apply(&i.settings, opts)
	if i.err != nil {
		return nil, i.err
	}
	i.backlog = newBacklog(i.maxBytes)
	i.replays.max = maxReplaysOf(i.maxExchanges)
	i.store = newStore(i.maxExchanges, i.maxBytes, i.bodies)
	if i.maxString == 0 {
		i.maxString = i.maxBodySize
	}
	i.retain = &retention{maxBody: i.maxBodySize, maxString: i.maxString,
		maxMedia: i.maxBytes / maxMediaShare}
	i.retain.add(i.secrets...)
	i.retain.seen.kept = i.store.medium
	i.store.blank = i.retain.joined
	if i.folder != "" {
		if err := i.openFolder(); err != nil {
			return nil, err
		}
	}
	i.handler = i.routes()
	if i.jobs != nil {
		go i.sample()
	}
	return i, nil
}

// openFolder reads the folder, and writes to it from then on.
func (i *Inspector) openFolder() (err error) {
	if i.disk, err = openFolder(i.folder); err != nil {
		return err
	}
	if err := i.load(); err != nil {
		return errors.Join(err, i.disk.close())
	}
	i.sessions.changed = i.saveState
	go i.store.understandAll(i.store.numbers(), i.closed)
	return nil
}

// saveState writes the sessions and the next number to the folder.
func (i *Inspector) saveState() {
	if i.disk != nil {
		i.disk.saveState(folderState{Format: sessionFormat, Next: i.store.nextNumber(),
			Sessions: i.sessions.digests()})
	}
}

// Begin records the start of an exchange, and returns the recorder for the rest.
func (i *Inspector) Begin(start exchange.Start) exchange.Recorder {
	switch mark := start.Mark.(type) {
	case *replayRun:
		if r := i.begin(mark, start); r != nil {
			return r
		}
	case quietMark:
		return nil
	}
	r := &recorder{store: i.store, retain: i.retain, clock: i.clock,
		record: newRecord(i.retain.start(start), i.forms, i.backlog)}
	r.store.add(r.record)
	return r
}

// Handler returns the page and its API. Their paths begin at the root, so they need a listener of
// their own.
func (i *Inspector) Handler() http.Handler { return i.handler }

// URL returns a link that opens the page on a server, such as one at "127.0.0.1:4040". The link
// works once. Each call makes another link, and the last 16 unused ones are valid.
func (i *Inspector) URL(addr string) string {
	return "http://" + addr + "/?token=" + i.sessions.newLink()
}

// AddSecrets removes more values from later recordings, such as keys after a reload.
func (i *Inspector) AddSecrets(values ...string) { i.retain.add(values...) }

// Close ends the pages' event streams, which [http.Server.Shutdown] would wait for forever. Pass it
// to [http.Server.RegisterOnShutdown]. A closed inspector keeps its records and still records
// exchanges.
func (i *Inspector) Close() { i.closing.Do(func() { close(i.closed) }) }

// String returns how much the inspector holds. It contains no secret.
func (i *Inspector) String() string {
	if i == nil {
		return "inspector.Inspector(nil)"
	}
	return fmt.Sprintf("inspector.Inspector(%d exchanges at most)", i.maxExchanges)
}

// GoString returns the same text as String, for %#v.
func (i *Inspector) GoString() string { return i.String() }

// Format writes the same text as String, for every verb.
func (i *Inspector) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, i.String()) }

// LogValue returns the same text as String, for logs.
func (i *Inspector) LogValue() slog.Value { return slog.StringValue(i.String()) }
