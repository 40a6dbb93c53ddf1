// Package models says what each of Google's models takes in requests that others refuse: how thinking is
// asked for, whether thought signatures must come back, whether a schema is JSON Schema, which settings are refused
// at which of the two services. It is a table with its sources; it imports nothing but the wire types.
//
//	traits := models.TraitsOf("gemini-2.5-flash-lite")
package models

import (
	"slices"
	"strings"
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
	// RequiresMatchingAnswers is true from Gemini 3.7 on: a functionResponse must have the name of its call,
	// and its id if the call has one. Older models count the answers, and take them by their order.
	RequiresMatchingAnswers bool
	// RefusesTrailingModelTurn is true for the models since Gemini 3.6, and for 3.5 Flash-Lite: the
	// last of the contents must not be a turn of the model, which older models carry on with.
	RefusesTrailingModelTurn bool
	// NormalizesEmbeddings is true from gemini-embedding-2 on: a vector that was cut by outputDimensionality has the length
	// 1 all the same. That of gemini-embedding-001 was recorded with 0.58 for 768 of 3072 numbers.
	NormalizesEmbeddings bool

	// RefusesPenalties are the services at which the model takes no presencePenalty and frequencyPenalty
	// but 0.
	RefusesPenalties Backends
	// RefusesLogprobs are those at which it takes no responseLogprobs.
	RefusesLogprobs Backends
	// RefusesJSONWithFunctions are those at which it takes no functions beside the responseMimeType
	// application/json.
	RefusesJSONWithFunctions Backends
	// RefusesSearchWithFunctions are those at which it takes no functions beside googleSearch.
	RefusesSearchWithFunctions Backends
	// RequiresShownServerCalls are those at which it takes functions beside tools that the service runs, such
	// as googleSearch, only with toolConfig.includeServerSideToolInvocations.
	RequiresShownServerCalls Backends
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
func Families() []string { return slices.Collect(EachFamily) }

// EachFamily is an [iter.Seq] of what [Families] returns, for who looks for one of them.
func EachFamily(yield func(name string) bool) {
	for i := range families {
		if !yield(families[i].name) {
			return
		}
	}
}

// IsGoogles reports whether a name is that of a model of Google's, as far as the name tells: the table knows its id,
// it says gemini, or it is that of a resource whose id its owner chose, such as tunedModels/mine or an endpoint.
func IsGoogles(model string) bool {
	isOwn := strings.HasPrefix(model, "tunedModels/") || strings.HasPrefix(model, "endpoints/") || strings.Contains(model, "/endpoints/")
	return isOwn || familyOf(model) != &anyFamily
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
