// Package credential removes everything that looks like a Google credential from a text, if the
// credential itself is not known. It is separate from the removal of known secrets, because
// programs that only call Gemini do not need it.
package credential

import (
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
)

// kind is a kind of credential: a prefix and the letters, digits, "-" and "_" after it.
type kind struct {
	start     string
	min, most int // of the characters after the prefix; most is 0 for any number
}

// kinds are Google's keys and access tokens.
var kinds = [...]kind{{"AIza", 35, 35}, {"ya29.", 20, 0}, {"AQ.", 30, 0}}

// Blank replaces everything that looks like a Google key or access token with [redact.Mark]. It is
// for texts that should not contain a credential, such as a model name. It reads a text of any size
// in one pass for each kind of credential.
func Blank(text string) string {
	next := newFinder(text)
	begin, end := next.after(0)
	if begin < 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for begin >= 0 {
		out.WriteString(text[at:begin])
		out.WriteString(redact.Mark)
		at = end
		begin, end = next.after(at)
	}
	out.WriteString(text[at:])
	return out.String()
}

// IsIn reports whether a text has what looks like a Google key or access token.
func IsIn(text string) bool {
	begin, _ := newFinder(text).after(0)
	return begin >= 0
}

// finder knows the next credential of each kind in a text, so that the text is not read again after
// each credential.
type finder struct {
	text string
	next [len(kinds)]struct{ begin, end int } // begin is -1 for none
}

func newFinder(text string) *finder {
	f := &finder{text: text}
	for n, k := range kinds {
		f.next[n].begin, f.next[n].end = k.find(text, 0)
	}
	return f
}

// after returns the first credential from an offset, or -1. The offset does not decrease.
func (f *finder) after(at int) (begin, end int) {
	begin = -1
	for n, k := range kinds {
		next := &f.next[n]
		if next.begin >= 0 && next.begin < at {
			next.begin, next.end = k.find(f.text, at)
		}
		if next.begin >= 0 && (begin < 0 || next.begin < begin) {
			begin, end = next.begin, next.end
		}
	}
	return begin, end
}

// find returns the first credential of a kind from an offset, or -1.
func (k kind) find(text string, from int) (begin, end int) {
	for {
		at := strings.Index(text[from:], k.start)
		if at < 0 {
			return -1, 0
		}
		begin = from + at
		end = begin + len(k.start)
		first := end
		for end < len(text) && isKeyCharacter(text[end]) && (k.most == 0 || end-first < k.most) {
			end++
		}
		if end-first >= k.min {
			return begin, end
		}
		from = begin + 1
	}
}

func isKeyCharacter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' ||
		c == '-'
}
