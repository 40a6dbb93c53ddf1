package secret

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Doer returns a doer that blanks the credential of a request in its reply, where the server quotes
// it as it is: in the headers and in the body. The size of a body stays the same. A credential that
// does not look like a secret, such as "ollama", is left.
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

// blankHeader blanks secrets in all values of a header.
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

// body blanks secrets in a body. It holds back what may be the beginning of one until more has
// come.
type body struct {
	io.ReadCloser
	secrets [][]byte
	held    []byte // may be the beginning of a secret
	ready   []byte // was read for a reader with too little room
	err     error
}

// Read reads what is certain to have no secret.
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

// room is how much is read at least, which is more than can be held back.
func (b *body) room() int {
	longest := 0
	for _, secret := range b.secrets {
		longest = max(longest, len(secret))
	}
	return 512 + 2*longest
}

// read reads into a buffer that has the room. Its error comes without bytes.
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

// blank writes over the secrets in data.
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

// beginning returns how many bytes at the end of data may begin a secret.
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
