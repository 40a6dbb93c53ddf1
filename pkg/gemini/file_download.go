package gemini

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// Download writes the bytes of a file that the service made, a video or the results of a batch, to w, and returns how
// many there were. Uploaded files cannot be downloaded.
//
// Anything but an answer with a status of success is an error, and nothing is written then. A download that breaks off
// in its midst is an error too, behind what was written; it is not begun again. More bytes than the limit of
// [WithMaxBodySize] are [ErrBodyTooLarge].
func (f Files) Download(ctx context.Context, name string, w io.Writer, opts ...CallOption) (int64, error) {
	s, err := f.client.with(opts)
	if err != nil {
		return 0, err
	}
	op, err := collectionFiles.one(s, "downloadFile", http.MethodGet, fileName(name))
	if err != nil {
		return 0, err
	}
	op.verb, op.query, op.isDownload = "download", []pair{{"alt", "media"}}, true
	op.header = []pair{{headerAccept, "*/*"}}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	x, reply, err := s.openDownload(ctx, op)
	if err != nil {
		return 0, err
	}
	defer reply.Close()
	reply.Begin()
	n, err := copyBody(w, reply, s.maxBodySize)
	if err != nil {
		err = x.failed(err)
	}
	x.ended(err, false)
	return n, err
}

// maxRedirects is how many addresses a download is sent on to. One is what Google's servers do.
const maxRedirects = 3

var errRedirects = errors.New("the download is redirected again and again")

// openDownload opens a download, and follows where the server sends it. The credential stays with the server that it
// is for.
func (s *settings) openDownload(ctx context.Context, op *operation) (*exchange, *transport.Reply, error) {
	for redirects := 0; ; redirects++ {
		var opened *transport.Reply
		x, err := s.send(ctx, op, func(reply *transport.Reply) error {
			opened = reply
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		if opened.Status < 300 {
			return x, opened, nil
		}
		opened.Close()
		address, err := x.request.URL.Parse(opened.Header.Get("Location"))
		if err == nil && redirects == maxRedirects {
			err = errRedirects
		}
		if err != nil {
			err = x.failed(err)
			x.ended(err, false)
			return nil, nil, err
		}
		x.ended(nil, false)
		next := *op
		next.address, next.query = address.String(), nil
		op = &next
	}
}

// copyBody copies a body of up to limit bytes; there is no limit below 1. It fails when the body is not as long as the
// reply says, which an http.Client finds itself.
func copyBody(w io.Writer, reply *transport.Reply, limit int64) (int64, error) {
	if limit > 0 && reply.Size > limit {
		return 0, ErrBodyTooLarge
	}
	body := io.Reader(reply)
	if limit > 0 {
		body = io.LimitReader(reply, limit)
	}
	n, err := io.Copy(w, body)
	switch {
	case err != nil:
		return n, err
	case limit > 0 && n == limit:
		return n, atEnd(reply)
	case reply.Size >= 0 && n != reply.Size:
		return n, io.ErrUnexpectedEOF
	default:
		return n, nil
	}
}

// atEnd returns why a body does not end here, nil when it does.
func atEnd(body io.Reader) error {
	switch n, err := io.ReadFull(body, make([]byte, 1)); {
	case n > 0:
		return ErrBodyTooLarge
	case err == io.EOF:
		return nil
	default:
		return err
	}
}
