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
// [Client.Files]. Vertex AI has no such files, so the methods return an [errors.ErrUnsupported]
// there.
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

// fileName returns the name of a file that may be given by its URI, such as
// https://generativelanguage.googleapis.com/v1beta/files/abc-123:download?alt=media. It returns any
// other name unchanged. The URI never changes where a call goes.
func fileName(name string) string {
	address, err := url.Parse(name)
	if err != nil || address.Host == "" {
		return name
	}
	last, _, _ := strings.Cut(path.Base(address.Path), ":")
	return collectionFiles.folder + "/" + last
}

// List yields all files and requests each page when the loop reaches it. An error is the last pair,
// with a nil file.
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

// WaitUntilActive returns a file when requests can use it. It polls after a second and then less
// and less often, until the context ends or [WithTimeout] expires. If the server cannot use the
// file, the error is a *[FileStateError].
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

// How long a client waits between polls of a file's state.
const (
	firstPoll = time.Second
	lastPoll  = 10 * time.Second
)

// untilActive polls a file until its processing ends.
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

// failedFile returns the error of a file that the server failed to process. The server's reason may
// quote a key.
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

// FileStateError reports a file that requests cannot use because the server failed to process it.
type FileStateError struct {
	// File is the file; its Error says what went wrong. Quoted keys are redacted.
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

// Download writes the bytes of a file that the service made, such as a video or the results of a
// batch, to w. It returns the number of bytes. Uploaded files cannot be downloaded.
//
// If the status is not a success, Download returns an error and writes nothing. An interrupted
// download is an error too, after the bytes that were written; the client does not retry it. A file
// above [WithMaxBodySize] is an [ErrBodyTooLarge].
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

// maxRedirects is the maximum number of redirects of a download. Google's servers use one.
const maxRedirects = 3

var errRedirects = errors.New("the download has too many redirects")

// openDownload starts a download and follows the server's redirects. It sends the credential only
// to the server that it is for.
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

// copyBody copies a body of at most limit bytes; below 1 there is no limit. It fails if the body is
// shorter or longer than the reply says. An http.Client detects that itself.
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

// atEnd returns an error unless a body ends here.
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
