package redact_test

import (
	"net/url"
	"strings"
	"testing"

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
	} {
		if got := redact.Text("a "+spelled+" b", secret); got != "a REDACTED b" {
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
