package intake

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrEncoding is returned for a body that is not in its announced encoding.
var ErrEncoding = errors.New("the body does not have the encoding of its Content-Encoding header")

// ErrWindow is returned for a body whose decoding takes too much memory. Such a body is not wrong.
var ErrWindow = errors.New("the window of the zstd body is too large")

// errNoContent is the reason why a body with many bytes and nearly no content is refused.
var errNoContent = errors.New("the encoded body is longer than its content")

// Encodings are the encodings that [Gate.Read] decodes.
var Encodings = []string{"gzip", "deflate", "zstd"}

// mostEncodings is the maximum number of encodings of one body. Clients use one.
const mostEncodings = 2

// ParseEncodings reads the values of a Content-Encoding header: the encodings in the order in which
// they were applied. unknown is the first that [Gate.Read] does not decode, or the whole value if
// there are too many.
func ParseEncodings(values []string) (encodings []string, unknown string) {
	all := strings.Join(values, ",")
	for name := range strings.SplitSeq(all, ",") {
		switch name = strings.ToLower(strings.TrimSpace(name)); {
		case name == "" || name == "identity":
			continue
		case name == "x-gzip":
			name = "gzip"
		case !slices.Contains(Encodings, name):
			return nil, name
		}
		encodings = append(encodings, name)
	}
	if len(encodings) > mostEncodings {
		return nil, all
	}
	return encodings, ""
}

// decoded is a body without its encodings.
type decoded struct {
	io.Reader
	encoded *encoded
	closers []func()
}

// encoded is a body with its encodings. It ends with an error if it is too large, or if it has much
// more bytes than content, because decoding empty frames takes time and gives nothing.
type encoded struct {
	io.Reader
	size, limit, content int64
}

// mostWithoutContent is the number of bytes that a body may have in addition to its content.
// Decoders read ahead, and encodings add a few bytes to each block.
const mostWithoutContent = 1 << 20

// Read implements [io.Reader].
func (e *encoded) Read(p []byte) (int, error) {
	switch {
	case e.size > e.limit:
		return 0, ErrTooLarge
	case e.size > mostWithoutContent+2*e.content:
		return 0, errNoContent
	}
	n, err := e.Reader.Read(p)
	e.size += int64(n)
	return n, err
}

// decode returns the body without its encodings, the last of which is removed first. limit is the
// maximum size of the body with them.
func decode(body io.Reader, encodings []string, limit int64) (*decoded, error) {
	d := &decoded{encoded: &encoded{Reader: body, limit: limit}}
	d.Reader = d.encoded
	for _, encoding := range slices.Backward(encodings) {
		if err := d.remove(encoding); err != nil {
			d.close()
			return nil, encodingError(err)
		}
	}
	return d, nil
}

// remove removes one encoding.
func (d *decoded) remove(encoding string) error {
	switch encoding {
	case "gzip":
		in, err := gzip.NewReader(d.Reader)
		if err != nil {
			return err
		}
		d.Reader = in
	case "deflate":
		in := bufio.NewReader(d.Reader)
		header, err := in.Peek(2)
		if err != nil {
			return err
		}
		if !isZlib(header) { // as some clients send it
			d.Reader = flate.NewReader(in)
			return nil
		}
		if d.Reader, err = zlib.NewReader(in); err != nil {
			return err
		}
	case "zstd":
		in, err := zstd.NewReader(d.Reader, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(largestWindow))
		if err != nil {
			return err
		}
		d.Reader = in
		d.closers = append(d.closers, in.Close)
	}
	return nil
}

// largestWindow is the memory that decoding zstd may take (RFC 9659).
const largestWindow = 8 << 20

// isZlib reports whether data begins with the header of zlib (RFC 1950).
func isZlib(header []byte) bool {
	return header[0]&0x0f == 8 && (int(header[0])<<8|int(header[1]))%31 == 0
}

// Read implements [io.Reader].
func (d *decoded) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	d.encoded.content += int64(n)
	if err != nil && err != io.EOF {
		err = encodingError(err)
	}
	return n, err
}

// close frees what the decoders hold.
func (d *decoded) close() {
	for _, free := range d.closers {
		free()
	}
}

// encodingError returns ErrEncoding, unless the body itself could not be read or is too large.
func encodingError(err error) error {
	switch {
	case errors.Is(err, ErrSlow), errors.Is(err, ErrTooLarge):
		return err
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return fmt.Errorf("%w: %w", ErrWindow, err)
	}
	return fmt.Errorf("%w: %w", ErrEncoding, err)
}
