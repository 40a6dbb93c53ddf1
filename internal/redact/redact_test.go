package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/redact"
)

func TestASecretIsBlankedOutInItsSpellings(t *testing.T) {
	t.Parallel()
	const secret = "k3y/with&signs"
	for name, spelled := range map[string]string{
		"plain":   secret,
		"query":   url.QueryEscape(secret),
		"twice":   url.QueryEscape(url.QueryEscape(secret)),
		"HTML":    "k3y/with&amp;signs",
		"JSON":    `k3y/with\u0026signs`,
		"a slash": `k3y\/with&signs`,
		"letters": strings.ToUpper(secret),

		"hexadecimal digits":      hex.EncodeToString([]byte(secret)),
		"base64":                  base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 for URLs, padded": base64.URLEncoding.EncodeToString([]byte(secret)),
	} {
		if got := strings.TrimRight(redact.Text("a "+spelled, secret), "="); got != "a REDACTED" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestASecretInTheBase64OfALongerTextIsBlankedOut(t *testing.T) {
	t.Parallel()
	const secret = "k3y/with&signs"
	for _, before := range []string{"", "u", "us", "user:"} {
		quoted := base64.StdEncoding.EncodeToString([]byte(before + secret + " and more"))
		if got := redact.Text("Basic "+quoted, secret); !strings.Contains(got, redact.Mark) ||
			strings.Contains(got, quoted) {
			t.Errorf("%q becomes %s", before, got)
		}
	}
}

// A text that resembles a spelling of another text is read unchanged.
func TestASecretIsFoundNextToWhatLooksLikeAnEscape(t *testing.T) {
	t.Parallel()
	const secret = "0123u00ff:secret"
	for _, text := range []string{"cx=" + secret, `C:\new\` + secret, `\` + secret, "%" + secret,
		"cx=0123u00ff%3Asecret", "\n" + secret + "\n", `\u{` + secret} {
		if got := redact.Text(text, secret); strings.Contains(got, "secret") ||
			!strings.Contains(got, redact.Mark) {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestASecretWithinAnotherIsOnePart(t *testing.T) {
	t.Parallel()
	if got := redact.Text("x=secret-and-more;", "secret", "secret-and-more"); got != "x=REDACTED;" {
		t.Error(got)
	}
}

func TestAPlaceholderIsNoSecret(t *testing.T) {
	t.Parallel()
	if got := redact.Text("the key and the keyboard", "key",
		""); got != "the key and the keyboard" {
		t.Error(got)
	}
}

func TestALongTextTakesNoLongTime(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{`\`, "%", "%25", "&", "&amp;", "&#", "a%", `\u`} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		began := time.Now()
		if got := redact.Text(text, "secret-of-ours"); got != text {
			t.Errorf("%q is changed", piece)
		}
		// at no more than a few hundred milliseconds each
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q: %v", piece, took)
		}
	}
}

func TestAFinderFindsItsSecretsInEachText(t *testing.T) {
	t.Parallel()
	finder := redact.NewFinder("secret-1", "secret/2", "short")
	for text, want := range map[string]string{
		"":                       "",
		"a short text":           "a short text",
		"SECRET-1, secret%2F2":   "REDACTED, REDACTED",
		"none, and then secret-": "none, and then secret-",
	} {
		if got := finder.Text(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if none := (*redact.Finder)(nil); none.Find("secret-1") != nil || none.Text("a") != "a" {
		t.Error("no finder finds something")
	}
}
