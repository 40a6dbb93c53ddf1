package credential_test

import (
	"regexp"
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

// FuzzBlank compares with a regular expression, which takes seconds for a large picture.
func FuzzBlank(f *testing.F) {
	pattern := regexp.MustCompile(
		`AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|AQ\.[0-9A-Za-z_-]{30,}`)
	key, token, other := "AIza"+strings.Repeat("x", 35), "ya29."+strings.Repeat("a-_", 10),
		"AQ."+strings.Repeat("b", 40)
	for _, seed := range []string{"", key, token + " " + key, other + key + other, "AIza" + key,
		"AQ.ya29." + strings.Repeat("c", 30), "AIzaya29." + strings.Repeat("c", 60), key[:38],
		key + key, "AIzaAIza" + strings.Repeat("d", 34), token + "." + token} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := pattern.ReplaceAllLiteralString(text, "REDACTED")
		if got := credential.Blank(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := credential.IsIn(text); got != pattern.MatchString(text) {
			t.Errorf("%q: %v", text, got)
		}
	})
}
