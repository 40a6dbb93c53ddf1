package process

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether a reader or writer is a terminal. A stream of this package is a
// terminal if the stream below it is one.
func IsTerminal(stream any) bool {
	file := Underlying(stream)
	return file != nil && term.IsTerminal(int(file.Fd()))
}

// Columns returns the width of a terminal in characters, or 0 if it is not a terminal.
func Columns(stream any) int {
	file := Underlying(stream)
	if file == nil {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Underlying returns the file below a stream, or nil.
func Underlying(stream any) *os.File {
	switch s := stream.(type) {
	case *os.File:
		return s
	case *Writer:
		return Underlying(s.out)
	case *Reader:
		return Underlying(s.in)
	}
	return nil
}

var (
	_ io.Writer = (*Writer)(nil)
	_ io.Reader = (*Reader)(nil)
)

// HasColor reports whether a stream is a terminal with colours that the user has not turned off;
// see no-color.org.
func HasColor(stream any) bool {
	return IsTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
