package cli

import (
	"bytes"
	"io"
	"os"

	"github.com/gemwire/gemwire/pkg/transform"
)

// whole makes a converter of a function over complete documents. Its output is written in one call,
// after all that could fail.
func whole(convert func(data []byte, s settings) ([]byte, transform.Report, error)) converter {
	return func(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
		data, err := readDocument(in)
		if err != nil {
			return nil, err
		}
		document, report, err := convert(data, s)
		if err != nil {
			return report, err
		}
		if err := s.verdict(report, nil); err != nil {
			return report, err
		}
		_, err = out.Write(append(document, '\n'))
		return report, err
	}
}

// readDocument reads in to its end. A byte order mark is blanked and not cut off, so that the
// offsets in messages stay those of the file.
func readDocument(in io.Reader) ([]byte, error) {
	var buf bytes.Buffer
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			buf.Grow(int(info.Size()) + bytes.MinRead) // or the buffer would double past a large file
		}
	}
	if _, err := buf.ReadFrom(in); err != nil {
		return nil, err
	}
	data := buf.Bytes()
	if bytes.HasPrefix(data, byteOrderMark) {
		copy(data, "   ")
	}
	return data, nil
}

// byteOrderMark is U+FEFF in UTF-8, which some editors and shells put in front of a text.
var byteOrderMark = []byte("\xef\xbb\xbf")
