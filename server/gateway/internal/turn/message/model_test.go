package message_test

import (
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/turn/message"
)

func TestNamesThatOnlyAnthropicsClientsUseStandForModels(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"gemini-3.6-flash":            "gemini-3.6-flash",
		"gemini-3.6-flash[1m]":        "gemini-3.6-flash",
		"claude-gemini-3.6-flash[1m]": "gemini-3.6-flash",
		"claude-gemini-3.6-flash":     "gemini-3.6-flash",
		"claude-sonnet-5":             "claude-sonnet-5",
		"alias[odd]":                  "alias[odd]",
		"alias-1m]":                   "alias-1m]",
	} {
		if got := message.ModelOf(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
