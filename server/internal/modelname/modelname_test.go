package modelname_test

import (
	"regexp"
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
		append(aliases, modelname.Suggested(models.GeminiAPI, when)...))
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
		"gemini-2.5":              "; did you mean gemini-2.5-pro?",   // the plainest name
		"gemini-2.5-":             "; did you mean gemini-2.5-pro?",
		"fsat":                    "; did you mean fast?",
		"gemini-2.0-flash":        shutDown,
		"models/gemini-2.0-flash": shutDown,
		"gemini-3-pro":            "; did you mean gemini-3.1-pro-preview?", // which answers
		"gemini-3-flash":          "; did you mean gemini-3-flash-preview?", // its id
		"gemini-3":                "; did you mean gemini-3-flash-preview?", // no image
		"gemini-3.6-flash-001":    "; did you mean gemini-3.6-flash?",
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
	offered := modelname.Suggested(models.GeminiAPI, today)
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

// TestNoSuggestedModelEndsWithinThirtyDays walks each day of a year and each name that the table
// has, with a slip and without.
func TestNoSuggestedModelEndsWithinThirtyDays(t *testing.T) {
	t.Parallel()
	const within = 30 * 24 * time.Hour
	suggested := regexp.MustCompile(`(?:did you mean|Google names) ([a-z0-9.-]+)`)
	seen := 0
	for day := range 365 / 5 {
		when := today.AddDate(0, -6, 5*day)
		for _, id := range models.IDs() {
			for _, typed := range []string{id, id[:2] + id[3:]} {
				found := suggested.FindStringSubmatch(advice(typed, when))
				if found == nil {
					continue
				}
				seen++
				name := strings.TrimSuffix(found[1], ".")
				known := models.At(name, models.GeminiAPI, when)
				for _, notice := range known.Notices(within) {
					if notice.Kind != models.NoticeDeprecated {
						t.Errorf("%s on %s: got %s, but %s", typed, when.Format(time.DateOnly), name,
							notice)
					}
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d suggestions", seen)
	}
}

func TestModelsThatEndSoonAreNotSuggested(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC) // of gemini-2.5-pro
	for days, want := range map[int]string{
		-31: "; did you mean gemini-2.5-pro?", -30: "", -1: "", 0: "",
	} {
		if got := advice("gemini-2.5-por", end.AddDate(0, 0, days)); got != want {
			t.Errorf("%d days before its end: got %q, want %q", -days, got, want)
		}
	}
}
