package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
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
		"JSON":    `k3y\/with\u0026signs`,
		"letters": strings.ToUpper(secret),

		"a query of a query":      url.QueryEscape(url.QueryEscape(url.QueryEscape(secret))),
		"numbers of HTML":         "&#107;3y&#x2f;with&#38signs",
		"names of HTML":           "k3y&sol;with&amp;amp;signs",
		"an escape in an escape":  `k3y\\u002fwith\\\u0026signs`,
		"an escape of Go":         `k3y\x2fwith\x26signs`,
		"percents of HTML":        "k3y%2526%2523x2f%253Bwith%26amp%3Bsigns",
		"hexadecimal digits":      hex.EncodeToString([]byte(secret)),
		"base64":                  base64.StdEncoding.EncodeToString([]byte(secret)),
		"percent and u":           eachCharacter(secret, "%%u%04X"),
		"HTML, many zeros":        eachCharacter(secret, "&#%010d;"),
		"HTML, many zeros, hex":   eachCharacter(secret, "&#x%08x;"),
		"JavaScript":              eachCharacter(secret, `\u{%x}`),
		"Python":                  eachCharacter(secret, `\U%08x`),
		"octal":                   eachCharacter(secret, `\%03o`),
		"octal in JSON":           eachCharacter(secret, `\\%03o`),
		"base64 twice":            base64Of(base64Of(secret)),
		"base64 of a query":       base64Of(url.QueryEscape(secret)),
		"base64 of a query, low":  base64Of("k3y%2fwith%26signs"),
		"base64 of HTML":          base64Of("k3y/with&amp;signs"),
		"base64 of JSON":          base64Of(`k3y\/with&signs`),
		"base64 in lines":         base64Of(secret)[:8] + "\r\n" + base64Of(secret)[8:],
		"base64 in lines, JSON":   base64Of(secret)[:8] + `\r\n` + base64Of(secret)[8:],
		"digits of base64":        hex.EncodeToString([]byte(base64Of(secret))),
		"digits of a query":       hex.EncodeToString([]byte(url.QueryEscape(secret))),
		"base64 for URLs, padded": base64.URLEncoding.EncodeToString([]byte(secret)),
	} {
		if got := strings.TrimRight(redact.Text("a "+spelled, secret), "="); got != "a REDACTED" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func eachCharacter(text, format string) string {
	var out strings.Builder
	for _, c := range text {
		fmt.Fprintf(&out, format, c)
	}
	return out.String()
}

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// What could be taken for a spelling of something else is read as it stands first.
func TestWhatIsNoSpellingHidesNothing(t *testing.T) {
	t.Parallel()
	const secret = "0123u00ff:secret"
	for _, text := range []string{"cx=" + secret, `C:\new\` + secret, `\` + secret, "%" + secret, "cx=0123u00ff%3Asecret", "\n" + secret + "\n", `\u{` + secret} {
		if got := redact.Text(text, secret); strings.Contains(got, "secret") || !strings.Contains(got, redact.Mark) {
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
	if got := redact.Text("the key and the keyboard", "key", ""); got != "the key and the keyboard" {
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
		if took := time.Since(began); took > 10*time.Second { // at no more than a few hundred milliseconds each
			t.Errorf("%q: %v", piece, took)
		}
	}
}
