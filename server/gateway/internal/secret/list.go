// Package secret knows the secrets of one request: the credentials that came in, those that the
// gateway sends, and those for MCP servers in a body. It blanks them in what leaves the gateway and
// in what is kept.
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

// List is the secrets of one request. The zero value has none. It is safe for use by several
// goroutines.
type List struct {
	// Request is that of the client, nil for none. IsChecked is whether its credentials are
	// compared with keys.
	Request   *http.Request
	IsChecked bool
	// Own returns the credentials of the gateway, nil for none.
	Own func() []string

	mu      sync.Mutex
	isRead  bool // the credentials of Request are among the secrets
	secrets []string
}

// minSize is the length from which a text is a secret: a shorter one would tear words apart.
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

// all returns the secrets, the longest first, since one may be part of another.
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

// known returns the secrets of the client, as a list that never changes.
func (l *List) known() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isRead && l.Request != nil {
		l.isRead = true
		l.add(OfRequest(l.Request, l.IsChecked))
	}
	return l.secrets
}

// Name returns a short text of every request, such as the name of a model, without the secrets that
// stand in it as they are.
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
		if strings.Contains(text, secret) {
			return l.Text(text)
		}
	}
	return text
}

// Text returns a text without the secrets, in any encoding, and without what looks like a
// credential of Google's.
func (l *List) Text(text string) string {
	if text == "" {
		return text
	}
	return credential.Blank(redact.Text(text, l.all()...))
}

// The most bytes of a body, and of that of an error, that are searched for secrets in every
// encoding. That takes some 0.1 ms a KiB, and clients wait for it.
const (
	searched        = 8 << 10
	searchedOfError = 64 << 10
)

// Body returns a body, or an event, without the secrets: those of a long one where they stand as
// they are. The data itself is not changed.
func (l *List) Body(data []byte) []byte { return l.blank(data, searched) }

// Error does the same for the body of an error, in which servers quote what they were sent.
func (l *List) Error(data []byte) []byte { return l.blank(data, searchedOfError) }

// Kept returns data that is kept and read again, without the secrets that stand in it as they are.
// Secrets that do not look like one are left: they may be words, such as the name of a member.
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
