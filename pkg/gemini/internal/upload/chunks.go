// Package upload cuts a file into the chunks of a resumable upload, and defines the headers of the
// upload protocol.
package upload

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"
)

// Chunks cuts a reader into pieces of equal size and keeps one piece in memory.
type Chunks struct {
	reader *bufio.Reader
	buffer []byte // one byte longer than a piece, to detect the last piece
	filled int    // bytes at the front of the buffer that belong to the next piece
}

// sniffed is how many bytes are needed to detect the type of a file.
const sniffed = 512

// NewChunks returns the pieces of a reader.
func NewChunks(content io.Reader) *Chunks {
	return &Chunks{reader: bufio.NewReaderSize(content, sniffed)}
}

// MIMEType returns the type of the content, detected from its first bytes, without parameters. It
// must be called before Next.
func (c *Chunks) MIMEType() (string, error) {
	head, err := c.reader.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	mimeType, _, _ := strings.Cut(http.DetectContentType(head), ";")
	return mimeType, nil
}

// Next returns the next piece of at most size bytes. size must be the same in each call. The next
// call overwrites the piece. A piece is empty only if the content is empty.
func (c *Chunks) Next(size int) (piece []byte, isLast bool, err error) {
	if c.buffer == nil {
		c.buffer = make([]byte, size+1)
	}
	if c.filled > 0 {
		c.buffer[0] = c.buffer[size]
	}
	n, err := io.ReadFull(c.reader, c.buffer[c.filled:])
	n += c.filled
	switch {
	case err == nil:
		c.filled = 1
		return c.buffer[:size], false, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		c.filled = 0
		return c.buffer[:n], true, nil
	default:
		return nil, false, err
	}
}

// SizeOf returns the number of remaining bytes of a reader, or -1 if unknown. It returns an error
// if it cannot restore the position of the reader.
func SizeOf(content io.Reader) (int64, error) {
	switch r := content.(type) {
	case interface{ Len() int }:
		return int64(r.Len()), nil
	case io.Seeker:
		return sizeBySeeking(r)
	default:
		return -1, nil
	}
}

func sizeBySeeking(s io.Seeker) (int64, error) {
	here, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1, nil // a pipe, for example
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return -1, nil
	}
	if _, err := s.Seek(here, io.SeekStart); err != nil {
		return -1, err
	}
	if end < here {
		return -1, nil
	}
	return end - here, nil
}
