package models_test

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// What a model takes is known by any form of its id.
func ExampleTraitsOf() {
	for _, model := range []string{"gemini-2.5-flash-lite-001", "publishers/google/models/gemini-3.1-pro-preview", "a-model-of-tomorrow"} {
		thinking := models.TraitsOf(model).Thinking
		fmt.Printf("from %d, off %v, levels %v, default %q\n", thinking.Budget.Min, thinking.Budget.CanBeOff, thinking.Levels, thinking.DefaultLevel)
	}
	// Output:
	// from 512, off true, levels [], default ""
	// from 1, off false, levels [LOW MEDIUM HIGH], default "HIGH"
	// from 1, off true, levels [LOW MEDIUM HIGH], default "MEDIUM"
}
