// Package models says what is known of Google's models at a service and a time: which model answers
// to a name, what it takes in requests that others refuse, how many tokens there may be, and until
// when it is offered.
//
//	model := models.At("gemini-3.5-flash", models.GeminiAPI, time.Now())
//	fmt.Println(model.Name)                              // gemini-3.6-flash, since 2026-10-08
//	fmt.Println(model.Traits.RefusesTrailingModelTurn)   // true: what counts is the model that answers
//
// The facts are rows of models.yaml, each with its days, its service, its source and how well it is
// known. A generator turns them into Go, so that the package imports nothing but the wire types.
package models

// Traits is what a model takes in requests that other models refuse. The zero value is that of
// a model that takes none of it, such as one that makes embeddings.
type Traits struct {
	// Thinking is how the amount of reasoning can be set.
	Thinking ThinkingTraits
	// RequiresSignatures is true from Gemini 3 on: a functionCall of the current turn that comes
	// back without the thought signature it was given is refused.
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
	// RequiresMatchingAnswers is true from Gemini 3.7 on: a functionResponse must have the name of
	// its call, and its id if the call has one. Older models count the answers, and take them by
	// their order.
	RequiresMatchingAnswers bool
	// RefusesTrailingModelTurn is true for the models since Gemini 3.6, and for 3.5 Flash-Lite: the
	// last of the contents must not be a turn of the model, which older models carry on with.
	RefusesTrailingModelTurn bool
	// NormalizesEmbeddings is true from gemini-embedding-2 on: a vector that was cut by
	// outputDimensionality has the length 1 all the same. That of gemini-embedding-001 was recorded
	// with 0.58 for 768 of 3072 numbers.
	NormalizesEmbeddings bool

	// IgnoresSampling is true from Gemini 4 on: temperature, topP and topK are taken and have no
	// effect.
	IgnoresSampling bool

	// RefusesPenalties are the services at which the model takes no presencePenalty and
	// frequencyPenalty but 0.
	RefusesPenalties Backends
	// RefusesLogprobs are those at which it takes no responseLogprobs.
	RefusesLogprobs Backends
	// RefusesJSONWithFunctions are those at which it takes no functions beside the responseMimeType
	// application/json.
	RefusesJSONWithFunctions Backends
	// RefusesSearchWithFunctions are those at which it takes no functions beside googleSearch.
	RefusesSearchWithFunctions Backends
	// RequiresShownServerCalls are those at which it takes functions beside tools that the service
	// runs, such as googleSearch, only with toolConfig.includeServerSideToolInvocations.
	RequiresShownServerCalls Backends
	// RefusesMultipleCandidates are those at which it takes no candidateCount above 1.
	RefusesMultipleCandidates Backends
	// RefusesCachedContent are those at which it takes no cachedContent, and no cachedContents can
	// be made for it.
	RefusesCachedContent Backends
}
