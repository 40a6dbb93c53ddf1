package process

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether what is written to a writer, or read from a reader, is a terminal's. A
// stream of this package is one if that is which it passes things on to.
func IsTerminal(stream any) bool {
	file := Underlying(stream)
	return file != nil && term.IsTerminal(int(file.Fd()))
}

// Columns returns how many characters a line of a terminal has, 0 for what is no terminal.
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

// Underlying returns the file behind a stream, nil when there is none.
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

// HasColor reports whether a stream is a terminal that shows colours, and its user wants them: see
// no-color.org.
func HasColor(stream any) bool {
	return IsTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
