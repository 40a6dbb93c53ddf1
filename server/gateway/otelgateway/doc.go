// Package otelgateway reports the requests that a gateway serves as OpenTelemetry traces and
// metrics. It follows the semantic conventions for generative AI (version 1.41, whose names for Go
// are in semconv/v1.41.0/genaiconv).
//
//	observer, err := otelgateway.New()
//	if err != nil { ... }
//	handler, err := gateway.New(gateway.WithObserver(observer))
//
// A request is a server span such as "chat gemini-3.6-flash". If the client sends a traceparent
// header, the span belongs to that trace. The span has the model, the outcome and the token counts.
// Each call of Gemini is an event "gemwire.attempt" of the span. The attributes gemwire.cost and
// gemwire.losses are the cost of the request and the number of its losses.
//
// The metrics are gen_ai.server.request.duration and gen_ai.client.token.usage. Streams also have
// gen_ai.server.time_to_first_token and time_per_output_token.
//
// Traces and metrics contain no prompts, answers, credentials or error messages of a server. The
// spans name the model that the client requested. The metrics name the model that answered, because
// clients choose the requested name.
package otelgateway
