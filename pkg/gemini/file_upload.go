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

// uploadSettings are those of uploads only.
type uploadSettings struct {
	chunkSize   int
	progress    func(sent, total int64)
	untilActive bool
}

// DefaultUploadChunkSize is how many bytes of a file a client holds in memory and sends at a time:
// 8 MiB.
const DefaultUploadChunkSize = 8 << 20

// WithUploadChunkSize sets how many bytes of a file are held in memory and sent at a time. The
// server may want a multiple of a size of its own, and gets it.
func WithUploadChunkSize(size int) Option {
	return anyOption(func(s *settings) { s.upload.chunkSize = size })
}

// WithUploadProgress has a function called after each chunk that has arrived, in the goroutine of
// the call: with the bytes so far, and those of the whole file, -1 while that is not known.
func WithUploadProgress(progress func(sent, total int64)) CallOption {
	return callOption(func(s *settings) { s.upload.progress = progress })
}

// WithWaitActive has an upload return only when requests can use the file, like
// [Files.WaitUntilActive].
func WithWaitActive() CallOption {
	return callOption(func(s *settings) { s.upload.untilActive = true })
}

// Upload stores a file. Its content is sent in chunks, of which one at a time is in memory. When a
// chunk does not arrive, the server is asked how much of it did, and the upload goes on from there.
//
// What the caller knows of the file is in file, which may be nil: MIMEType, which else is told by
// the first bytes, DisplayName, Name (the server makes one), and SizeBytes, which need not be
// known; readers that have a Len or can seek tell it themselves. A content that turns out to be of
// another size is an error.
//
// The file that is returned may still be in processing, see [WithWaitActive].
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

// uploadFailed returns the error of an upload that failed between requests, by its content for
// example.
func (s *settings) uploadFailed(err error) error {
	return newCallError(CallError{Operation: operationUpload}, err, s.known()...)
}

// uploadSession is an upload on its way.
type uploadSession struct {
	settings *settings
	chunks   *upload.Chunks
	file     geminiapi.File
	mimeType string
	size     int64 // -1 when it is not known

	address   string // where the server wants the chunks
	chunkSize int
	offset    int64           // bytes that have arrived
	isUnsure  bool            // more may have arrived than is known
	stored    *geminiapi.File // behind the last chunk
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

var errOtherSize = errors.New("the content is not as long as was announced")

// checkSize returns an error for a piece by which a file becomes longer than it was announced, or
// ends before. Nothing of the piece is sent then, so that no part of a file is taken for the whole.
func (u *uploadSession) checkSize(piece int, isLast bool) error {
	end := u.offset + int64(piece)
	if u.size >= 0 && (end > u.size || isLast && end != u.size) {
		return errOtherSize
	}
	return nil
}

var errNoUploadURL = errors.New("the server names no address for the chunks")

// start announces the file, and learns where its chunks go.
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

// deliver sends a chunk until the server has all of it. Attempts are counted from the last byte
// that arrived.
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

// attempt sends what the server does not have of the chunk that ends at end.
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

// checkReply returns an error for a reply to a chunk, not the last one, that does not say that the
// server has it up to end and waits for more. A server that has a part of it is asked how much, and
// gets the rest.
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

// What is wrong with a server's answer to the last chunk.
var (
	errNoFile    = errors.New("the answer describes no file")
	errOtherFile = errors.New("the server has stored another number of bytes than was sent")
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

// What a server may say of an upload that goes on.
var (
	errUploadLost  = errors.New("the server no longer has what was sent before")
	errUploadOver  = errors.New("the server has ended the upload")
	errUploadEarly = errors.New("the server has ended the upload before the last chunk")
	errUploadAhead = errors.New("the server counts more bytes than were sent")
	errUploadPart  = fmt.Errorf("the server has taken a part of the chunk: %w", io.ErrUnexpectedEOF)
)

// resume asks how much has arrived, which is to lie within the chunk that ends at end. The answer
// to the last chunk, if that was lost, comes once more.
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
