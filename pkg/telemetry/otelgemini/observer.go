package otelgemini

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/otelgenai"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
	"go.opentelemetry.io/otel/trace"
)

// scope is the name of the package in OpenTelemetry.
const scope = "github.com/gemwire/gemwire/pkg/telemetry/otelgemini"

// Option changes the destination of an observer's reports.
type Option func(*providers)

type providers struct {
	tracers trace.TracerProvider
	meters  metric.MeterProvider
}

// WithTracerProvider sets the provider for spans (default: the global one).
func WithTracerProvider(provider trace.TracerProvider) Option {
	return func(p *providers) {
		if provider != nil {
			p.tracers = provider
		}
	}
}

// WithMeterProvider sets the provider for metrics (default: the global one).
func WithMeterProvider(provider metric.MeterProvider) Option {
	return func(p *providers) {
		if provider != nil {
			p.meters = provider
		}
	}
}

// New returns an observer. It returns an error if the meter provider rejects an instrument.
func New(opts ...Option) (gemini.Observer, error) {
	p := providers{otel.GetTracerProvider(), otel.GetMeterProvider()}
	option.Apply(&p, opts)
	instruments, err := newInstruments(p.meters.Meter(scope,
		metric.WithSchemaURL(semconv.SchemaURL)))
	if err != nil {
		return nil, fmt.Errorf("otelgemini: %w", err)
	}
	return &observer{p.tracers.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)), instruments},
		nil
}

type observer struct {
	tracer      trace.Tracer
	instruments instruments
}

func (o *observer) Begin(ctx context.Context, call gemini.CallInfo) (context.Context,
	gemini.Observation) {
	out := &observation{
		instruments: o.instruments, isStream: call.IsStream,
		operation: operationName(call.Operation), provider: providerName(call),
		common: commonAttributes(call),
	}
	name := string(out.operation)
	if call.Model != "" {
		name += " " + call.Model
	}
	out.ctx, out.span = o.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(semconv.GenAIOperationNameKey.String(string(out.operation)),
			semconv.GenAIProviderNameKey.String(string(out.provider))),
		trace.WithAttributes(out.common...), trace.WithAttributes(requestAttributes(call)...))
	return out.ctx, out
}

// observation is the span of one call.
type observation struct {
	ctx         context.Context
	span        trace.Span
	instruments instruments
	operation   genaiconv.OperationNameAttr
	provider    genaiconv.ProviderNameAttr
	isStream    bool
	common      []attribute.KeyValue
	first       time.Duration // to the first chunk
	last        time.Duration // to the last one so far
}

// Attempt adds an event for a failed attempt.
func (o *observation) Attempt(attempt gemini.AttemptInfo) {
	if attempt.Err == nil {
		return
	}
	attrs := []attribute.KeyValue{
		attribute.Int("gemwire.attempt.number", attempt.Number),
		attribute.Float64("gemwire.attempt.duration", attempt.Duration.Seconds()),
		semconv.ErrorTypeKey.String(errorType(attempt.Err)),
	}
	if attempt.HTTPStatus != 0 {
		attrs = append(attrs, semconv.HTTPResponseStatusCode(attempt.HTTPStatus))
	}
	if attempt.RetryAfter > 0 {
		attrs = append(attrs,
			attribute.Float64("gemwire.attempt.retry_after", attempt.RetryAfter.Seconds()))
	}
	o.span.AddEvent("gemwire.attempt", trace.WithAttributes(attrs...))
}

// Chunk measures the delay before a chunk.
func (o *observation) Chunk(chunk gemini.ChunkInfo) {
	if chunk.Number == 1 {
		o.first = chunk.Since
		o.instruments.toFirstChunk.Record(o.ctx, chunk.Since.Seconds(), o.operation, o.provider,
			o.common...)
	} else {
		o.instruments.perChunk.Record(o.ctx, (chunk.Since - o.last).Seconds(), o.operation,
			o.provider, o.common...)
	}
	o.last = chunk.Since
}

// End ends the span.
func (o *observation) End(result gemini.CallResult) {
	tokens := normalize.NewUsage(result.Usage)
	usage := otelgenai.Usage{Input: tokens.InputTokens, Output: tokens.OutputTokens,
		Thinking: tokens.ThinkingTokens, Cached: tokens.CachedTokens}
	o.span.SetAttributes(resultAttributes(result, usage)...)
	if o.isStream && result.Chunks > 0 {
		o.span.SetAttributes(semconv.GenAIResponseTimeToFirstChunk(o.first.Seconds()))
	}
	measured := append([]attribute.KeyValue{}, o.common...)
	if result.ModelVersion != "" {
		measured = append(measured, semconv.GenAIResponseModel(result.ModelVersion))
	}
	if result.Usage != nil {
		usage.Record(o.ctx, o.instruments.tokens,
			otelgenai.Call{Operation: o.operation, Provider: o.provider}, measured...)
	}
	if result.Err != nil {
		failure := semconv.ErrorTypeKey.String(errorType(result.Err))
		o.span.SetAttributes(failure)
		o.span.SetStatus(codes.Error, "") // the text could quote what the server said
		measured = append(measured, failure)
	}
	o.instruments.duration.Record(o.ctx, result.Duration.Seconds(), o.operation, o.provider,
		measured...)
	o.span.End()
}

// errorType returns one of a few names: the canonical status of an API error, else its HTTP status,
// else the category of the failure.
func errorType(err error) string {
	reported, ok := errors.AsType[*gemini.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case !ok:
		return string(gemini.CategoryOf(err))
	case reported.Status.Valid():
		return string(reported.Status)
	default:
		return strconv.Itoa(reported.HTTPStatus)
	}
}
