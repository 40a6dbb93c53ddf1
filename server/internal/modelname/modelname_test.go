package modelname_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/internal/modelname"
)

var today = time.Date(2026, time.September, 25, 0, 0, 0, 0, time.UTC)

// advice returns the advice with the offered models and some aliases.
func advice(name string, when time.Time, aliases ...string) string {
	return modelname.Advice(name, models.GeminiAPI, when,
		append(aliases, modelname.Offered(models.GeminiAPI, when)...))
}

func TestAdviceNamesWhatWasMeant(t *testing.T) {
	t.Parallel()
	const shutDown = "; gemini-2.0-flash was shut down on 2026-06-01; " +
		"Google names gemini-3.5-flash-lite in its place"
	for name, want := range map[string]string{
		"gemini36-flash":          "; did you mean gemini-3.6-flash?",
		"gemini-3.6-falsh":        "; did you mean gemini-3.6-flash?",
		"Gemini-3.6-Flsh":         "; did you mean gemini-3.6-flash?",
		"gemini-2.0-flsh":         "; did you mean gemini-2.5-flash?", // not gemini-2.0-flash
		"gemini-2.5":              "; did you mean gemini-2.5-pro?",   // the shortest name
		"gemini-2.5-":             "; did you mean gemini-2.5-pro?",
		"fsat":                    "; did you mean fast?",
		"gemini-2.0-flash":        shutDown,
		"models/gemini-2.0-flash": shutDown,
		"gemini-3.6-flash":        "", // which is offered
		"gemini-4-argn":           "", // gemini-4-argon is not released yet
		"gemini-3.5-flash-mini":   "",
		"gpt-4o":                  "",
		"gemini":                  "",
		"g":                       "",
		"":                        "",
	} {
		if got := advice(name, today, "fast"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestAdviceNamesAModelFromItsReleaseOn(t *testing.T) {
	t.Parallel()
	const want = "; did you mean gemini-4-argon?"
	for when, want := range map[time.Time]string{today: "", today.AddDate(0, 6, 0): want} {
		if got := advice("gemini-4-argn", when); got != want {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
}

// TestEachSuggestedNameIsOffered misspells each name that the table has or had.
func TestEachSuggestedNameIsOffered(t *testing.T) {
	t.Parallel()
	offered := modelname.Offered(models.GeminiAPI, today)
	if len(offered) < 20 || slices.Contains(offered, "gemini-2.0-flash") {
		t.Errorf("got %q", offered)
	}
	for _, id := range models.IDs() {
		typed := id[:2] + id[3:]
		meant := modelname.Nearest(typed, offered)
		if slices.Contains(offered, id) && meant != id {
			t.Errorf("%s: got %q, want %q", typed, meant, id)
		}
		if meant != "" && !slices.Contains(offered, meant) {
			t.Errorf("%s: got %q, which is not offered", typed, meant)
		}
		got := advice(typed, today)
		if meant != "" && !strings.Contains(got, meant) {
			t.Errorf("%s: got %q without %q", typed, got, meant)
		}
	}
}
