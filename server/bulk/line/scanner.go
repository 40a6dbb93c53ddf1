package line

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// scanner reads the lines of a file.
type scanner struct {
	in     *bufio.Reader
	most   int
	number int
	bytes  int64
	buf    []byte
}

const (
	scanSize = 64 << 10
	// keptSize is the maximum size of a buffer that is kept after a long line.
	keptSize = 1 << 20
)

func newScanner(in io.Reader, most int) *scanner {
	return &scanner{in: bufio.NewReaderSize(in, scanSize), most: most}
}

func (s *scanner) read() int64 { return s.bytes }

// First bytes of a file with a byte order mark, and of a gzip file.
const (
	markUTF8 = "\xef\xbb\xbf"
	markLow  = "\xff\xfe"
	markHigh = "\xfe\xff"
	markGzip = "\x1f\x8b"
)

// next implements [source].
func (s *scanner) next() (rawLine, error) {
	for {
		if s.number == 0 {
			if p := s.notText(); p != nil {
				return rawLine{number: 1, problem: p}, nil
			}
		}
		data, isTooLong, err := s.scan()
		if err != nil {
			return rawLine{}, err
		}
		s.number++
		if s.number == 1 {
			data = bytes.TrimPrefix(data, []byte(markUTF8))
		}
		if isTooLong {
			return rawLine{number: s.number, problem: tooLong(s.most)}, nil
		}
		if data = bytes.TrimSpace(data); len(data) > 0 {
			return rawLine{number: s.number, data: data}, nil
		}
	}
}

// notText returns a problem for a file that is not UTF-8 text, or nil. The rest of such a file is
// skipped.
func (s *scanner) notText() *Problem {
	start, _ := s.in.Peek(len(markGzip))
	what := ""
	switch string(start) {
	case markGzip:
		what = "the file is compressed; expected uncompressed JSON lines"
	case markLow, markHigh:
		what = "the file is in UTF-16; expected UTF-8"
	default:
		return nil
	}
	s.number++
	s.in.Reset(bytes.NewReader(nil))
	return &Problem{Code: CodeInvalidJSON, Message: what}
}

func tooLong(most int) *Problem {
	return &Problem{Code: CodeTooLong,
		Message: fmt.Sprintf("has more than %d bytes; that is the maximum", most)}
}

// scan returns the next line with its newline, or reports that it is too long. It keeps nothing of
// such a line.
func (s *scanner) scan() (data []byte, isTooLong bool, err error) {
	s.buf = s.buf[:0]
	if cap(s.buf) > keptSize {
		s.buf = nil
	}
	for {
		piece, err := s.in.ReadSlice('\n')
		s.bytes += int64(len(piece))
		if !isTooLong {
			s.buf = append(s.buf, piece...)
		}
		if len(s.buf) > s.most+len("\r\n") {
			isTooLong, s.buf = true, nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(s.buf) == 0 && !isTooLong:
			return nil, false, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, false, fmt.Errorf("line: %w", err)
		}
		return s.buf, isTooLong, nil
	}
}
