package models_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/google/go-cmp/cmp"
)

func TestWarningsNameARouteOnlyIfItsTargetAnswered(t *testing.T) {
	t.Parallel()
	const routed = "gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08"
	const ends = "gemini-2.5-flash ends on 2026-12-01; Google names gemini-3.5-flash-lite in its place"
	for _, tt := range []struct {
		name, answered string
		want           []string
	}{
		{"gemini-3.6-flash", "", nil},
		{"gemini-3.6-flash", "gemini-3.6-flash", nil},
		{"models/gemini-3.6-flash", "models/gemini-3.6-flash", nil},
		{"gemini-flash-latest", "", nil},
		{"gemini-flash-latest", "gemini-3.8-flash", []string{"gemini-flash-latest → gemini-3.8-flash"}},
		{"gemini-3.5-flash", "", []string{routed}},
		{"gemini-3.5-flash", "gemini-3.6-flash", []string{routed}},
		{"gemini-3.5-flash", "gemini-3.5-flash", nil},
		{"gemini-3.5-flash", "gemini-3.7-flash", []string{"gemini-3.5-flash → gemini-3.7-flash"}},
		{"gemini-2.5-flash", "", []string{ends}},
		{"gemini-2.5-flash", "gemini-2.5-flash", []string{ends}},
		{"gemini-2.5-flash", "gemini-3.5-flash-lite", []string{ends, "gemini-2.5-flash → gemini-3.5-flash-lite"}},
	} {
		m := models.At(tt.name, models.GeminiAPI, day("2026-11-23"))
		if diff := cmp.Diff(tt.want, m.Warnings(tt.answered, 30*24*time.Hour)); diff != "" {
			t.Errorf("%s, answered by %q: %s", tt.name, tt.answered, diff)
		}
	}
}

func TestIDsAreThoseOfAllModels(t *testing.T) {
	t.Parallel()
	var want []string
	for _, m := range models.All(models.GeminiAPI, day("2026-11-23")) {
		want = append(want, m.Asked)
	}
	if diff := cmp.Diff(want, models.IDs()); diff != "" || !slices.Contains(want, models.Default) {
		t.Error(diff)
	}
}

func TestWhichNamesAreOfGoogle(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"gemini-3.6-flash": true, "models/gemini-3.6-flash": true, "gemini-9": true,
		"gemma-3-27b-it": true, "text-embedding-005": true,
		"tunedModels/mine": true, "endpoints/7": true, "projects/p/locations/l/endpoints/7": true,
		"gpt-5.1": false, "mine": false, "models/mine": false, "": false,
	} {
		if got := models.IsGoogles(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
