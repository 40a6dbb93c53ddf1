package report

import (
	"bytes"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// ReplacedText lists, as approximated, the strings and member names of a JSON text that contain
// half a surrogate pair, such as \ud83d alone. The decoders of all wires replace it with U+FFFD and
// cannot report that; readers of streams report it themselves. The argument pointer is the location
// of the text in the input, "" for a whole document. If the text has no such half, the cost is one
// search for backslashes.
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
				"it has half a surrogate pair, which U+FFFD replaces")
		}
	}
}
