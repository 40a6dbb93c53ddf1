package inspector

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/http"
	"sync"
)

// Limits of open links and sessions.
const (
	maxLinks    = 16
	maxSessions = 64
)

// digest is the stored form of a token. The time of comparing digests reveals nothing of a token.
type digest = [sha256.Size]byte

// sessions decides who may see the page. A link has a token that opens a session once, and a
// session is a token in a cookie. If there are too many, the oldest ends.
type sessions struct {
	changed func() // is called when a session is opened; nil without a folder

	mu    sync.Mutex
	links []digest
	open  []digest
}

func newSessions() *sessions { return &sessions{} }

// newLink returns a token that opens a session, once.
func (s *sessions) newLink() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	token := rand.Text() + rand.Text()
	s.links = appendBounded(s.links, sha256.Sum256([]byte(token)), maxLinks)
	return token
}

// restore adds sessions of an earlier process.
func (s *sessions) restore(digests []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range digests {
		var d digest
		if n, err := hex.Decode(d[:], []byte(text[:min(len(text), 2*len(d))])); err == nil &&
			n == len(d) {
			s.open = appendBounded(s.open, d, maxSessions)
		}
	}
}

// digests returns the open sessions as hexadecimal digits.
func (s *sessions) digests() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.open {
		out = append(out, hex.EncodeToString(d[:]))
	}
	return out
}

// redeem opens a session with a link's token, and reports whether the token was valid.
func (s *sessions) redeem(link string) (session string, ok bool) {
	session, ok = s.take(link)
	if ok && s.changed != nil {
		s.changed()
	}
	return session, ok
}

// take opens a session with a link's token.
func (s *sessions) take(link string) (session string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	want := sha256.Sum256([]byte(link))
	for at, have := range s.links {
		if have == want {
			s.links = append(s.links[:at:at], s.links[at+1:]...)
			session = rand.Text() + rand.Text()
			s.open = appendBounded(s.open, sha256.Sum256([]byte(session)), maxSessions)
			return session, true
		}
	}
	return "", false
}

// has reports whether a request belongs to a session.
func (s *sessions) has(r *http.Request) bool {
	cookie, err := r.Cookie(cookieName(r))
	if err != nil {
		return false
	}
	want := sha256.Sum256([]byte(cookie.Value))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, have := range s.open {
		if have == want {
			return true
		}
	}
	return false
}

func appendBounded(list []digest, d digest, most int) []digest {
	list = append(list, d)
	return list[max(0, len(list)-most):]
}

// cookieName returns the name of the session cookie. Browsers send a cookie to all ports of a host,
// so each port has its own name.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	return "gemwire_inspector_" + port
}

// sessionCookie returns the cookie of a session. It lasts until the browser is closed.
func sessionCookie(r *http.Request, session string) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(r), Value: session, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	}
}
