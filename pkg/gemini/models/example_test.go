package models_test

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Any form of a model's id finds its traits.
func ExampleAt() {
	november := time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"gemini-2.5-flash-lite-001",
		"publishers/google/models/gemini-3.1-pro-preview", "gemini-of-tomorrow"} {
		model := models.At(name, models.GeminiAPI, november)
		thinking := model.Traits.Thinking
		fmt.Printf("from %d, off %v, levels %v, default %q\n", thinking.Budget.Min,
			thinking.Budget.CanBeOff, thinking.Levels, thinking.DefaultLevel)
	}
	// Output:
	// from 512, off true, levels [], default ""
	// from 1, off false, levels [LOW MEDIUM HIGH], default "HIGH"
	// from 1, off false, levels [LOW MEDIUM HIGH], default "MEDIUM"
}

// Another model answers than the requested one.
func ExampleModel_Notices() {
	november := time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"gemini-3.5-flash", "gemini-2.5-pro", "gemini-3.6-flash"} {
		model := models.At(name, models.GeminiAPI, november)
		fmt.Println(name, "is answered by", model.Name)
		for _, notice := range model.Notices(30 * 24 * time.Hour) {
			fmt.Println(" ", notice)
		}
	}
	// Output:
	// gemini-3.5-flash is answered by gemini-3.6-flash
	//   gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08
	// gemini-2.5-pro is answered by gemini-2.5-pro
	//   gemini-2.5-pro ends on 2026-12-01; Google names gemini-3.8-flash in its place
	// gemini-3.6-flash is answered by gemini-3.6-flash
}
