// Package models says what each of Google's models takes in requests that others refuse: how thinking is
// asked for, whether thought signatures must come back, whether a schema is JSON Schema. It is a table; it
// imports nothing but the wire types.
//
//	traits := models.TraitsOf("gemini-2.5-flash-lite")
package models

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// Traits is what a model takes in requests that other models refuse. The zero value is that of
// a model that takes none of it, such as one that makes embeddings.
type Traits struct {
	// Thinking is how the amount of reasoning can be set.
	Thinking ThinkingTraits
	// RequiresSignatures is true from Gemini 3 on: a functionCall of the current turn that comes back
	// without the thought signature it was given is refused.
	RequiresSignatures bool
	// RequiresAnswers is true from Gemini 3 on: every functionCall must be answered before the
	// conversation goes on. Gemini 2.0 Flash took a new question in place of the answer.
	RequiresAnswers bool
	// JSONSchema is true when the model takes standard JSON Schema, in responseJsonSchema and in
	// parametersJsonSchema.
	JSONSchema bool
	// FunctionResponseParts is true from Gemini 3 on: media may stand in functionResponse.parts.
	FunctionResponseParts bool
	// PartMediaResolution is true from Gemini 3 on: mediaResolution may be set on a single part.
	PartMediaResolution bool
	// RefusesTrailingModelTurn is true for the models since Gemini 3.6, and for 3.5 Flash-Lite: the
	// last of the contents must not be a turn of the model, which older models carry on with.
	RefusesTrailingModelTurn bool
}

// ThinkingTraits is how the amount of a model's reasoning can be set: by a budget of tokens, by a
// level, by either (but never by both at once), or not at all.
type ThinkingTraits struct {
	// Budget is the range of thinkingBudget; nil when the model takes none.
	Budget *BudgetRange
	// Levels are the values of thinkingLevel in rising order; nil when the model takes none.
	Levels []geminiapi.ThinkingLevel
	// DefaultLevel is the level of a request that names none; "" without Levels, or when it is not
	// known.
	DefaultLevel geminiapi.ThinkingLevel
}

// BudgetRange is the range of thinkingBudget, in tokens. Besides it -1 is always allowed and
// lets the model decide.
type BudgetRange struct {
	// Min and Max bound a budget that is not 0; both may be used.
	Min, Max int
	// CanBeOff is true when a budget of 0 turns the reasoning off.
	CanBeOff bool
}

// Holds reports whether a request may name the budget: one in the range, 0 when that turns thinking
// off, or -1.
func (r *BudgetRange) Holds(budget int) bool {
	switch budget {
	case -1:
		return true
	case 0:
		return r.CanBeOff
	}
	return r.Min <= budget && budget <= r.Max
}

// TraitsOf returns what is known of a model by its id, with or without the collection in front of it
// (models/, publishers/google/models/, projects/P/locations/L/...) and a version behind it
// (-preview, -001, -latest, -09-2025). The longest name in the table that begins the id tells, so that
// gemini-2.5-flash-lite-001 is not taken for gemini-2.5-flash.
//
// An id that the table does not know has the traits of the newest Gemini models: what a model of tomorrow
// takes is likelier to be that than anything older. A name that does not say gemini, and "", take all
// that those take, but refuse nothing: they are often the names by which a server in front of Gemini is
// asked, and may stand for any of its models. The result is the caller's.
func TraitsOf(model string) Traits {
	return familyOf(model).traits.clone()
}

// Families returns the names with which the ids of models begin that the table knows, in its order: the newest
// first, and what is not Gemini last.
func Families() []string {
	var names []string
	for _, family := range families {
		names = append(names, family.name)
	}
	return names
}

// Row returns the traits of the table for a model without a copy. They are shared and must not be changed:
// most callers want [TraitsOf].
func Row(model string) *Traits { return &familyOf(model).traits }

// familyOf returns the row of the table for a model. The row is shared and must not be changed.
func familyOf(model string) *family {
	id := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	found := &newestFamily
	if !strings.Contains(id, "gemini") {
		found = &anyFamily
	}
	longest := 0
	for i := range families {
		name := families[i].name
		if len(name) > longest && isOfFamily(id, name) {
			found, longest = &families[i], len(name)
		}
	}
	return found
}

// isOfFamily reports whether an id is a family's name, alone or with a version behind it. What follows
// a name directly, such as the .1 of gemini-3.1, makes another name.
func isOfFamily(id, name string) bool {
	rest, ok := strings.CutPrefix(id, name)
	return ok && (rest == "" || strings.IndexByte("-@:", rest[0]) >= 0)
}

// clone copies what a caller could change.
func (t Traits) clone() Traits {
	t.Thinking.Levels = slices.Clone(t.Thinking.Levels)
	if t.Thinking.Budget != nil {
		t.Thinking.Budget = new(*t.Thinking.Budget)
	}
	return t
}
