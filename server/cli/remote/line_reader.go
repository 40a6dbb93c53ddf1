package remote

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/gemwire/gemwire/server/cli/process"
	"golang.org/x/term"
)

// lineReader reads lines, with a line editor if a terminal is the input.
type lineReader struct {
	isTerminal bool
	in         *bufio.Reader  // of a pipe or a file
	editor     *term.Terminal // of a terminal
	fd         int
}

// newLineReader returns a reader of standard input. It uses the line editor only if standard output
// is a terminal too.
func newLineReader(c *call) *lineReader {
	r := &lineReader{in: bufio.NewReader(c.stdin),
		isTerminal: process.IsTerminal(c.stdin) && process.IsTerminal(c.stdout)}
	if r.isTerminal {
		r.fd = int(process.Underlying(c.stdin).Fd())
		r.editor = term.NewTerminal(&keyboard{c.stdin, c.stdout}, prompt)
	}
	return r
}

// Prompts for a line, and for a continuation line.
const (
	prompt     = "> "
	morePrompt = "… "
)

// read returns the next line with its continuation lines, and [io.EOF] after the last one.
func (r *lineReader) read() (string, error) {
	var lines []string
	for {
		line, err := r.readOne(len(lines) > 0)
		if err != nil && (err != io.EOF || line == "" && len(lines) == 0) {
			return "", err
		}
		line, continues := strings.CutSuffix(line, `\`)
		lines = append(lines, line)
		if !continues || err != nil {
			return strings.Join(lines, "\n"), nil
		}
	}
}

func (r *lineReader) readOne(isMore bool) (string, error) {
	if r.editor == nil {
		line, err := r.in.ReadString('\n')
		return strings.TrimRight(line, "\r\n"), err
	}
	r.editor.SetPrompt(prompt)
	if isMore {
		r.editor.SetPrompt(morePrompt)
	}
	// Only while a line is typed: during an answer Ctrl-C has to be a signal.
	before, err := term.MakeRaw(r.fd)
	if err != nil {
		return "", err
	}
	defer term.Restore(r.fd, before)
	if width, height, err := term.GetSize(r.fd); err == nil && width > 0 {
		_ = r.editor.SetSize(width, height)
	}
	line, err := r.editor.ReadLine()
	if err == term.ErrPasteIndicator {
		err = nil
	}
	return line, err
}

// keyboard is the terminal that lines are typed on. Ctrl-C empties the line. The editor would take
// it for the end of the input.
type keyboard struct {
	io.Reader
	io.Writer
}

const (
	ctrlC = 0x03
	ctrlU = 0x15 // empties the line
)

// Read implements [io.Reader].
func (k *keyboard) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	copy(p[:n], bytes.ReplaceAll(p[:n], []byte{ctrlC}, []byte{ctrlU}))
	return n, err
}
