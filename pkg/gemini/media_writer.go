package gemini

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// WithMediaWriter has the images and sounds of answers written as bytes, in place of their base64 in the answer, whose
// blobs are left without data. A whole answer with an image of 4 MB then takes a quarter of a megabyte, in place of the 5 MB
// of its base64.
//
// Open is called for each blob with its type, such as "image/png", in the order of the parts, and returns what takes its
// bytes; nil leaves the data in the answer. It is called by the goroutine of the call. What is not base64, or an error of
// the writer, ends the call, which is not made again.
//
// It is not for a [Chat] or a loop of tools, which send an answer back to the model: a blob without data is refused there.
//
//	gemini.WithMediaWriter(func(mimeType string) io.Writer { return file })
func WithMediaWriter(open func(mimeType string) io.Writer) Option {
	return func(s *settings) { s.media = open }
}

// mediaWriter opens the writers of media, see [WithMediaWriter]. A nil one leaves all media where they are.
type mediaWriter func(mimeType string) io.Writer

// largeData is the data of a blob that was left out of an answer while it was decoded.
type largeData struct {
	blob   *geminiapi.Blob // nil where nothing was left out
	pieces [][]byte
	size   int
}

// keep puts the data into the answer.
func (d largeData) keep() {
	if d.blob != nil {
		*d.blob.Data = join(d.pieces, d.size)
	}
}

// reader returns a reader of the data.
func (d largeData) reader() io.Reader {
	readers := make([]io.Reader, len(d.pieces))
	for i, piece := range d.pieces {
		readers[i] = bytes.NewReader(piece)
	}
	return io.MultiReader(readers...)
}

// take writes the media of an answer, and takes their data out of it.
func (m mediaWriter) take(answer *geminiapi.GenerateContentResponse, large largeData) error {
	if m == nil {
		large.keep()
		return nil
	}
	for i := range answer.Candidates {
		if content := answer.Candidates[i].Content; content != nil {
			if err := m.takeParts(content.Parts, large); err != nil {
				large.keep()
				return err
			}
		}
	}
	return nil
}

func (m mediaWriter) takeParts(parts []geminiapi.Part, large largeData) error {
	for i := range parts {
		blob := parts[i].InlineData
		if blob == nil || blob.Data == nil {
			continue
		}
		data := largeData{blob, [][]byte{[]byte(*blob.Data)}, len(*blob.Data)}
		if blob == large.blob {
			data = large
		}
		if err := m.write(data); err != nil {
			return err
		}
	}
	return nil
}

// chunkMedia does the same for the chunks of a stream; nil leaves all media where they are.
type chunkMedia struct {
	mediaWriter
	large largeData // of the chunk at hand
}

func (m mediaWriter) ofChunks() *chunkMedia {
	if m == nil {
		return nil
	}
	return &chunkMedia{mediaWriter: m}
}

// keep keeps what was left out of the chunk at hand until it is taken, or puts it into the chunk.
func (m *chunkMedia) keep(large largeData) {
	if m == nil {
		large.keep()
		return
	}
	m.large = large
}

// take writes the media of the chunk at hand.
func (m *chunkMedia) take(chunk *geminiapi.GenerateContentResponse) error {
	if m == nil {
		return nil
	}
	large := m.large
	m.large = largeData{}
	return m.mediaWriter.take(chunk, large)
}

// write writes the bytes of a blob.
func (m mediaWriter) write(data largeData) error {
	mimeType := ""
	if data.blob.MIMEType != nil {
		mimeType = *data.blob.MIMEType
	}
	w := m(mimeType)
	if w == nil {
		data.keep()
		return nil
	}
	_, err := io.Copy(w, base64.NewDecoder(encodingOf(data.pieces), data.reader()))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCutBase64 // or it would be taken for the end of the body
	}
	if err != nil {
		return &mediaError{err}
	}
	data.blob.Data = nil
	return nil
}

var errCutBase64 = errors.New("the base64 is cut off")

// encodingOf returns the alphabet and the padding of base64, of which servers were seen to send all four kinds.
func encodingOf(pieces [][]byte) *base64.Encoding {
	encoding, last := base64.StdEncoding, ""
	for _, piece := range pieces {
		if bytes.ContainsAny(piece, "-_") {
			encoding = base64.URLEncoding
		}
		if len(piece) > 0 {
			last = string(piece[len(piece)-1:])
		}
	}
	if size := sizeOf(pieces); size%4 != 0 && !strings.HasSuffix(last, "=") {
		return encoding.WithPadding(base64.NoPadding)
	}
	return encoding
}

// mediaError reports media that could not be written. It is not tried again, whatever it wraps: some of the bytes may be
// written.
type mediaError struct{ err error }

func (e *mediaError) Error() string { return "writing the media of the answer: " + e.err.Error() }
func (e *mediaError) Unwrap() error { return e.err }
