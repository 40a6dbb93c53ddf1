package modelid_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/modelid"
)

func TestAnIDIsAVersionOfAName(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][2]bool{ // is a version, is of the family
		"gemini-2.5-flash":                         {true, true},
		"gemini-2.5-flash-001":                     {true, true},
		"gemini-2.5-flash@001":                     {true, true},
		"gemini-2.5-flash-preview-09-2025":         {true, true},
		"gemini-2.5-flash-latest":                  {true, true},
		"gemini-2.5-flash-exp:generateContent":     {true, true},
		"gemini-2.5-flash-tts":                     {false, true},
		"gemini-2.5-flash-native-audio-preview-09": {false, true},
		"gemini-2.5-flash-preview-tts":             {false, true},
		"gemini-2.5-flashy":                        {false, false},
		"gemini-2.5-flash.1":                       {false, false},
		"gemini-2.5":                               {false, false},
		"":                                         {false, false},
	} {
		got := [2]bool{modelid.IsVersionOf(id, "gemini-2.5-flash"),
			modelid.IsOfFamily(id, "gemini-2.5-flash")}
		if got != want {
			t.Errorf("%q: got %v, want %v", id, got, want)
		}
	}
}
