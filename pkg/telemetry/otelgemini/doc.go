// Package otelgemini traces and measures the calls of a [gemini.Client] by OpenTelemetry, in the
// words of its semantic conventions for generative AI (version 1.41, whose names for Go are in
// semconv/v1.41.0/genaiconv).
//
//	observer, err := otelgemini.New()
//	if err != nil { ... }
//	client, err := gemini.NewClient(gemini.WithObserver(observer))
//
// A call is a span of the kind client, such as "generate_content gemini-3.6-flash", with the
// settings of the request, and of the answer the model, id, finish reasons and tokens. It is that
// of the context, so that spans of an instrumented http.Client are its children. Each attempt that
// failed is an event "gemwire.attempt" of it.
//
// The metrics are gen_ai.client.operation.duration, gen_ai.client.token.usage, and for streams
// gen_ai.client.operation.time_to_first_chunk and time_per_output_chunk.
//
// Neither has prompts, answers or credentials, nor what a server said in words.
package otelgemini
