package inspector

import (
	"fmt"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
)

// Timing of the page's event stream.
const (
	// newsPause is the minimum time between two updates, so that a chunk does not cause an update
	// each.
	newsPause = 100 * time.Millisecond
	// aliveEvery is the interval of heartbeats on a silent connection.
	aliveEvery = 15 * time.Second
	// writeLimit is how long a page may take to read.
	writeLimit = 10 * time.Second
)

// events sends all exchanges to the page, and then all changes, as server-sent events.
func (i *Inspector) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	alive := time.NewTicker(aliveEvery)
	defer alive.Stop()
	control := http.NewResponseController(w)
	for known := (cursor{}); ; {
		n, more := i.store.news(&known)
		i.describe(&n)
		data, err := json.Marshal(n)
		if err != nil || send(w, control, "data: %s\n\n", data) != nil {
			return
		}
		if n.More {
			continue
		}
		if !i.await(w, r, control, more, alive.C) || !pause(r, newsPause) {
			return
		}
	}
}

// describe adds what does not change to news.
func (i *Inspector) describe(n *news) {
	n.Gateway, n.Docs, n.Store = i.gateway, docsBase, "memory"
	n.NoReplay = i.whyNoReplay()
	if i.disk != nil {
		n.Store, n.StoreError = "folder", i.retain.value(i.disk.problem())
	}
	n.Limits = newsLimits{Exchanges: i.maxExchanges, Bytes: i.maxBytes, Body: i.maxBodySize,
		String: i.maxString}
}

// await waits for changes, and sends heartbeats meanwhile. It reports false when the connection or
// the inspector is closed.
func (i *Inspector) await(w http.ResponseWriter, r *http.Request, control *http.ResponseController,
	more <-chan struct{}, alive <-chan time.Time) bool {
	for {
		select {
		case <-more:
			return true
		case <-alive:
			if send(w, control, ":\n\n") != nil {
				return false
			}
		case <-r.Context().Done():
			return false
		case <-i.closed:
			return false
		}
	}
}

// send writes to the page at once.
func send(w http.ResponseWriter, control *http.ResponseController, format string,
	args ...any) error {
	_ = control.SetWriteDeadline(time.Now().Add(writeLimit)) // Not every server has deadlines.
	if _, err := fmt.Fprintf(w, format, args...); err != nil {
		return err
	}
	return control.Flush()
}

// pause waits, and reports whether the client is still connected.
func pause(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
