// Package label limits the length and number of texts from clients and servers that become labels
// of metrics or attributes of spans: names of models, clients, errors and paths.
package label

import (
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/server/internal/credential"
)

// MaxSize is the maximum length of a label in bytes. MaxNames is the maximum size of a [Set].
const (
	MaxSize  = 128
	MaxNames = 200
)

// Other replaces the names that are not in a [Set].
const Other = "other"

// Text returns a text as a label: at most [MaxSize] bytes of valid UTF-8, without anything that
// looks like a credential.
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

// scanned is the length of a text that is searched for credentials. It is larger than [MaxSize], or
// a credential at the cut would not be recognized.
const scanned = 2 << 10
