package gemini

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// Files stores files for two days, so that requests can refer to them by their URI. It is
// [Client.Files]. Vertex AI has no files of its own: there its methods are an
// [errors.ErrUnsupported].
//
//	file, err := client.Files.Upload(ctx, content, &geminiapi.File{MIMEType: new("application/pdf")})
//	if err != nil { ... }
//	part := gemini.FileDataPart(*file.MIMEType, *file.URI)
//
// A name is "files/ID", the ID, or the file's URI.
type Files struct{ client *Client }

// Get describes a file.
func (f Files) Get(ctx context.Context, name string, opts ...CallOption) (*geminiapi.File, error) {
	s, err := f.client.with(opts)
	if err != nil {
		return nil, err
	}
	return getFile(ctx, s, name)
}

func getFile(ctx context.Context, s *settings, name string) (*geminiapi.File, error) {
	op, err := collectionFiles.one(s, "getFile", http.MethodGet, fileName(name))
	if err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.File])
}

// fileName returns the name of a file of which the URI may be given, such as
// https://generativelanguage.googleapis.com/v1beta/files/abc-123:download?alt=media. Any other name
// is returned as it is. Where a call goes is never up to the URI.
func fileName(name string) string {
	address, err := url.Parse(name)
	if err != nil || address.Host == "" {
		return name
	}
	last, _, _ := strings.Cut(path.Base(address.Path), ":")
	return collectionFiles.folder + "/" + last
}

// List yields all files, page by page as the loop goes on. An error is the last pair, beside a nil
// file.
func (f Files) List(ctx context.Context, opts ...CallOption) iter.Seq2[*geminiapi.File, error] {
	return list[geminiapi.File, geminiapi.ListFilesResponse]{
		client: f.client, collection: collectionFiles, name: "listFiles",
		decode: Decode[geminiapi.ListFilesResponse],
		elements: func(page *geminiapi.ListFilesResponse) ([]geminiapi.File, *string) {
			return page.Files, page.NextPageToken
		},
	}.all(ctx, opts)
}

// Delete deletes a file before it expires.
func (f Files) Delete(ctx context.Context, name string, opts ...CallOption) error {
	s, err := f.client.with(opts)
	if err != nil {
		return err
	}
	return collectionFiles.deleteOne(ctx, s, "deleteFile", fileName(name))
}

// WaitUntilActive returns a file as soon as requests can use it. It asks again and again, at first
// after a second and then less and less often, until the context ends or the time of [WithTimeout]
// is over. A file that the server cannot use is a *[FileStateError].
func (f Files) WaitUntilActive(ctx context.Context, name string,
	opts ...CallOption) (*geminiapi.File, error) {
	s, err := f.client.with(opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	return s.untilActive(ctx, name)
}

// How long a client waits before it asks for the state of a file again.
const (
	firstPoll = time.Second
	lastPoll  = 10 * time.Second
)

// untilActive asks for a file until it is no longer in processing.
func (s *settings) untilActive(ctx context.Context, name string) (*geminiapi.File, error) {
	for wait := firstPoll; ; wait = min(2*wait, lastPoll) {
		file, err := getFile(ctx, s, name)
		if err != nil {
			return nil, err
		}
		switch jsonx.Deref(file.State) {
		case geminiapi.FileStateActive:
			return file, nil
		case geminiapi.FileStateFailed:
			return nil, s.failedFile(file)
		}
		if err := s.retry.Sleep(ctx, wait); err != nil {
			return nil, newCallError(CallError{Operation: "getFile"}, transport.Ended(ctx))
		}
	}
}

// failedFile returns the error of a file that the server failed to process, whose reason may quote
// a key.
func (s *settings) failedFile(file *geminiapi.File) error {
	body, err := Encode(file)
	if err == nil {
		file, err = Decode[geminiapi.File]([]byte(redact.Text(string(body), s.known()...)))
	}
	if err != nil {
		return err
	}
	return &FileStateError{File: file}
}

// FileStateError reports a file that requests cannot use, because the server failed to process it.
type FileStateError struct {
	// File is the file; its Error says what went wrong. Keys that it quotes are blanked out.
	File *geminiapi.File
}

// Error returns one line such as "gemini: files/abc-123 is FAILED: INVALID_ARGUMENT: unsupported
// codec".
func (e *FileStateError) Error() string {
	text := fmt.Sprintf("gemini: %s is %s", jsonx.Deref(e.File.Name), jsonx.Deref(e.File.State))
	if status := jsonx.Deref(e.File.Error); status.Message != nil {
		text += ": " + *status.Message
	}
	return text
}

// LogValue groups the fields for package slog.
func (e *FileStateError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("name", jsonx.Deref(e.File.Name)),
		slog.String("state", string(jsonx.Deref(e.File.State))),
		slog.String("message", e.Error()),
	)
}

// Download writes the bytes of a file that the service made, a video or the results of a batch, to
// w, and returns how many there were. Uploaded files cannot be downloaded.
//
// Anything but an answer with a status of success is an error, and nothing is written then. A
// download that breaks off in its midst is an error too, behind what was written; it is not begun
// again. More bytes than the limit of [WithMaxBodySize] are [ErrBodyTooLarge].
func (f Files) Download(ctx context.Context, name string, w io.Writer, opts ...CallOption) (int64,
	error) {
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

// openDownload opens a download, and follows where the server sends it. The credential stays with
// the server that it is for.
func (s *settings) openDownload(ctx context.Context, op *operation) (*exchange, *transport.Reply,
	error) {
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

// copyBody copies a body of up to limit bytes; there is no limit below 1. It fails when the body is
// not as long as the reply says, which an http.Client finds itself.
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
