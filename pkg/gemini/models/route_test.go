package models_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

func TestANameIsAnsweredByWhatItMeansOnTheDay(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, day, want string }{
		{"gemini-3.5-flash", "2026-10-07", "gemini-3.5-flash"},
		{"gemini-3.5-flash", "2026-10-08", "gemini-3.6-flash"},
		{"models/gemini-3.5-flash-001", "2026-11-23", "gemini-3.6-flash"},
		{"gemini-3.5-flash-lite", "2026-11-23", "gemini-3.5-flash-lite"},
		{"gemini-3.7-flash", "2026-10-07", "gemini-3.7-flash"},
		{"gemini-3.7-flash", "2027-06-01", "gemini-3.8-flash"},
		{"gemini-3-pro-preview", "2026-03-08", "gemini-3-pro-preview"},
		{"gemini-3-pro-preview", "2026-03-09", "gemini-3.1-pro-preview"},
		{"gemini-3-pro-image", "2026-11-23", "gemini-3-pro-image"},
		{"gemini-2.5-pro", "2026-11-30", "gemini-2.5-pro"},
		{"gemini-2.5-pro", "2026-12-01", "gemini-3.8-flash"},
		{"gemini-2.5-flash", "2026-11-30", "gemini-2.5-flash"},
		{"gemini-2.5-flash", "2026-12-01", "gemini-3.5-flash-lite"},
		{"gemini-2.5-flash-lite", "2027-12-01", "gemini-2.5-flash-lite"},
		{"gemini-2.5-flash-image", "2026-12-01", "gemini-2.5-flash-image"},
		{"gemini-flash-latest", "2026-02-01", "gemini-3-flash-preview"},
		{"gemini-flash-latest", "2026-05-19", "gemini-3.5-flash"},
		{"gemini-flash-latest", "2026-08-01", "gemini-3.6-flash"},
		{"gemini-flash-latest", "2026-11-23", "gemini-3.8-flash"},
		{"gemini-pro-latest", "2026-03-01", "gemini-3-pro-preview"},
		{"gemini-pro-latest", "2026-11-23", "gemini-3.1-pro-preview"},
		{"gemini-flash-lite-latest", "2026-11-23", "gemini-3.5-flash-lite"},
		{"nano-banana-pro-preview", "2026-11-23", "gemini-3-pro-image"},
		{"gemini-9-ultra", "2026-11-23", "gemini-9-ultra"},
		{"gpt-5.1", "2026-11-23", "gpt-5.1"},
	}
	for _, tt := range tests {
		if got := models.At(tt.name, models.GeminiAPI, day(tt.day)).Name; got != tt.want {
			t.Errorf("%s on %s: got %s, want %s", tt.name, tt.day, got, tt.want)
		}
	}
}

// No page says that Vertex AI answers a name with another model. Aliases exist there too.
func TestOnlyTheGeminiAPIAnswersANameByASuccessor(t *testing.T) {
	t.Parallel()
	for _, service := range []models.Backends{models.VertexAI, models.BothBackends} {
		for _, m := range models.All(service, day("2027-06-01")) {
			if m.Route.Kind == models.RouteReplaced || m.Next.Target != "" {
				t.Errorf("%s: %+v, next %+v", m.Asked, m.Route, m.Next)
			}
		}
	}
}

// The model that answers decides the traits of a request.
func TestTraitsAndLimitsAreThoseOfTheModelThatAnswers(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"2026-01-01", "2026-10-08", "2026-12-01", "2027-01-01"} {
		for _, m := range models.All(models.GeminiAPI, day(at)) {
			answering := models.At(m.Name, models.GeminiAPI, day(at))
			if answering.Name != m.Name || answering.Limits != m.Limits ||
				answering.Traits.RequiresSignatures != m.Traits.RequiresSignatures ||
				!slices.Equal(answering.Traits.Thinking.Levels, m.Traits.Thinking.Levels) {
				t.Errorf("%s is answered by %s on %s, but has other traits", m.Asked, m.Name, at)
			}
		}
	}
	if m := models.At("gemini-3.5-flash", models.GeminiAPI,
		day("2026-10-08")); !m.Traits.RefusesTrailingModelTurn {
		t.Error("3.6 Flash refuses a trailing turn of the model, by any of its names")
	}
}

func TestARouteSaysSinceWhenAndHowWellItIsKnown(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, day, since string
		kind             models.RouteKind
		confidence       models.Confidence
	}{
		{"gemini-3.5-flash", "2026-11-23", "2026-10-08", models.RouteReplaced, models.ConfidenceVendor},
		{"gemini-2.5-pro", "2026-12-01", "2026-12-01", models.RouteReplaced, models.ConfidenceThirdParty},
		{"gemini-pro-latest", "2026-11-23", "2026-03-09", models.RouteAlias, models.ConfidenceUnverified},
		{"gemini-flash-latest", "2026-06-01", "2026-05-19", models.RouteAlias, models.ConfidenceVendor},
	}
	for _, tt := range tests {
		route := models.At(tt.name, models.GeminiAPI, day(tt.day)).Route
		if route.Kind != tt.kind || !route.Since.Equal(day(tt.since)) ||
			route.Confidence != tt.confidence || route.Source.Title == "" ||
			route.Source.Date().IsZero() {
			t.Errorf("%s: got %+v", tt.name, route)
		}
	}
	next := models.At("gemini-2.5-flash", models.GeminiAPI, day("2026-11-23")).Next
	if next.Target != "gemini-3.5-flash-lite" || !next.Since.Equal(day("2026-12-01")) {
		t.Errorf("got %+v", next)
	}
}

// Every target is a model of the table that answers itself, on every day with a change.
func TestRoutesEndAtAModelOfTheTable(t *testing.T) {
	t.Parallel()
	for at := day("2025-12-01"); at.Before(day("2027-07-01")); at = at.AddDate(0, 0, 1) {
		for _, m := range models.All(models.GeminiAPI, at) {
			target := models.At(m.Name, models.GeminiAPI, at)
			if !m.IsKnown() || !target.IsKnown() || target.Route.Target != "" {
				t.Fatalf("%s on %s is answered by %s, which is %+v", m.Asked,
					at.Format(time.DateOnly), m.Name, target.Route)
			}
		}
	}
}

func TestWhichModelsAServiceServes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, day string
		gemini    bool
		vertex    bool
	}{
		{"gemini-3.6-flash", "2026-11-23", true, true},
		{"gemini-4-argon-cyber-permissive", "2026-11-23", false, true},
		{"gemini-2.0-flash", "2026-05-31", true, true},
		{"gemini-2.0-flash", "2026-06-01", false, true},
		{"gemini-3-pro-preview", "2026-11-23", true, true}, // by another model
		{"gemini-2.5-pro", "2026-12-01", true, true},
		{"gemini-3.5-falsh", "2026-11-23", false, false},
		{"gemini-9", "2026-11-23", false, false},
		{"gpt-5.1", "2026-11-23", false, false},
	}
	for _, tt := range tests {
		gemini, vertex := models.At(tt.name, models.GeminiAPI, day(tt.day)),
			models.At(tt.name, models.VertexAI, day(tt.day))
		if gemini.IsServed() != tt.gemini || vertex.IsServed() != tt.vertex {
			t.Errorf("%s on %s: got %v and %v", tt.name, tt.day, gemini.IsServed(),
				vertex.IsServed())
		}
	}
}

func TestNoticesSayWhatACallerShouldKnow(t *testing.T) {
	t.Parallel()
	const month = 30 * 24 * time.Hour
	tests := []struct{ name, day, want string }{
		{"gemini-3.6-flash", "2026-11-23", ""},
		{"gemini-flash-latest", "2026-11-23", ""},
		{"gemini-3.5-flash", "2026-10-01", "gemini-3.5-flash ends on 2026-10-08; Google names gemini-3.6-flash in its place"},
		{"gemini-3.5-flash", "2026-11-23", "gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08"},
		{"gemini-2.5-flash", "2026-11-23", "gemini-2.5-flash ends on 2026-12-01; Google names gemini-3.5-flash-lite in its place"},
		{"gemini-2.5-flash", "2026-10-20", ""},
		{"gemini-3.1-flash-lite", "2026-11-23", ""},
		{"gemini-3.1-flash-lite", "2027-04-20", "gemini-3.1-flash-lite ends on 2027-05-07; Google names gemini-3.5-flash-lite in its place"},
		{"gemini-3.1-flash-image", "2026-11-23", "gemini-3.1-flash-image is deprecated since 2026-10-06; Google names gemini-nano-banana-2.1 in its place"},
		{"gemini-2.0-flash", "2026-11-23", "gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place"},
		{"gemini-9", "2026-11-23", ""},
	}
	for _, tt := range tests {
		m := models.At(tt.name, models.GeminiAPI, day(tt.day))
		got := ""
		for _, notice := range m.Notices(month) {
			got += notice.String()
		}
		if got != tt.want {
			t.Errorf("%s on %s:\n got %s\nwant %s", tt.name, tt.day, got, tt.want)
		}
	}
}

func TestLookingUpAModelMakesNoGarbage(t *testing.T) {
	when := day("2026-11-23")
	if n := testing.AllocsPerRun(100,
		func() { models.At("models/gemini-3.5-flash", models.GeminiAPI, when) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
