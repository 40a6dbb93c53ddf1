package cassette

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"sync"
)

// Mode selects how a recorder handles requests.
type Mode int

const (
	// Replay answers from the cassette and refuses other requests.
	Replay Mode = iota
	// RecordMissing answers from the cassette, and records other requests.
	RecordMissing
	// RecordAll records all requests again.
	RecordAll
	// Pass forwards all requests to the upstream, and neither reads nor writes a cassette.
	Pass
)

// Settings are the settings of a recorder.
type Settings struct {
	// Path is the file.
	Path string
	Mode Mode
	// Upstream is the base URL of the real server.
	Upstream *url.URL
	// Transport reaches the upstream.
	Transport http.RoundTripper
	// Speed is the speed of replays: 1 is the recorded speed, 2 is twice as fast, 0 is without
	// waits.
	Speed float64
	// Report gets problems that a client cannot see, and requests that are not on the cassette. It
	// may be nil.
	Report func(text string)
}

// Recorder plays and records one cassette. [Open] makes a Recorder. It is safe for concurrent use.
type Recorder struct {
	settings Settings

	mu      sync.Mutex
	entries []*entry
}

// entry is an exchange of the cassette.
type entry struct {
	exchange Exchange
	key      string // of the request
	text     []byte // in the file, set after writing
	complete bool   // recorded to its end
	used     bool   // was replayed, or is being recorded
}

// Open reads the cassette. The file must exist only in the mode Replay.
func Open(s Settings) (*Recorder, error) {
	rec := &Recorder{settings: s}
	if s.Mode == RecordAll || s.Mode == Pass {
		return rec, nil
	}
	data, err := os.ReadFile(s.Path)
	if errors.Is(err, fs.ErrNotExist) && s.Mode == RecordMissing {
		return rec, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; the modes RecordMissing and RecordAll make a cassette", err)
	}
	if err != nil {
		return nil, err
	}
	c, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	for _, exchange := range c.Exchanges {
		rec.entries = append(rec.entries,
			&entry{exchange: exchange, key: exchange.Request.key(), complete: true})
	}
	return rec, nil
}

// Unused returns the recorded requests that were not replayed.
func (rec *Recorder) Unused() []string {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	var unused []string
	for i, s := range rec.entries {
		if !s.used {
			unused = append(unused,
				fmt.Sprintf("exchange %d of %s, %s %s, was not requested", i+1, rec.settings.Path,
					s.exchange.Request.Method, s.exchange.Request.URL))
		}
	}
	return unused
}

// take returns the first recorded exchange for an equal request that was not replayed yet.
func (rec *Recorder) take(request Request) *entry {
	key := request.key()
	rec.mu.Lock()
	defer rec.mu.Unlock()
	for _, s := range rec.entries {
		if !s.used && s.complete && s.key == key {
			s.used = true
			return s
		}
	}
	return nil
}

// reserve reserves a place for an exchange that is being recorded, so that the file has the order
// of the requests.
func (rec *Recorder) reserve(request Request) *entry {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	s := &entry{exchange: Exchange{Request: request}, key: request.key(), used: true}
	rec.entries = append(rec.entries, s)
	return s
}

// keep completes an exchange and writes the file.
func (rec *Recorder) keep(s *entry, reply Reply) error {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	s.exchange.Reply, s.complete = reply, true
	var texts [][]byte
	for _, s := range rec.entries {
		if !s.complete {
			continue
		}
		if s.text == nil {
			text, err := s.exchange.write()
			if err != nil {
				return err
			}
			s.text = text
		}
		texts = append(texts, s.text)
	}
	data, err := file(rec.settings.Upstream.String(), texts)
	if err != nil {
		return err
	}
	return save(rec.settings.Path, data)
}

// unmatched describes why a request cannot be replayed.
func (rec *Recorder) unmatched(request Request) string {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	key := request.key()
	nearest, least, replayed := -1, 0, 0
	for i, s := range rec.entries {
		if s.key == key {
			replayed++
			continue
		}
		if distance := s.exchange.Request.distance(request); nearest < 0 || distance < least {
			nearest, least = i, distance
		}
	}
	report := fmt.Sprintf("%s has no reply to %s %s", rec.settings.Path, request.Method,
		request.URL)
	switch {
	case replayed > 0:
		return fmt.Sprintf("%s left; the recording has %d of these requests", report,
			replayed)
	case nearest < 0:
		return report + "; the cassette is empty"
	default:
		return fmt.Sprintf("%s; the nearest is exchange %d (-recorded +requested):\n%s",
			report, nearest+1, rec.entries[nearest].exchange.Request.difference(request))
	}
}

func (rec *Recorder) report(text string) {
	if rec.settings.Report != nil {
		rec.settings.Report(text)
	}
}
