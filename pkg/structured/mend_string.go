package structured

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// fixString writes an escape for a byte that is not allowed in a string.
func (m *mender) fixString(c byte) bool {
	switch {
	case m.scanner.state == inString && c < ' ' && m.isNextLineWhole(c):
		kind := RepairControlCharacter
		if m.control == m.scanner.token+1 {
			kind = ""
		}
		m.control = m.scanner.token + 1
		return m.replace(1, escapeControl(c), kind)
	case m.scanner.state == inEscape && c == '\'':
		m.out, m.scanner.state = m.out[:len(m.out)-1], inString
		m.at--
		return m.replace(len(`\'`), "'", RepairEscape)
	default:
		return false
	}
}

// isNextLineWhole reports whether the line after a line break is complete. It may lack something
// that belongs to the string, such as the mark of a quoted line.
func (m *mender) isNextLineWhole(c byte) bool {
	if c != '\n' && c != '\r' {
		return true
	}
	line, _, _ := strings.Cut(m.text[m.at+1:], "\n")
	return strings.HasPrefix(m.source[m.at+1:], line)
}

// escapeControl returns the escape for a control character.
func escapeControl(c byte) string {
	if short := strings.IndexByte("\b\t\n\f\r", c); short >= 0 {
		return `\` + string("btnfr"[short])
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// fixQuotes writes a string in double quotes that is in other quotes.
func (m *mender) fixQuotes(rest string) bool {
	quotes := otherQuotes(rest)
	if quotes == nil {
		return false
	}
	first := len(quotes.opening)
	length, ended := quotes.contentLength(rest[first:])
	if !ended {
		m.at += first + length // which is how far its end was looked for
		return false
	}
	content := rest[first : first+length]
	_, last := utf8.DecodeRuneInString(rest[first+length:])
	return m.replace(first+length+last, `"`+quotes.escape(content)+`"`, RepairQuotes)
}

// quotation is a pair of quotes that models use by mistake.
type quotation struct {
	opening string
	closing string // any of these ends the string
	typed   bool   // a backslash before a quote means something
}

var quotations = []quotation{
	{"'", "'", true}, {"“", "“”", false}, {"”", "”", false}, {"„", "“”", false}, {"‘", "‘’", false},
	{"’", "’", false},
}

// otherQuotes returns the quotes at the beginning of a text. It returns nil for other text and for
// the quotes of JSON.
func otherQuotes(text string) *quotation {
	for i := range quotations {
		if strings.HasPrefix(text, quotations[i].opening) {
			return &quotations[i]
		}
	}
	return nil
}

// contentLength returns the length of the string before its closing quote. The string has no end if
// the closing quote is not on its line, or if other quotes before it may be meant as the end.
func (q *quotation) contentLength(text string) (length int, ended bool) {
	escaped := false
	for at, c := range text {
		switch {
		case c < ' ', c == '"' && !q.typed:
			return at, false
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case strings.ContainsRune(q.closing, c):
			return at, true
		}
	}
	return len(text), false
}

// escape writes the content of a string as JSON.
func (q *quotation) escape(content string) string {
	var out strings.Builder
	escaped := false
	for _, c := range []byte(content) {
		switch {
		case c == '"' && !escaped:
			out.WriteString(`\"`)
		case c == '\'' && escaped:
			out.WriteByte(c)
		case escaped:
			out.WriteByte('\\')
			out.WriteByte(c)
		case c != '\\':
			out.WriteByte(c)
		}
		escaped = c == '\\' && !escaped
	}
	return out.String()
}
