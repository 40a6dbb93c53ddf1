package remote

import (
	"io"
	"strings"
	"unicode"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
)

// paper is standard output, written in paragraphs.
type paper struct {
	out io.Writer
	// isTerminal escapes a model's control characters, so that the terminal shows them and does not
	// obey them. hasColor reports that dim text is possible.
	isTerminal, hasColor bool
	// begun is true after the first output. midLine is true while the last line is incomplete.
	begun, midLine bool
}

func newPaper(out io.Writer) *paper {
	return &paper{out: out, isTerminal: process.IsTerminal(out), hasColor: process.HasColor(out)}
}

// write writes a text.
func (p *paper) write(text string) error {
	if p.isTerminal {
		text = printable(text)
	}
	return p.raw(text, strings.HasSuffix(text, "\n"))
}

// writeDim writes dimmed text. Each write ends its own dimming, so that a signal leaves no dim
// terminal.
func (p *paper) writeDim(text string) error {
	if !p.hasColor {
		return p.write(text)
	}
	return p.raw("\x1b[2m"+printable(text)+"\x1b[0m", strings.HasSuffix(text, "\n"))
}

func (p *paper) raw(text string, endsLine bool) error {
	p.begun, p.midLine = true, !endsLine
	return written(io.WriteString(p.out, text))
}

// beginParagraph writes an empty line after earlier output.
func (p *paper) beginParagraph() error {
	if !p.begun {
		return nil
	}
	if err := p.endLine(); err != nil {
		return err
	}
	return p.raw("\n", true)
}

// endLine ends an incomplete line.
func (p *paper) endLine() error {
	if !p.midLine {
		return nil
	}
	return p.raw("\n", true)
}

// printable escapes control characters, except line breaks and tabs.
func printable(text string) string {
	isControl := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	if strings.IndexFunc(text, isControl) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isControl(r) {
			b.WriteString(message.Escape(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
