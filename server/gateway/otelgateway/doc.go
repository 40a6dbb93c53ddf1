// Package otelgateway traces and measures the requests that a gateway serves by OpenTelemetry, in
// the words of its semantic conventions for generative AI (version 1.41, whose names for Go are in
// semconv/v1.41.0/genaiconv).
//
//	observer, err := otelgateway.New()
//	if err != nil { ... }
//	handler, err := gateway.New(gateway.WithObserver(observer))
//
// A request is a span of the kind server, such as "chat gemini-3.6-flash", in the trace that the
// client's traceparent names, if it has one. It has the model, how the answer ended, and tokens;
// each call of Gemini is an event "gemwire.attempt" of it. What it cost, and what was lost by
// conversion, are gemwire.cost and gemwire.losses.
//
// The metrics are gen_ai.server.request.duration, for streams gen_ai.server.time_to_first_token and
// time_per_output_token, and gen_ai.client.token.usage.
//
// Neither has prompts, answers or credentials, nor what a server said in words. The spans name the
// model that the client asked for, and the metrics the one that answered: clients choose the
// former.
package otelgateway
