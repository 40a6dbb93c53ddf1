package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/process"
)

// stdinName is the name of standard input in arguments and messages.
const stdinName = "-"

// inputNames returns the inputs that the arguments name, or standard input if they name none.
func inputNames(args []string) ([]string, error) {
	if len(args) == 0 {
		return []string{stdinName}, nil
	}
	stdin := 0
	for _, name := range args {
		if name == stdinName {
			stdin++
		}
	}
	if stdin > 1 {
		return nil, errors.New("standard input (-) can be read only once")
	}
	return args, nil
}

// input is an open input. It records why a read failed, because decoders report such a failure as
// an error of the payload.
type input struct {
	reader io.Reader
	file   *os.File // nil for standard input
	failed error
	// written finds values of the document, and of stream chunks that are not spelt in the standard
	// way.
	written report.Spelling
	// keepsChunks is set if messages may name a location in any chunk, not only in the last one.
	keepsChunks bool
}

// openInput opens a file, or standard input by its name.
func openInput(ctx context.Context, name string, stdin io.Reader) (*input, error) {
	if name == stdinName {
		return &input{reader: process.NewReader(ctx, stdin)}, nil
	}
	file, err := process.UnlessInterrupted(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, process.WithoutPath(err)
	}
	return &input{reader: process.NewReader(ctx, file), file: file}, nil
}

// Read implements [io.Reader].
func (in *input) Read(p []byte) (int, error) {
	n, err := in.reader.Read(p)
	if err != nil && err != io.EOF {
		in.failed = process.WithoutPath(err)
	}
	return n, err
}

func (in *input) close() {
	if in.file != nil {
		in.file.Close()
	}
}

// size returns the size of a regular file in bytes, or 0 for other inputs.
func (in *input) size() int {
	if in.file == nil {
		return 0
	}
	info, err := in.file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return int(info.Size())
}

// readDocument reads in to its end. It replaces a byte order mark with spaces instead of removing
// it, so that the offsets in messages match the file.
func readDocument(in io.Reader) ([]byte, error) {
	var buf bytes.Buffer
	if in, ok := in.(*input); ok {
		buf.Grow(in.size() + bytes.MinRead) // or the buffer would double past a large file
	}
	if _, err := buf.ReadFrom(in); err != nil {
		return nil, err
	}
	data := buf.Bytes()
	if bytes.HasPrefix(data, byteOrderMark) {
		copy(data, blankMark)
	}
	if in, ok := in.(*input); ok {
		in.written = *report.SpellingOf(data)
	}
	return data, nil
}

// byteOrderMark is U+FEFF in UTF-8. Some editors and shells put it before a text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// blankMark is white space that replaces a byte order mark.
const blankMark = "   "

// sameFile reports whether two paths refer to one file. Missing files are never the same.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return os.SameFile(infoA, infoB)
}
