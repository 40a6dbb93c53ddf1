package inspector

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// asciiEscape begins the escapes of ASCII characters, of which secrets consist.
var asciiEscape = []byte(`\u00`)

// blankStrings removes secrets from a part of a JSON document, also those that a string spells with
// escapes. The part begins at the closing quote of a string, or with the document.
func (r *retention) blankStrings(part []byte, atClosingQuote bool) string {
	if !bytes.Contains(part, asciiEscape) {
		return r.blank(string(part))
	}
	var out strings.Builder
	at := 0
	if atClosingQuote {
		out.WriteByte('"')
		at = 1
	}
	for {
		quote := bytes.IndexByte(part[at:], '"')
		if quote < 0 {
			break
		}
		begin := at + quote + 1
		end := stringEnd(part, begin)
		out.Write(part[at:begin])
		out.WriteString(r.blankString(part[begin:end]))
		at = end
		if end < len(part) {
			out.WriteByte('"')
			at++
		}
	}
	out.Write(part[at:])
	return r.blank(out.String())
}

// blankString removes secrets from the inside of a JSON string, whose end may be missing. A string
// without secrets stays as it is.
func (r *retention) blankString(inside []byte) string {
	plain := r.blank(string(inside))
	if !bytes.Contains(inside, asciiEscape) {
		return plain
	}
	decoded, err := jsontext.AppendUnquote(nil, `"`+plain+`"`)
	if err != nil { // An escape may be cut.
		whole := plain[:endOfWhole(plain, len(plain))]
		if decoded, err = jsontext.AppendUnquote(nil, `"`+whole+`"`); err != nil {
			return plain
		}
	}
	blanked := r.blank(string(decoded))
	if blanked == string(decoded) {
		return plain
	}
	safe, err := jsontext.AppendQuote(nil, blanked)
	if err != nil {
		return plain
	}
	return string(safe[1 : len(safe)-1])
}
