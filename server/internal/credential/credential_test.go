package credential_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/internal/credential"
)

func TestTextsThatLookLikeGoogleCredentialsAreRedacted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"key AIza" + strings.Repeat("x", 35) + ", that":    "key REDACTED, that",
		"ya29." + strings.Repeat("a-_", 10):                "REDACTED",
		"models/AQ." + strings.Repeat("b", 40) + ":method": "models/REDACTED:method",
		"AIza alone, and gemini-2.5-flash":                 "AIza alone, and gemini-2.5-flash",
		"":                                                 "",
	} {
		if got := credential.Blank(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
