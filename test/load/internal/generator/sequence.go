package generator

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http/httputil"
	"time"
)

// sequence is the numbered pieces of an answer.
type sequence struct {
	leave bool // at the first piece
	start time.Time

	first     time.Duration // when the first piece came
	came      int
	next      int // the number that is expected
	lost      int // left out before one that came
	misplaced int // came again or too late
}

// read reads the body of an answer to its end. Forms differ in what they put around a text, so that
// only the text is looked for.
func (s *sequence) read(in, lines *bufio.Reader, h head) error {
	var body io.Reader = in
	switch {
	case h.isChunked:
		body = httputil.NewChunkedReader(in)
	case h.length >= 0:
		body = io.LimitReader(in, h.length)
	}
	lines.Reset(body)
	for {
		line, err := lines.ReadSlice('\n')
		s.look(line)
		if s.leave && s.came > 0 {
			return errLeft
		}
		switch {
		case err == nil, errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return s.end(in, h)
		default:
			return err
		}
	}
}

// end reads the bytes after a chunked body.
func (s *sequence) end(in *bufio.Reader, h head) error {
	if !h.isChunked {
		return nil
	}
	_, err := in.Discard(len("\r\n"))
	return err
}

// look looks for numbers in brackets.
func (s *sequence) look(line []byte) {
	for {
		at := bytes.IndexByte(line, '[')
		if at < 0 {
			return
		}
		line = line[at+1:]
		digits := 0
		for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
			digits++
		}
		if digits > 0 && digits < len(line) && line[digits] == ']' {
			s.note(number(line[:digits]))
		}
	}
}

func (s *sequence) note(number int) {
	if s.came == 0 {
		s.first = time.Since(s.start)
	}
	s.came++
	switch {
	case number < s.next:
		s.misplaced++
	default:
		s.lost += number - s.next
		s.next = number + 1
	}
}
