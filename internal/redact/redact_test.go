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
		"base64 for URLs, padded": base64.URLEncoding.EncodeToString([]byte(secret)),
	} {
		if got := strings.TrimRight(redact.Text("a "+spelled, secret), "="); got != "a REDACTED" {
			t.Errorf("%s: %s", name, got)
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
