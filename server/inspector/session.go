package inspector

import (
	"crypto/rand"
	"crypto/sha256"
	"net"
	"net/http"
	"sync"
)

// Bounds of what is open at the same time.
const (
	maxLinks    = 16
	maxSessions = 64
)

// digest is what is remembered of a token. Comparing digests tells nothing of a token by the time
// it takes.
type digest = [sha256.Size]byte

// sessions knows who may see the page: a link, which is a token in an address, opens a session
// once, and a session is a token in a cookie. When there are too many, the oldest ends.
type sessions struct {
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

// redeem opens a session by a link's token, and reports whether that token was one.
func (s *sessions) redeem(link string) (session string, ok bool) {
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

// cookieName returns that of the session. Browsers send a cookie to all ports of a host, so that
// each port has one of its own.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	return "gemwire_inspector_" + port
}

// sessionCookie returns the cookie of a session, which lasts as long as the browser runs.
func sessionCookie(r *http.Request, session string) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(r), Value: session, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	}
}
