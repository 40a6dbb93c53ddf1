// Package secret removes the secrets of a request from everything that leaves the gateway or is
// stored. The secrets are the client's credentials, the credentials that the gateway sends, and the
// credentials for MCP servers in a body.
package secret

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/server/internal/credential"
)

// List has the secrets of one request. The zero value has none. It is safe for concurrent use.
type List struct {
	// Request is the client's request, or nil. IsChecked reports that its credentials are compared
	// with keys.
	Request   *http.Request
	IsChecked bool
	// Own returns the gateway's credentials. It may be nil.
	Own func() []string

	mu      sync.Mutex
	isRead  bool // the credentials of Request are among the secrets
	secrets []string
}

// minSize is the minimum length of a secret. Removing a shorter text would damage words.
const minSize = 6

// Add adds secrets.
func (l *List) Add(secrets ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(secrets)
}

func (l *List) add(secrets []string) {
	for _, secret := range secrets {
		if len(secret) >= minSize && !slices.Contains(l.secrets, secret) {
			l.secrets = append(l.secrets[:len(l.secrets):len(l.secrets)], secret)
		}
	}
}

// all returns the secrets, the longest first, because one secret may contain another.
func (l *List) all() []string {
	out := slices.Clone(l.known())
	if l.Own != nil {
		for _, secret := range l.Own() {
			if len(secret) >= minSize {
				out = append(out, secret)
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// known returns the client's secrets. The returned list never changes.
func (l *List) known() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isRead && l.Request != nil {
		l.isRead = true
		l.add(OfRequest(l.Request, l.IsChecked))
	}
	return l.secrets
}

// Name removes literal secrets from a short text that every request has, such as a model name.
func (l *List) Name(text string) string {
	if len(text) < minSize {
		return text
	}
	for _, secret := range l.known() {
		if strings.Contains(text, secret) {
			return l.Text(text)
		}
	}
	if l.Own == nil {
		return text
	}
	for _, secret := range l.Own() {
		if len(secret) >= minSize && strings.Contains(text, secret) {
			return l.Text(text)
		}
	}
	return text
}

// Text removes the secrets from a text, in any encoding, and everything that looks like a Google
// credential.
func (l *List) Text(text string) string {
	if text == "" {
		return text
	}
	return credential.Blank(redact.Text(text, l.all()...))
}

// The maximum sizes of a body, and of an error body, that are searched for secrets in every
// encoding. The search takes about 0.1 ms per KiB, and clients wait for it.
const (
	searched        = 8 << 10
	searchedOfError = 64 << 10
)

// Body removes the secrets from a body or an event. In a long body it finds only literal secrets.
// It does not change the given data.
func (l *List) Body(data []byte) []byte { return l.blank(data, searched) }

// Error does the same for an error body, in which servers quote what they received.
func (l *List) Error(data []byte) []byte { return l.blank(data, searchedOfError) }

// Kept removes literal secrets from data that is stored and read again. Secrets that do not look
// like secrets stay, because they may be words, such as the name of a member.
func (l *List) Kept(data []byte) []byte {
	for _, secret := range l.all() {
		if IsLikely(secret) && bytes.Contains(data, []byte(secret)) {
			data = bytes.ReplaceAll(data, []byte(secret), []byte(redact.Mark))
		}
	}
	return data
}

func (l *List) blank(data []byte, searched int) []byte {
	secrets := l.all()
	if len(secrets) == 0 || len(data) == 0 {
		return data
	}
	if len(data) <= searched {
		if clean := redact.Text(string(data), secrets...); clean != string(data) {
			return []byte(clean)
		}
		return data
	}
	for _, secret := range secrets {
		if bytes.Contains(data, []byte(secret)) {
			data = bytes.ReplaceAll(data, []byte(secret), []byte(redact.Mark))
		}
	}
	return data
}

// Header returns a copy of a header without credentials and without the secrets.
func (l *List) Header(header http.Header) http.Header {
	out := WithoutCredentials(header)
	for name, values := range out {
		for i, value := range values {
			out[name][i] = l.Text(value)
		}
	}
	return out
}
