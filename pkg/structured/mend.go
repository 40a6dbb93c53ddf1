package structured

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// mender reads a value that is not quite JSON, and writes the JSON that was meant. It knows slips
// of models that have only one meaning, and gives up at all others. It passes its output to a
// scanner, which reports where JSON requires another byte.
type mender struct {
	text    string // as [readable] returns it
	source  string // as it came
	at      int    // how far it has read
	scanner scanner
	out     []byte
	edits   []edit
	comma   edit // the last one: where it is in the text and the JSON
	kept    int  // the end of what stays when the text is cut off, in the text
	keptOut int  // the same in the JSON, as the scanner knows it
	control int  // the string in which a control character was replaced last, plus 1
}

// mend reads the value at an offset of the text. It returns nil if the offset has no value, or if
// the value's slips have more than one meaning.
func (m *mender) mend(start int) *mended {
	*m = mender{text: m.text, source: m.source, at: start, out: m.out[:0],
		scanner: scanner{open: m.scanner.open[:0]}}
	for m.at < len(m.text) {
		if m.scanner.state == inString {
			m.copyPlain()
		}
		if m.at == len(m.text) {
			break
		}
		c := m.text[m.at]
		if !m.write(c) {
			if !m.fix(c) {
				return nil
			}
			continue
		}
		if c == ',' {
			m.comma = edit{span: span{m.at, m.at + 1}, out: len(m.out) - 1}
		}
		if m.at++; m.scanner.state == wantNothing {
			return &mended{end: m.at, json: string(m.out), edits: m.edits}
		}
		m.keep()
	}
	return m.closeValue()
}

// isMeantAsJSON reports whether the mender found, before it gave up, a value after a colon or
// comma, or a word after a colon. Colons of addresses, formats and assignments are followed by
// other characters.
func (m *mender) isMeantAsJSON() bool {
	for i, bracket := range m.scanner.open {
		innermost := i == len(m.scanner.open)-1
		if bracket.separated &&
			(!innermost || m.scanner.state != wantValue && m.scanner.state != wantName) {
			return true
		}
	}
	isWord := m.at < len(m.text) && beginsSlip(m.text[m.at])
	return isWord && m.scanner.state == wantValue && m.scanner.inObject()
}

// write adds a byte to the JSON, and reports whether it is valid there.
func (m *mender) write(c byte) bool {
	m.out = append(m.out, c)
	if m.scanner.step(len(m.out)-1, c) == fails {
		m.out = m.out[:len(m.out)-1]
		return false
	}
	return true
}

// copyPlain writes the part of a string that has neither quotes nor escapes.
func (m *mender) copyPlain() {
	start := m.at
	for m.at < len(m.text) && m.text[m.at] >= ' ' && m.text[m.at] != '"' && m.text[m.at] != '\\' {
		m.at++
	}
	if m.at > start {
		m.out = append(m.out, m.text[start:m.at]...)
		m.scanner.whole = len(m.out)
	}
}

// keep records the end, in the text, of what remains if the text is cut off here.
func (m *mender) keep() {
	if m.scanner.kept != m.keptOut {
		m.keptOut = m.scanner.kept
		m.kept = m.at - (len(m.out) - m.keptOut)
	}
}

// replace writes a replacement for the next bytes of the text.
func (m *mender) replace(count int, with string, kind RepairKind) bool {
	m.edits = append(m.edits, edit{span{m.at, m.at + count}, with, len(m.out), kind})
	for _, c := range []byte(with) {
		if !m.write(c) {
			return false
		}
	}
	m.at += count
	m.keep()
	return true
}

// fix repairs the slip that begins at the next byte. It returns false without a slip, and for a
// slip with several meanings.
func (m *mender) fix(c byte) bool {
	m.keep() // a number may have ended with the byte before
	rest := m.text[m.at:]
	switch {
	case m.scanner.inQuotes():
		return m.fixString(c)
	case m.scanner.state == inScalar:
		return false
	case c == '/' || c == '#':
		return m.leaveOutComment(rest)
	case m.isAfterComma() && (c == '}' || c == ']'):
		return m.leaveOutComma()
	case m.scanner.state == wantCommaOrEnd:
		return m.isCommaMissing(rest) && m.replace(0, ",", RepairMissingComma)
	case m.scanner.wantsName():
		return m.fixQuotes(rest) || m.fixName(rest)
	case m.scanner.wantsValue():
		return m.fixQuotes(rest) || m.fixLiteral(rest)
	default:
		return false
	}
}

// leaveOutComment skips a comment.
func (m *mender) leaveOutComment(rest string) bool {
	comment := commentPrefix.FindString(rest)
	if comment == "" {
		m.at = len(m.text) // which is how far its end was looked for
		return false
	}
	return m.replace(len(comment), "", RepairComment)
}

// commentPrefix matches a comment. A line comment must end at a line end: after a line that holds a
// whole answer, it is unclear which part was meant as a comment.
var commentPrefix = regexp.MustCompile(`^(?:(?://|#)[^\r\n]*[\r\n]|/\*(?s:.*?)\*/)`)

// isAfterComma reports whether the last byte was a comma.
func (m *mender) isAfterComma() bool {
	return m.scanner.state == wantName || m.scanner.state == wantValue && !m.scanner.inObject()
}

// leaveOutComma removes the last comma from the JSON. Only white space follows it there.
func (m *mender) leaveOutComma() bool {
	m.out = slices.Delete(m.out, m.comma.out, m.comma.out+1)
	m.scanner.state = wantCommaOrEnd
	m.comma.kind = RepairTrailingComma
	at := len(m.edits)
	for ; at > 0 && m.edits[at-1].start > m.comma.start; at-- {
		m.edits[at-1].out-- // a comment after it
	}
	m.edits = slices.Insert(m.edits, at, m.comma)
	return true
}

// isCommaMissing reports whether a value or member follows that is separate from the one before.
// Numbers and words are separate only after a line break.
func (m *mender) isCommaMissing(rest string) bool {
	before := m.text[m.at-1]
	line := strings.TrimRight(m.text[:m.at], " \t")
	onNewLine := strings.HasSuffix(line, "\n") || strings.HasSuffix(line, "\r")
	switch {
	case rest[0] == '"' || otherQuotes(rest) != nil:
		return before == '}' || before == ']' || strings.IndexByte(whiteSpace, before) >= 0
	case m.scanner.inObject():
		return onNewLine && bareName.MatchString(rest)
	case isBracket(rest[0]):
		return true
	default:
		return onNewLine && (rest[0] == '-' || isDigit(rest[0]) || isLetter(rest[0]))
	}
}

// fixName adds quotes to an unquoted name.
func (m *mender) fixName(rest string) bool {
	name := bareName.FindStringSubmatch(rest)
	return name != nil && m.replace(len(name[1]), `"`+name[1]+`"`, RepairBareName)
}

var bareName = regexp.MustCompile(`^([A-Za-z_$][\w$-]{0,127})\s*:`)

// fixLiteral writes the JSON literal for one of Python's.
func (m *mender) fixLiteral(rest string) bool {
	name := pythonLiteral.FindString(rest)
	return name != "" && m.replace(len(name), pythonLiterals[name], RepairLiteral)
}

var (
	pythonLiteral  = regexp.MustCompile(`^(?:True|False|None)\b`)
	pythonLiterals = map[string]string{"True": "true", "False": "false", "None": "null"}
)

// closeValue completes a value at the end of the text.
func (m *mender) closeValue() *mended {
	if m.scanner.inQuotes() && m.control == m.scanner.token+1 {
		return nil // a string over several lines has no end: it may have had one on the first
	}
	var brackets strings.Builder
	for _, b := range slices.Backward(m.scanner.open) {
		if b.object {
			brackets.WriteByte('}')
		} else {
			brackets.WriteByte(']')
		}
	}
	cut := edit{span{m.kept, len(m.text)}, brackets.String(), m.scanner.kept, RepairCutOff}
	value := &mended{end: len(m.text)}
	if m.scanner.inText() {
		value.shorter = cut
		cut.out = len(withoutCutRune(m.out[:m.scanner.whole]))
		cut.start = len(m.text) - (len(m.out) - cut.out)
		cut.added = `"` + cut.added
	}
	value.json = string(append(m.out[:cut.out], cut.added...))
	value.edits = append(slices.DeleteFunc(m.edits,
		func(e edit) bool { return e.start >= cut.start }), cut)
	return value
}

// withoutCutRune removes an incomplete UTF-8 sequence from the end of a text.
func withoutCutRune(text []byte) []byte {
	for cut := 1; cut < utf8.UTFMax && cut <= len(text); cut++ {
		tail := text[len(text)-cut:]
		if !utf8.RuneStart(tail[0]) {
			continue
		}
		if !utf8.FullRune(tail) {
			return text[:len(text)-cut]
		}
		break
	}
	return text
}
