// Package request converts requests of Google's Interactions API to requests for generateContent.
// It considers what the requested model is known to accept.
//
//	in, err := interactions.DecodeRequest(body)
//	...
//	out, report, err := request.ToGemini(in)
//	...
//	data, err := gemini.EncodeRequest(out)
//
// # Input
//
// All forms of the input are read: a text, blocks of content, steps, and the turns of the revision
// before May 2026. Input and function results of the user become turns of the user, all other steps
// become turns of the model. Function results may come in any order; each has the id of its call.
// They follow their calls directly, in one turn and in the order of the calls. A missing or
// duplicate result is an error at its place.
//
// A thought signature stays byte for byte. It goes to the call that has it or that follows its
// thought, else to the last part of the next output, else to an empty text. If the model requires
// signatures, a call without one gets the documented placeholder.
//
// # State
//
// generateContent has no state. A request with previous_interaction_id needs [WithHistory], or it
// is an error; it never becomes a first turn. A request with background needs [WithStore]. A
// request for an agent is an error.
//
// # Settings and tools
//
// thinking_level becomes a level or, for Gemini 2.5, a token budget. response_format sets the
// schema, the modalities and the formats of media. Functions keep their JSON Schema byte for byte.
// Tools that Google runs become Gemini's own tools.
//
// # What is reported
//
// The report lists everything else: each value of the request is visible in the result, or the
// report has an entry at its pointer or above it. The result passes gemini.ValidateRequest, or
// there is an error.
package request
