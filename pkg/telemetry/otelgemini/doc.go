// Package otelgemini traces and measures the calls of a [gemini.Client] with OpenTelemetry. It
// follows the semantic conventions for generative AI (version 1.41, whose names for Go are in
// semconv/v1.41.0/genaiconv).
//
//	observer, err := otelgemini.New()
//	if err != nil { ... }
//	client, err := gemini.NewClient(gemini.WithObserver(observer))
//
// A call is a span of the kind client, such as "generate_content gemini-3.6-flash". It has the
// settings of the request, and the model, id, finish reasons and token counts of the answer. The
// span is in the context of the call, so spans of an instrumented http.Client are its children.
// Each failed attempt is an event "gemwire.attempt" of the span.
//
// The metrics are gen_ai.client.operation.duration, gen_ai.client.token.usage, and for streams
// gen_ai.client.operation.time_to_first_chunk and time_per_output_chunk.
//
// Spans and metrics contain no prompts, answers, credentials or texts of the server.
package otelgemini
