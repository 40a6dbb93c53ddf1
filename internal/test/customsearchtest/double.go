// Package customsearchtest is a fake server of Google's Custom Search for tests. It returns the
// answers that a test sets, including faulty ones, and records the requests.
package customsearchtest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Replies are the answers of a [Double], by the value of siteSearch. The entry "" is for searches
// of the whole web, and for sites without an entry.
type Replies map[string]http.HandlerFunc

// Double is the server.
type Double struct {
	// URL is its base URL.
	URL string

	t       testing.TB
	replies Replies

	mutex   sync.Mutex
	queries []string
}

// New starts a fake server. It stops when the test ends.
func New(t testing.TB, replies Replies) *Double {
	t.Helper()
	d := &Double{t: t, replies: replies}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	d.URL = server.URL
	return d
}

// ServeHTTP answers one request.
func (d *Double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Path != "/customsearch/v1" {
		d.t.Errorf("request of %s %s", r.Method, r.URL.Path)
	}
	if values := r.Header.Values("Referer"); values != nil {
		d.t.Errorf("request with Referer")
	}
	d.mutex.Lock()
	d.queries = append(d.queries, r.URL.RawQuery)
	d.mutex.Unlock()

	reply, ok := d.replies[r.URL.Query().Get("siteSearch")]
	if !ok {
		reply = d.replies[""]
	}
	if reply == nil {
		d.t.Errorf("request without a reply: %s", r.URL.RawQuery)
		return
	}
	reply(w, r)
}

// Queries returns the query strings of all requests so far, sorted. They have the bytes of the
// request.
func (d *Double) Queries() []string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return slices.Sorted(slices.Values(d.queries))
}

// JSON answers with a status and a body.
func JSON(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(status)
		w.Write([]byte(body))
	}
}
