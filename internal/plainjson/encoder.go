package plainjson

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Encoder appends JSON values to a slice. If a value cannot be written, or not as plain JSON, the
// encoder fails. It still appends bytes. The caller must discard them if [Encoder.Done] reports
// false.
type Encoder struct {
	// Version is the version of the format to write. A value that only later versions have is a
	// fault. Versions are compared as texts. "" is the first version that has all values of the
	// payload.
	Version string
	// Lenient makes the encoder write values that are not plain: texts that are not UTF-8, with
	// U+FFFD in place of each invalid byte, and free-form values with the same member twice.
	Lenient bool

	depth int
	fail  bool
	fault Fault
	met   string // the latest version that something was met of
}

// Done reports whether everything that was appended was plain.
func (e *Encoder) Done() bool { return !e.fail }

// Grow reserves memory for JSON of about the given size. The size need not include the escapes in
// text.
func Grow(dst []byte, size int) []byte {
	size += min(size/16, 1<<12) + 32
	if dst == nil {
		return make([]byte, 0, size)
	}
	return slices.Grow(dst, size)
}

// Enter enters a level of an object that can contain itself. If the nesting is too deep, it fails
// and reports false. An object may contain itself in several places, so after any failure no level
// may be entered.
func (e *Encoder) Enter() bool {
	if e.fail || e.depth == maxDepth {
		e.fail = true
		return false
	}
	e.depth++
	return true
}

// Leave ends the level that Enter began.
func (e *Encoder) Leave() { e.depth-- }

// EndObject closes an object. dst has the members from begin on, each with a comma before its name.
// unknown has the unknown members.
func (e *Encoder) EndObject(dst []byte, begin int, unknown jsontext.Value, known []string) []byte {
	if len(unknown) > 0 {
		dst = e.unknown(dst, unknown, known)
	}
	if len(dst) == begin {
		return append(dst, "{}"...)
	}
	dst[begin] = '{'
	return append(dst, '}')
}

// String appends a string with the minimum of escapes.
func (e *Encoder) String(dst []byte, s string) []byte {
	if e.Lenient {
		dst, _ = jsontext.AppendQuote(dst, s) // the error is about invalid UTF-8
		return dst
	}
	return append(e.text(append(dst, '"'), s), '"')
}

// Strings appends two texts as one string.
func (e *Encoder) Strings(dst []byte, s, rest string) []byte {
	return append(e.text(e.text(append(dst, '"'), s), rest), '"')
}

func (e *Encoder) text(dst []byte, s string) []byte {
	for {
		n, ascii := plainRun(s)
		if !ascii && !utf8.ValidString(s[:n]) {
			e.fail = true
		}
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
	}
}

// appendEscape appends a quote, a backslash or a control character.
func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	default:
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
	}
}

// Bool appends a boolean.
func (e *Encoder) Bool(dst []byte, v bool) []byte { return strconv.AppendBool(dst, v) }

// Value appends a free-form value without white space, or null for nil. It fails if the value is
// not valid JSON.
func (e *Encoder) Value(dst []byte, value jsontext.Value) []byte {
	if value == nil {
		return append(dst, "null"...)
	}
	if e.Lenient {
		return e.lenientValue(dst, value)
	}
	dst, ok := appendCompact(dst, value)
	if !ok {
		e.fail = true
	}
	return dst
}
