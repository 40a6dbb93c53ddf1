// Package label bounds the texts from outside that become labels of metrics and attributes of
// spans: names of models, clients, errors and paths.
package label

import (
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/server/internal/credential"
)

// MaxSize is the most bytes of a label. MaxNames is the most names of a [Set].
const (
	MaxSize  = 128
	MaxNames = 200
)

// Other replaces the names that are not in a [Set].
const Other = "other"

// Text returns a text as a label: at most [MaxSize] bytes of valid UTF-8, without what looks like a
// credential.
func Text(text string) string {
	text = text[:min(len(text), scanned)]
	text = strings.ToValidUTF8(credential.Blank(text), "\ufffd")
	if len(text) <= MaxSize {
		return text
	}
	end := MaxSize
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// scanned is how much of a text is searched for credentials. It is more than [MaxSize], or a
// credential at the cut would not be recognized.
const scanned = 2 << 10
