package gemini

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/retry"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
	"github.com/gemwire/gemwire/pkg/gemini/internal/upload"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// uploadSettings are the settings for uploads.
type uploadSettings struct {
	chunkSize   int
	progress    func(sent, total int64)
	untilActive bool
}

// DefaultUploadChunkSize is the default chunk size of an upload, in bytes: 8 MiB. The client holds
// one chunk in memory.
const DefaultUploadChunkSize = 8 << 20

// WithUploadChunkSize sets the chunk size of an upload, in bytes. The client holds one chunk in
// memory. If the server requires a multiple of a certain size, the client adjusts the chunk size.
func WithUploadChunkSize(size int) Option {
	return anyOption(func(s *settings) { s.upload.chunkSize = size })
}

// WithUploadProgress sets a function that is called after each uploaded chunk, in the goroutine of
// the call. Its arguments are the bytes so far and the bytes of the whole file, or -1 while that is
// unknown.
func WithUploadProgress(progress func(sent, total int64)) CallOption {
	return callOption(func(s *settings) { s.upload.progress = progress })
}

// WithWaitActive makes an upload return only when requests can use the file, like
// [Files.WaitUntilActive].
func WithWaitActive() CallOption {
	return callOption(func(s *settings) { s.upload.untilActive = true })
}

// Upload stores a file. The client sends the content in chunks and holds one chunk in memory. If a
// chunk fails, it asks the server how many bytes arrived and continues from there.
//
// file has what the caller knows about the file and may be nil. MIMEType defaults to the type that
// the first bytes suggest. DisplayName is optional. The server chooses a missing Name.
// SizeBytes may be unknown; a reader that has a Len or can seek supplies it. Content of another
// size is an error.
//
// The returned file may still be in processing, see [WithWaitActive].
func (f Files) Upload(ctx context.Context, content io.Reader, file *geminiapi.File,
	opts ...CallOption) (*geminiapi.File, error) {
	s, err := f.client.with(opts)
	if err != nil {
		return nil, err
	}
	if err := collectionFiles.check(s, operationUpload); err != nil {
		return nil, err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	session, err := newUploadSession(s, content, jsonx.Deref(file))
	if err != nil {
		return nil, s.uploadFailed(err)
	}
	stored, err := session.run(ctx)
	if err != nil || !s.upload.untilActive ||
		jsonx.Deref(stored.State) == geminiapi.FileStateActive {
		return stored, err
	}
	return s.untilActive(ctx, jsonx.Deref(stored.Name))
}

const operationUpload = "uploadFile"

// uploadFailed returns the error of an upload that failed between requests, for example because of
// its content.
func (s *settings) uploadFailed(err error) error {
	return newCallError(CallError{Operation: operationUpload}, err, s.known()...)
}

// uploadSession is an upload in progress.
type uploadSession struct {
	settings *settings
	chunks   *upload.Chunks
	file     geminiapi.File
	mimeType string
	size     int64 // -1 if unknown

	address   string // for the chunks
	chunkSize int
	offset    int64           // the number of bytes that have arrived
	isUnsure  bool            // more bytes may have arrived
	stored    *geminiapi.File // set after the last chunk
}

var errNoContent = errors.New("no content")

func newUploadSession(s *settings, content io.Reader, file geminiapi.File) (*uploadSession, error) {
	if content == nil {
		return nil, errNoContent
	}
	u := &uploadSession{settings: s, file: file, size: -1}
	var err error
	if file.SizeBytes != nil {
		u.size = file.SizeBytes.Int64()
	} else if u.size, err = upload.SizeOf(content); err != nil {
		return nil, err
	}
	u.chunks = upload.NewChunks(content)
	if u.mimeType = jsonx.Deref(file.MIMEType); u.mimeType == "" {
		u.mimeType, err = u.chunks.MIMEType()
	}
	return u, err
}

// run sends the file from the first chunk to the last.
func (u *uploadSession) run(ctx context.Context) (*geminiapi.File, error) {
	if err := u.start(ctx); err != nil {
		return nil, err
	}
	for u.stored == nil {
		chunk, isLast, err := u.chunks.Next(u.chunkSize)
		if err == nil {
			err = u.checkSize(len(chunk), isLast)
		}
		if err != nil {
			return nil, u.settings.uploadFailed(err)
		}
		if err := u.deliver(ctx, chunk, isLast); err != nil {
			return nil, err
		}
		if u.settings.upload.progress != nil {
			u.settings.upload.progress(u.offset, u.size)
		}
	}
	return u.stored, nil
}

var errOtherSize = errors.New("the content does not have the announced size")

// checkSize returns an error for a piece that makes the file longer or shorter than announced. The
// client then sends nothing of the piece, so that the server never takes a part for the whole file.
func (u *uploadSession) checkSize(piece int, isLast bool) error {
	end := u.offset + int64(piece)
	if u.size >= 0 && (end > u.size || isLast && end != u.size) {
		return errOtherSize
	}
	return nil
}

var errNoUploadURL = errors.New("the server returned no address for the chunks")

// start announces the file and gets the address for its chunks.
func (u *uploadSession) start(ctx context.Context) error {
	op, err := u.announcement()
	if err != nil {
		return err
	}
	err = u.settings.call(ctx, op, func(reply *transport.Reply) error {
		defer reply.Close()
		if u.address = reply.Header.Get(upload.HeaderURL); u.address == "" {
			return errNoUploadURL
		}
		wanted := cmp.Or(max(u.settings.upload.chunkSize, 0), DefaultUploadChunkSize)
		u.chunkSize = upload.ChunkSize(wanted, reply.Header)
		if u.size >= 0 && u.size < int64(u.chunkSize) {
			u.chunkSize = int(u.size) + 1
		}
		return nil
	})
	return err
}

// announcement describes the first request of an upload.
func (u *uploadSession) announcement() (*operation, error) {
	op, err := collectionFiles.all(u.settings, operationUpload, http.MethodPost)
	if err != nil {
		return nil, err
	}
	op.folder = "upload"
	op.header = []pair{
		{upload.HeaderProtocol, upload.Resumable},
		{upload.HeaderCommand, upload.Start},
		{upload.HeaderType, u.mimeType},
	}
	if u.size >= 0 {
		op.header = append(op.header, pair{upload.HeaderLength, strconv.FormatInt(u.size, 10)})
		u.file.SizeBytes = new(wiretype.NewInt64(u.size))
	}
	u.file.MIMEType = &u.mimeType
	if name := jsonx.Deref(u.file.Name); name != "" {
		if name, err = collectionFiles.resource(u.settings, name); err != nil {
			return nil, u.settings.uploadFailed(err)
		}
		u.file.Name = &name
	}
	op.body, err = Encode(&geminiapi.CreateFileRequest{File: &u.file})
	return op, err
}

// deliver sends a chunk until the server has all of it. The count of attempts restarts with each
// byte that arrives.
func (u *uploadSession) deliver(ctx context.Context, chunk []byte, isLast bool) error {
	end := u.offset + int64(len(chunk))
	for {
		before := u.offset
		err := u.settings.retry.Run(ctx, u.settings.budget, func(int) (retry.Verdict, error) {
			return u.attempt(ctx, chunk, end, isLast)
		})
		if err == nil || !verdictOf(err).Again || u.offset == before {
			return err
		}
	}
}

// attempt sends the bytes up to end that the server does not have yet.
func (u *uploadSession) attempt(ctx context.Context, chunk []byte, end int64,
	isLast bool) (retry.Verdict, error) {
	if u.isUnsure {
		err := u.resume(ctx, end, isLast)
		u.isUnsure = err != nil
		hasArrived := u.offset == end && !isLast || u.stored != nil
		if err != nil || hasArrived {
			return retry.Verdict{}, err
		}
	}
	err := u.send(ctx, chunk[int64(len(chunk))-(end-u.offset):], isLast)
	if u.isUnsure = err != nil; !u.isUnsure {
		u.offset = end
	}
	return verdictOf(err), err
}

// send sends the rest of a chunk once.
func (u *uploadSession) send(ctx context.Context, rest []byte, isLast bool) error {
	command := upload.Upload
	if isLast {
		command = upload.UploadAndFinalize
	}
	op := u.command(command)
	op.header = append(op.header, pair{upload.HeaderOffset, strconv.FormatInt(u.offset, 10)})
	body := upload.NewBody(rest)
	defer body.Detach()
	op.upload, op.size = body, int64(len(rest))
	err := u.settings.call(ctx, op, func(reply *transport.Reply) error {
		defer reply.Close()
		body, err := reply.ReadAll(u.settings.maxBodySize)
		switch {
		case err != nil:
			return err
		case !isLast:
			return u.checkReply(reply.Header, u.offset+int64(len(rest)))
		default:
			return u.settings.unexpected(reply, body, u.finish(body, u.offset+int64(len(rest))))
		}
	})
	return err
}

// checkReply returns an error for a reply to a chunk, except the last, unless the reply says that
// the server has the bytes up to end and waits for more. If the server may have a part of them, the
// client asks how much and sends the rest.
func (u *uploadSession) checkReply(header http.Header, end int64) error {
	switch header.Get(upload.HeaderStatus) {
	case upload.Final:
		return errUploadEarly
	case upload.Cancelled:
		return errUploadOver
	}
	switch received := upload.Number(header, upload.HeaderReceived); {
	case received > end:
		return errUploadAhead
	case received >= 0 && received < end:
		return errUploadPart
	default:
		return nil
	}
}

// command describes a request about the upload.
func (u *uploadSession) command(command string) *operation {
	return &operation{
		name: operationUpload, method: http.MethodPost, folder: "upload",
		resource: collectionFiles.folder,
		address:  u.address, header: []pair{{upload.HeaderCommand, command}},
	}
}

// The errors for a server's answer to the last chunk.
var (
	errNoFile    = errors.New("the answer has no file")
	errOtherFile = errors.New("the server stored a different number of bytes than was sent")
)

// finish reads the answer to the last chunk, which ends at size.
func (u *uploadSession) finish(body []byte, size int64) error {
	response, err := Decode[geminiapi.CreateFileResponse](body)
	switch {
	case err != nil:
		return err
	case response.File == nil:
		return errNoFile
	case response.File.SizeBytes != nil && response.File.SizeBytes.Int64() != size:
		return errOtherFile
	}
	u.stored = response.File
	return nil
}

// The errors for a server's answer about an unfinished upload.
var (
	errUploadLost  = errors.New("the server no longer has the bytes that were sent")
	errUploadOver  = errors.New("the server has ended the upload")
	errUploadEarly = errors.New("the server has ended the upload before the last chunk")
	errUploadAhead = errors.New("the server counts more bytes than were sent")
	errUploadPart  = fmt.Errorf("the server accepted only a part of the chunk: %w", io.ErrUnexpectedEOF)
)

// resume asks how many bytes have arrived. The number must be within the chunk that ends at end. If
// the answer to the last chunk was lost, the server sends it again.
func (u *uploadSession) resume(ctx context.Context, end int64, isLast bool) error {
	var failure error
	err := u.settings.call(ctx, u.command(upload.Query), func(reply *transport.Reply) error {
		defer reply.Close()
		body, err := reply.ReadAll(u.settings.maxBodySize)
		if err != nil {
			return err
		}
		if failure = u.readState(reply.Header, body, end); u.stored != nil && !isLast {
			failure = errUploadEarly
		}
		return nil
	})
	if err == nil && failure != nil {
		return newCallError(CallError{Operation: operationUpload, HTTPStatus: http.StatusOK,
			Attempts: 1}, failure, u.settings.known()...)
	}
	return err
}

func (u *uploadSession) readState(header http.Header, body []byte, end int64) error {
	received := upload.Number(header, upload.HeaderReceived)
	switch header.Get(upload.HeaderStatus) {
	case upload.Final:
		u.offset = end
		return u.finish(body, end)
	case upload.Active:
	default:
		return errUploadOver
	}
	switch {
	case received < u.offset:
		return errUploadLost
	case received > end:
		return errUploadAhead
	}
	u.offset = received
	return nil
}
