package otelgateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/otelgenai"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/label"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
	"go.opentelemetry.io/otel/trace"
)

// scope is the instrumentation scope, the package's name in OpenTelemetry.
const scope = "github.com/gemwire/gemwire/server/gateway/otelgateway"

// Option configures an observer.
type Option func(*providers)

type providers struct {
	tracers trace.TracerProvider
	meters  metric.MeterProvider
}

// WithTracerProvider sets the provider for spans. The default is the global one.
func WithTracerProvider(provider trace.TracerProvider) Option {
	return func(p *providers) {
		if provider != nil {
			p.tracers = provider
		}
	}
}

// WithMeterProvider sets the provider for metrics. The default is the global one.
func WithMeterProvider(provider metric.MeterProvider) Option {
	return func(p *providers) {
		if provider != nil {
			p.meters = provider
		}
	}
}

// New returns an observer. It returns an error if the meter provider refuses an instrument.
func New(opts ...Option) (exchange.Observer, error) {
	p := providers{otel.GetTracerProvider(), otel.GetMeterProvider()}
	option.Apply(&p, opts)
	instruments, err := newInstruments(p.meters.Meter(scope,
		metric.WithSchemaURL(semconv.SchemaURL)))
	if err != nil {
		return nil, fmt.Errorf("otelgateway: %w", err)
	}
	return &observer{
		tracer:      p.tracers.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)),
		instruments: instruments,
		models:      label.NewSet(), codes: label.NewSet(),
	}, nil
}

// instruments are the metrics that the convention defines for servers, and the token metric that it
// defines for clients only.
type instruments struct {
	duration       genaiconv.ServerRequestDuration
	toFirstToken   genaiconv.ServerTimeToFirstToken
	perOutputToken genaiconv.ServerTimePerOutputToken
	tokens         genaiconv.ClientTokenUsage
}

// The histogram bounds are those that the convention recommends.
var (
	firstTokenBounds = []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75,
		1, 2.5, 5, 7.5, 10}
	perTokenBounds = []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1,
		2.5}
)

func newInstruments(meter metric.Meter) (instruments, error) {
	duration, err1 := genaiconv.NewServerRequestDuration(meter, otelgenai.Seconds())
	first, err2 := genaiconv.NewServerTimeToFirstToken(meter,
		metric.WithExplicitBucketBoundaries(firstTokenBounds...))
	perToken, err3 := genaiconv.NewServerTimePerOutputToken(meter,
		metric.WithExplicitBucketBoundaries(perTokenBounds...))
	tokens, err4 := genaiconv.NewClientTokenUsage(meter, otelgenai.Tokens())
	return instruments{duration, first, perToken, tokens}, errors.Join(err1, err2, err3, err4)
}

type observer struct {
	tracer      trace.Tracer
	instruments instruments
	// models are the models that have answered. Models and error codes are attributes of metrics,
	// and each combination of attributes is kept for the life of the process.
	models, codes *label.Set
}

// operations are the forms that the convention has a name for. Other forms use their own names.
var operations = map[string]genaiconv.OperationNameAttr{
	"chat_completions": genaiconv.OperationNameChat,
	"embeddings":       genaiconv.OperationNameEmbeddings,
	"native":           genaiconv.OperationNameGenerateContent,
}

// Begin implements [exchange.Observer].
func (o *observer) Begin(start exchange.Start) exchange.Recorder {
	operation, ok := operations[start.Form]
	if !ok {
		operation = genaiconv.OperationNameAttr(start.Form)
	}
	out := &recorder{observer: o, start: start, operation: operation}
	parent := propagation.TraceContext{}.Extract(context.Background(),
		propagation.MapCarrier{"traceparent": start.Traceparent, "tracestate": start.Tracestate})
	out.ctx, out.span = o.tracer.Start(parent, string(operation),
		trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(start.At),
		trace.WithAttributes(
			semconv.GenAIOperationNameKey.String(string(operation)),
			semconv.HTTPRequestMethodKey.String(label.Text(start.Method)),
			semconv.URLPath(label.Text(start.Path)),
			attribute.String("gemwire.request.id", start.ID),
		))
	if start.ClientName != "" {
		out.span.SetAttributes(attribute.String("gemwire.client", label.Text(start.ClientName)))
	}
	return out
}

// recorder is the span of one request.
type recorder struct {
	exchange.Nothing
	observer   *observer
	start      exchange.Start
	operation  genaiconv.OperationNameAttr
	ctx        context.Context
	span       trace.Span
	isAnswered bool
}

// Attempt adds an event to the span.
func (r *recorder) Attempt(attempt exchange.Attempt) {
	r.isAnswered = r.isAnswered || attempt.IsAnswered()
	attrs := []attribute.KeyValue{
		attribute.Int("gemwire.attempt.number", attempt.Number),
		attribute.String("gemwire.attempt.account", attempt.Account),
		attribute.String("gemwire.attempt.model", label.Text(attempt.Model)),
		attribute.Float64("gemwire.attempt.duration", attempt.Duration.Seconds()),
	}
	if attempt.Status != 0 {
		attrs = append(attrs, semconv.HTTPResponseStatusCode(attempt.Status))
	}
	if attempt.Wait > 0 {
		attrs = append(attrs,
			attribute.Float64("gemwire.attempt.retry_after", attempt.Wait.Seconds()))
	}
	r.span.AddEvent("gemwire.attempt", trace.WithTimestamp(attempt.Started.Add(attempt.Duration)),
		trace.WithAttributes(attrs...))
}

// End ends the span.
func (r *recorder) End(end exchange.End) {
	if end.UpstreamModel != "" {
		r.span.SetName(string(r.operation) + " " + r.model(end.UpstreamModel))
	}
	r.span.SetAttributes(spanAttributes(end)...)
	r.measure(end)
	if failure := errorType(end); failure != "" {
		r.span.SetAttributes(semconv.ErrorTypeKey.String(label.Text(failure)))
		if !isClientsFault(end) {
			// the text could quote the client or the server
			r.span.SetStatus(codes.Error, "")
		}
	}
	r.span.End(trace.WithTimestamp(r.start.At.Add(end.Duration)))
}

// model returns the label of a model: its name if the model has answered.
func (r *recorder) model(name string) string {
	if r.isAnswered {
		return r.observer.models.Add(name)
	}
	return r.observer.models.Find(name)
}

// measure records the metrics.
func (r *recorder) measure(end exchange.End) {
	provider := providerName(end)
	var attrs []attribute.KeyValue
	if end.UpstreamModel != "" {
		attrs = append(attrs,
			semconv.GenAIRequestModel(r.model(cmp.Or(end.AskedModel, end.UpstreamModel))))
	}
	if end.UpstreamModel != "" && end.Status < http.StatusBadRequest {
		attrs = append(attrs, semconv.GenAIResponseModel(r.model(end.UpstreamModel)))
	}
	output := end.Usage.OutputTokens + end.Usage.ThinkingTokens
	if end.Usage.InputTokens+output > 0 {
		usageOf(end).Record(r.ctx, r.observer.instruments.tokens,
			otelgenai.Call{Operation: r.operation, Provider: provider}, attrs...)
	}
	if end.FirstToken > 0 {
		r.observer.instruments.toFirstToken.Record(r.ctx, end.FirstToken.Seconds(), r.operation,
			provider, attrs...)
		if output > 1 && errorType(end) == "" {
			perToken := (end.Duration - end.FirstToken).Seconds() / float64(output-1)
			r.observer.instruments.perOutputToken.Record(r.ctx, perToken, r.operation, provider,
				attrs...)
		}
	}
	if failure := errorType(end); failure != "" {
		attrs = append(attrs, semconv.ErrorTypeKey.String(r.observer.codes.Add(failure)))
	}
	r.observer.instruments.duration.Record(r.ctx, end.Duration.Seconds(), r.operation, provider,
		attrs...)
}

// providerName returns the provider's name. It is the Gemini API if no service answered.
func providerName(end exchange.End) genaiconv.ProviderNameAttr {
	switch end.Service {
	case "vertex", "vertex-express":
		return genaiconv.ProviderNameGCPVertexAI
	default:
		return genaiconv.ProviderNameGCPGemini
	}
}

// errorType returns a low-cardinality error type, or "" for a served request. A client that
// disconnects is not an error.
func errorType(end exchange.End) string {
	switch {
	case end.Canceled:
		return "cancelled"
	case end.ErrorCode != "":
		return end.ErrorCode
	case end.ErrorType != "":
		return end.ErrorType
	case end.Status >= http.StatusBadRequest:
		return strconv.Itoa(end.Status)
	default:
		return ""
	}
}

// isClientsFault reports whether an error is the client's fault. The HTTP conventions leave the
// span status of a server unset then.
func isClientsFault(end exchange.End) bool {
	return end.Canceled ||
		end.Status >= http.StatusBadRequest && end.Status < http.StatusInternalServerError
}

// spanAttributes returns the attributes that are known at the end.
func spanAttributes(end exchange.End) []attribute.KeyValue {
	attrs := []attribute.KeyValue{
		semconv.GenAIProviderNameKey.String(string(providerName(end))),
		semconv.HTTPResponseStatusCode(end.Status),
		attribute.Int("gemwire.losses", end.Lost),
	}
	if end.Model != "" {
		attrs = append(attrs, semconv.GenAIRequestModel(label.Text(end.Model)))
	}
	if end.UpstreamModel != "" && end.Status < http.StatusBadRequest {
		attrs = append(attrs, semconv.GenAIResponseModel(label.Text(end.UpstreamModel)))
	}
	if end.Stream {
		attrs = append(attrs, semconv.GenAIRequestStream(true))
	}
	if end.FirstToken > 0 {
		attrs = append(attrs, semconv.GenAIResponseTimeToFirstChunk(end.FirstToken.Seconds()))
	}
	if end.FinishReason != "" {
		attrs = append(attrs,
			semconv.GenAIResponseFinishReasons(label.Text(string(end.FinishReason))))
	}
	if end.Cost != nil {
		attrs = append(attrs, attribute.Float64("gemwire.cost", end.Cost.Amount),
			attribute.String("gemwire.cost.currency", end.Cost.Currency))
	}
	return append(attrs, usageAttributes(end)...)
}

func usageAttributes(end exchange.End) []attribute.KeyValue {
	usage := end.Usage
	if usage.InputTokens+usage.OutputTokens+usage.ThinkingTokens == 0 {
		return nil
	}
	attrs := usageOf(end).Attributes()
	if end.UsageEstimated {
		attrs = append(attrs, attribute.Bool("gemwire.usage.estimated", true))
	}
	return attrs
}

// usageOf returns the token counts of an exchange.
func usageOf(end exchange.End) otelgenai.Usage {
	return otelgenai.Usage{
		Input: end.Usage.InputTokens, Output: end.Usage.OutputTokens,
		Thinking: end.Usage.ThinkingTokens, Cached: end.Usage.CachedTokens,
	}
}
