package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
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

// FuzzFind compares with a search for each spelling in a text in lower case.
func FuzzFind(f *testing.F) {
	for _, seed := range [][3]string{{"secret", "secret-and-more", "x SECRET-and-moresecrets"},
		{"aaaaaa", "ababab", "aaaaaaaaaababababa"}, {"k3y/with&signs", "", `k3y\/with\u0026signs`},
		{"123456", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "c2VjcmV0 MTIzNDU2 313233343536"}} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, first, second, text string) {
		for _, text := range []string{text, text + first, url.QueryEscape(first) + text + second} {
			covered := make([]bool, len(text))
			for _, span := range redact.Find(text, first, second) {
				for at := span.Start; at < span.End; at++ {
					covered[at] = true
				}
			}
			for _, secret := range []string{first, second} {
				for _, spelled := range []string{secret, url.QueryEscape(secret),
					hex.EncodeToString([]byte(secret)),
					base64.StdEncoding.EncodeToString([]byte(secret))} {
					if len(secret) < 6 {
						continue
					}
					for at := 0; at+len(spelled) <= len(text); at++ {
						if text[at:at+len(spelled)] == spelled &&
							slices.Contains(covered[at:at+len(spelled)], false) &&
							!strings.HasSuffix(spelled, "=") {
							t.Fatalf("%q has %q at %d, which is not found", text, spelled, at)
						}
					}
				}
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	finder := redact.NewFinder("an-upstream-key-of-39-characters-abcdefg", "sk-another-key-of-a-client")
	text := strings.Repeat("QmFzZTY0IG9mIGEgcGljdHVyZSB0aGF0IGhhcyBubyBzZWNyZXQ+", 1<<14)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		finder.Find(text)
	}
}
