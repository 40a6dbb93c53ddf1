package search

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Error is returned for an invalid query.
type Error struct {
	// At is the byte offset of the invalid term.
	At int
	// Message says what is wrong and what is possible.
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Parse parses a query. Relative times count back from now. Its error is an *[Error].
func Parse(text string, now time.Time) (*Query, error) {
	q := &Query{}
	for at := skipSpace(text, 0); at < len(text); at = skipSpace(text, at) {
		t, end, err := parseTerm(text, at, now)
		if err != nil {
			return nil, err
		}
		q.terms = append(q.terms, t)
		at = end
	}
	return q, nil
}

func skipSpace(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isSpace(r) {
			break
		}
		at += size
	}
	return at
}

func isSpace(r rune) bool { return unicode.IsSpace(r) }

// wordEnd returns where the word at an offset ends.
func wordEnd(text string, at int) int {
	if space := strings.IndexFunc(text[at:], isSpace); space >= 0 {
		return at + space
	}
	return len(text)
}

// parseTerm parses the term at an offset, and returns where it ends.
func parseTerm(text string, at int, now time.Time) (t term, end int, err error) {
	begin := at
	if text[at] == '-' && at+1 < wordEnd(text, at) {
		t.isNot = true
		at++
	}
	if text[at] == '"' {
		t.value, end, err = parseQuoted(text, at)
		if err != nil {
			return t, 0, err
		}
		return t, end, t.setText(begin)
	}
	end = wordEnd(text, at)
	name, op, value := splitFilter(text[at:end])
	if op == "" {
		t.value = text[at:end]
		return t, end, t.setText(begin)
	}
	if name == "" {
		name = fieldDuration
	}
	t.field, t.op, t.value = name, op, value
	if strings.HasPrefix(value, `"`) {
		t.value, end, err = parseQuoted(text, end-len(value))
		if err != nil {
			return t, 0, err
		}
		t.isExact = t.value == ""
	}
	return t, end, t.setFilter(begin, now)
}

// splitFilter splits a word such as "status:ok", ">2s" or "cost>=0.1". It returns no op for a word
// that is not a filter, such as an address or a tag of HTML.
func splitFilter(word string) (name, op, value string) {
	end := strings.IndexFunc(word, func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' })
	if end < 0 {
		return "", "", ""
	}
	name, rest := word[:end], word[end:]
	switch {
	case rest[0] == ':' && name != "" && !strings.HasPrefix(rest, "://"):
		return name, ":", rest[1:]
	case rest[0] == '<' || rest[0] == '>':
		op, value = rest[:1], rest[1:]
		if strings.HasPrefix(value, "=") {
			op, value = rest[:2], value[1:]
		}
		if value == "" && (name == "" || filterNamed(name, op) != nil) {
			return name, op, "" // which has an error
		}
		if value != "" && (value[0] == '.' || value[0] >= '0' && value[0] <= '9') {
			return name, op, value
		}
	}
	return "", "", ""
}

// parseQuoted parses a text in quotes, in which a backslash precedes a quote or a backslash.
func parseQuoted(text string, at int) (value string, end int, err error) {
	var b strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i + 1, nil
		case c == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, &Error{at, `the phrase has no closing quotation mark`}
}

// setText makes the term a text.
func (t *term) setText(at int) error {
	if t.text = newNeedle(t.value); t.text == nil {
		return &Error{at, "the phrase is empty; write a text between the quotation marks"}
	}
	return nil
}

// setFilter checks the value of a filter and prepares it.
func (t *term) setFilter(at int, now time.Time) error {
	f := filterNamed(t.field, t.op)
	if f == nil {
		return t.unknown(at)
	}
	if err := f.prepare(t, now); err != nil {
		return &Error{at, err.Error()}
	}
	return nil
}

// unknown returns the error for a filter that does not exist.
func (t *term) unknown(at int) error {
	var names []string
	for i := range filters {
		if f := &filters[i]; f.name == t.field {
			return &Error{at, fmt.Sprintf("%s%s: expected %s", t.field, t.op, f.example)}
		} else if f.name != fieldDuration {
			names = append(names, f.name)
		}
	}
	return &Error{at, fmt.Sprintf("%q is not a filter; the filters are %s. Write a text that "+
		"contains a colon in quotation marks", t.field, strings.Join(names, ", "))}
}
