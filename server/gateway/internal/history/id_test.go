package history_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/history"
)

func TestAnIDHasLettersDigitsUnderscoresAndHyphens(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"": false, "a": true, "z": true, "A": true, "Z": true, "0": true, "9": true, "_": true,
		"-": true, "file-0_Z": true,
		"/": false, ":": false, "@": false, "[": false, "`": false, "{": false, "a b": false,
		"a.b": false, "\u00e9": false,
		strings.Repeat("x", 128): true, strings.Repeat("x", 129): false,
	} {
		if got := history.IsID(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}
