package report

import (
	"bytes"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// ReplacedText lists, as approximated, the strings and the names of members of a JSON text that
// have half a surrogate pair in them, such as \ud83d alone. The decoders of all wires have U+FFFD
// in its place, and no place for a report; readers of streams report it themselves. The pointer is
// that of the text in the input, "" for a whole document. It costs one search for backslashes when
// there is nothing to report.
func ReplacedText(pointer string, data []byte) Report {
	if !jsonx.HasHalfPair(data) {
		return nil
	}
	var report Report
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	for {
		start := d.InputOffset()
		token, err := d.ReadToken()
		if err != nil {
			return report
		}
		if token.Kind() == jsontext.KindString && jsonx.HasHalfPair(data[start:d.InputOffset()]) {
			report.Add(Approximated, pointer+string(d.StackPointer()),
				"it has half a surrogate pair, for which U+FFFD stands")
		}
	}
}
