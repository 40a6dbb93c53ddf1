// Package models describes Google's models at a service and a time: which model answers to a name,
// which requests it accepts or refuses, its token limits, and how long it is offered.
//
//	model := models.At("gemini-3.5-flash", models.GeminiAPI, time.Now())
//	fmt.Println(model.Name)                              // gemini-3.6-flash, since 2026-10-08
//	fmt.Println(model.Traits.RefusesTrailingModelTurn)   // true: a trait of the model that answers
//
// The facts are rows of models.yaml, each with its days, service, source and confidence. A
// generator turns them into Go, so the package imports only the wire types.
package models

// Traits describe which requests a model accepts or refuses, unlike other models. The zero value is
// for a model with none of these traits, such as an embedding model.
type Traits struct {
	// Thinking describes how to set the amount of reasoning.
	Thinking ThinkingTraits
	// RequiresSignatures is true since Gemini 3: a functionCall of the current turn must be sent
	// back with its thought signature.
	RequiresSignatures bool
	// RequiresAnswers is true since Gemini 3: every functionCall must be answered before the
	// conversation continues. Gemini 2.0 Flash accepted a new question instead of the answer.
	RequiresAnswers bool
	// JSONSchema is true if the model accepts standard JSON Schema, in responseJsonSchema and in
	// parametersJsonSchema.
	JSONSchema bool
	// FunctionResponseParts is true since Gemini 3: functionResponse.parts may hold media.
	FunctionResponseParts bool
	// PartMediaResolution is true since Gemini 3: a single part may set mediaResolution.
	PartMediaResolution bool
	// RequiresMatchingAnswers is true since Gemini 3.7: a functionResponse must have the name of
	// its call, and its id if the call has one. Older models count the answers and match them by
	// their order.
	RequiresMatchingAnswers bool
	// RefusesTrailingModelTurn is true for the models since Gemini 3.6, and for 3.5 Flash-Lite: the
	// last of the contents must not be a model turn. Older models continue such a turn.
	RefusesTrailingModelTurn bool
	// NormalizesEmbeddings is true since gemini-embedding-2: a vector that outputDimensionality
	// cuts still has the length 1. A recorded vector of gemini-embedding-001 had the length 0.58
	// for 768 of 3072 numbers.
	NormalizesEmbeddings bool

	// IgnoresSampling is true since Gemini 4: the model accepts temperature, topP and topK, but
	// they have no effect.
	IgnoresSampling bool

	// RefusesPenalties are the services where the model refuses any presencePenalty or
	// frequencyPenalty except 0.
	RefusesPenalties Backends
	// RefusesLogprobs are the services where it refuses responseLogprobs.
	RefusesLogprobs Backends
	// RefusesJSONWithFunctions are the services where it refuses functions together with the
	// responseMimeType application/json.
	RefusesJSONWithFunctions Backends
	// RefusesSearchWithFunctions are the services where it refuses functions with googleSearch.
	RefusesSearchWithFunctions Backends
	// RequiresShownServerCalls are the services where functions together with server tools, such as
	// googleSearch, require toolConfig.includeServerSideToolInvocations.
	RequiresShownServerCalls Backends
	// RefusesMultipleCandidates are the services where it refuses a candidateCount above 1.
	RefusesMultipleCandidates Backends
	// RefusesCachedContent are the services where it refuses cachedContent, and where no
	// cachedContents can be made for it.
	RefusesCachedContent Backends
}
