package errorbody_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
)

// mark matches the text before keys, or their beginning.
var mark = regexp.MustCompile(`api_key:|key=|AIza|AQ\.`)

// key is the regular expression for what blankKeys does by hand.
var key = regexp.MustCompile(`(api_key:|[?&]key=|\\u0026key=|AIza|\bAQ\.)[\w.-]{4,}`)

func TestKeysAreBlankedAsTheExpressionSays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"api_key:", "?key=", "&key=", `\u0026key=`, "key=", "AIza", "AQ.", "FAQ.",
		"Sy-D_0.", "abc", "ab", " ", "\"", "é", ""}
	blanked := 0
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(8) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		got := string(errorbody.BlankKeys([]byte(text.String())))
		if marks := mark.FindAllString(text.String(), -1); len(marks) > 1 {
			// If one mark runs into another, blankKeys may redact more than the expression.
			for _, left := range key.FindAllString(got, -1) {
				if !strings.Contains(left, "REDACTED") {
					t.Fatalf("%q: %q is left in %q", text.String(), left, got)
				}
			}
		} else if want := key.ReplaceAllString(text.String(), "${1}REDACTED"); got != want {
			t.Fatalf("%q: got %q, want %q", text.String(), got, want)
		} else if want != text.String() {
			blanked++
		}
	}
	if blanked < 200 {
		t.Errorf("only %d of the texts held one mark and a key", blanked)
	}
}
