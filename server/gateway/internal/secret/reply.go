package secret

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Doer returns a doer that overwrites the credential of a request in its reply. It finds the
// literal credential in the headers and in the body. The size of a body stays the same. A
// credential that does not look like a secret, such as "ollama", stays.
func Doer(next gemini.Doer) gemini.Doer {
	return &doer{next}
}

type doer struct{ next gemini.Doer }

func (d *doer) Do(request *http.Request) (*http.Response, error) {
	secrets := sent(request)
	reply, err := d.next.Do(request)
	if err != nil || reply == nil || len(secrets) == 0 {
		return reply, err
	}
	blankHeader(reply.Header, secrets)
	reply.Body = &body{ReadCloser: reply.Body, secrets: secrets}
	return reply, nil
}

// blankHeader overwrites secrets in all values of a header.
func blankHeader(header http.Header, secrets [][]byte) {
	for _, values := range header {
		for i := range values {
			for _, secret := range secrets {
				values[i] = strings.ReplaceAll(values[i], string(secret), redact.Mark)
			}
		}
	}
}

// sent returns the credentials of a request that look like secrets.
func sent(r *http.Request) [][]byte {
	var out [][]byte
	for _, secret := range OfRequest(r, false) {
		out = append(out, []byte(secret))
	}
	return out
}

// body overwrites secrets in a body. It holds back a possible start of a secret until more bytes
// have arrived.
type body struct {
	io.ReadCloser
	secrets [][]byte
	held    []byte // may be the beginning of a secret
	ready   []byte // was read for a reader with too little room
	err     error
}

// Read returns only bytes that are certain to contain no secret.
func (b *body) Read(p []byte) (int, error) {
	if len(b.ready) == 0 && len(p) < b.room() && len(p) > 0 {
		more := make([]byte, b.room())
		n, err := b.read(more)
		if err != nil {
			return 0, err
		}
		b.ready = more[:n]
	}
	if len(b.ready) > 0 || len(p) == 0 {
		n := copy(p, b.ready)
		b.ready = b.ready[n:]
		return n, nil
	}
	return b.read(p)
}

// room is the minimum size of a read. It is larger than what can be held back.
func (b *body) room() int {
	longest := 0
	for _, secret := range b.secrets {
		longest = max(longest, len(secret))
	}
	return 512 + 2*longest
}

// read reads into a buffer of sufficient size. It returns an error only without bytes.
func (b *body) read(p []byte) (int, error) {
	for b.err == nil {
		had := copy(p, b.held)
		n, err := b.ReadCloser.Read(p[had:])
		data := p[:had+n]
		b.blank(data)
		if err != nil {
			b.held, b.err = nil, err
			if len(data) > 0 {
				return len(data), nil
			}
			break
		}
		certain := len(data) - b.beginning(data)
		b.held = append(b.held[:0], data[certain:]...)
		if certain > 0 {
			return certain, nil
		}
	}
	return 0, b.err
}

// blank overwrites the secrets in data.
func (b *body) blank(data []byte) {
	for _, secret := range b.secrets {
		for rest := data; ; {
			at := bytes.Index(rest, secret)
			if at < 0 {
				break
			}
			found := rest[at : at+len(secret)]
			for i := range found {
				found[i] = '*'
			}
			copy(found, redact.Mark)
			rest = rest[at+len(secret):]
		}
	}
}

// beginning returns how many bytes at the end of data may be the start of a secret.
func (b *body) beginning(data []byte) int {
	longest := 0
	for _, secret := range b.secrets {
		for size := min(len(secret)-1, len(data)); size > longest; size-- {
			if bytes.HasSuffix(data, secret[:size]) {
				longest = size
				break
			}
		}
	}
	return longest
}
