package search

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Match is where a text of a query was found.
type Match struct {
	// Where is the text that has it, such as "client request". Pointer is the location in that
	// text, or "".
	Where   string `json:"where"`
	Pointer string `json:"pointer"`
	// Before, Hit and After are the found text and what is around it.
	Before string `json:"before"`
	Hit    string `json:"hit"`
	After  string `json:"after"`
}

// Limits of matches.
const (
	maxMatches = 3  // of an exchange
	around     = 60 // bytes of a text before and after a match
	// maxLocated is how many bytes of documents one search reads for pointers.
	maxLocated = 16 << 20
)

// budget limits how many bytes of documents are read for pointers.
type budget struct{ left int }

// matches returns where the texts of the query are in an exchange, each once.
func (q *Query) matches(ctx context.Context, e *Exchange, b *budget) []Match {
	out := []Match{}
	for _, n := range q.texts() {
		if m, ok := n.match(ctx, e, b); ok {
			out = append(out, m)
		}
		if len(out) == maxMatches {
			break
		}
	}
	return out
}

// match returns the first match of a needle.
func (n *needle) match(ctx context.Context, e *Exchange, b *budget) (Match, bool) {
	if e.Texts == nil {
		return Match{}, false
	}
	for text := range e.Texts {
		start, end := n.findIn(text.scan(ctx), 0)
		if start < 0 {
			continue
		}
		m := Match{Where: text.Where, Pointer: text.Pointer,
			Before: readable(lastBytes(text.Text[:start], around), text.IsJSON),
			Hit:    readable(text.Text[start:end], text.IsJSON),
			After:  readable(firstBytes(text.Text[end:], around), text.IsJSON)}
		if text.IsJSON && end <= b.left {
			b.left -= end
			m.Pointer += pointerAt(text.Text, start)
		}
		return m, true
	}
	return Match{}, false
}

// firstBytes returns the beginning of a text without a part of a character.
func firstBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// lastBytes returns the end of a text without a part of a character.
func lastBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	at := len(text) - n
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return "…" + text[at:]
}

// unescape writes the escapes of JSON as the characters that they stand for.
var unescape = strings.NewReplacer(`\\n`, " ", `\\t`, " ", `\n`, " ", `\t`, " ", `\r`, " ",
	`\\\"`, `"`, `\"`, `"`, `\\`, `\`, `\/`, "/", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&",
	`\u0027`, "'")

// readable returns a piece of a text on one line.
func readable(text string, isJSON bool) string {
	if isJSON {
		text = unescape.Replace(text)
	}
	return strings.Map(func(r rune) rune {
		if isSpace(r) {
			return ' '
		}
		return r
	}, text)
}

// pointerAt returns the pointer of the value that contains an offset of a JSON document.
func pointerAt(document string, offset int) string {
	decoder := jsontext.NewDecoder(strings.NewReader(document), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	for {
		if _, err := decoder.ReadToken(); err != nil {
			return ""
		}
		if decoder.InputOffset() > int64(offset) {
			return string(decoder.StackPointer())
		}
	}
}
