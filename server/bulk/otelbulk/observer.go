// Package otelbulk traces bulk jobs with OpenTelemetry.
//
//	service, err := bulk.Open(ctx, bulk.WithObserver(otelbulk.New()))
//
// A job is one trace, whichever processes work at it, because the trace id is derived from the
// job's id. The trace has a span for each time an executor works at a range, with the outcome. At
// the end it has a span for the whole job, with counts, tokens and cost. Spans contain nothing of a
// request.
package otelbulk

import (
	"context"
	"crypto/sha256"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// scope is the instrumentation scope, the package's name in OpenTelemetry.
const scope = "github.com/gemwire/gemwire/server/bulk/otelbulk"

// Option configures an observer.
type Option func(*Observer)

// WithTracerProvider sets the provider for spans. The default is the global one.
func WithTracerProvider(provider trace.TracerProvider) Option {
	return func(o *Observer) { o.tracer = provider.Tracer(scope) }
}

// Observer is a [bulk.Observer]. [New] makes it. It is safe for concurrent use.
type Observer struct{ tracer trace.Tracer }

// New returns an observer.
func New(opts ...Option) *Observer {
	o := &Observer{}
	option.Apply(o, opts)
	if o.tracer == nil {
		o.tracer = otel.GetTracerProvider().Tracer(scope)
	}
	return o
}

// inTraceOf returns a context whose spans belong to the trace of a job.
func inTraceOf(ctx context.Context, job *bulk.Job) context.Context {
	sum := sha256.Sum256([]byte(job.ID))
	return trace.ContextWithRemoteSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(sum[:16]), SpanID: trace.SpanID(sum[16:24]),
		TraceFlags: trace.FlagsSampled, Remote: true,
	}))
}

func jobAttributes(job *bulk.Job) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("gemwire.job.id", job.ID),
		attribute.String("gemwire.job.executor", job.Executor),
		attribute.String("gen_ai.request.model", job.Model),
		attribute.String("gemwire.job.endpoint", job.Endpoint),
	}
}

// BeginRange implements [bulk.Observer].
func (o *Observer) BeginRange(ctx context.Context, run bulk.RangeRun) (context.Context,
	func(bulk.RangeEnd)) {
	ctx, span := o.tracer.Start(inTraceOf(ctx, run.Job), "bulk range", trace.WithTimestamp(run.At),
		trace.WithAttributes(jobAttributes(run.Job)...),
		trace.WithAttributes(attribute.Int("gemwire.range.number", run.Range),
			attribute.Int("gemwire.range.lines", run.Lines)))
	return ctx, func(end bulk.RangeEnd) {
		span.SetAttributes(attribute.String("gemwire.range.outcome", string(end.Outcome)))
		if end.Outcome == bulk.RangeFailed {
			span.SetStatus(codes.Error, "") // the reason could quote what a server said
		}
		span.End(trace.WithTimestamp(run.At.Add(end.Duration)))
	}
}

// ResultsKept implements [bulk.Observer].
func (o *Observer) ResultsKept(*bulk.Job, []line.Result) {}

// JobChanged implements [bulk.Observer].
func (o *Observer) JobChanged(job *bulk.Job, _ bulk.State) {
	if !job.State.Ended() {
		return
	}
	_, span := o.tracer.Start(inTraceOf(context.Background(), job), "bulk job",
		trace.WithTimestamp(job.CreatedAt),
		trace.WithAttributes(jobAttributes(job)...),
		trace.WithAttributes(
			attribute.String("gemwire.job.state", string(job.State)),
			attribute.Int64("gemwire.job.lines", job.Counts.Total),
			attribute.Int64("gemwire.job.completed", job.Counts.Completed),
			attribute.Int64("gemwire.job.failed", job.Counts.Failed),
			attribute.Int64("gemwire.job.repeated", job.Counts.Repeated),
			attribute.Int64("gen_ai.usage.input_tokens", job.Usage.InputTokens),
			attribute.Int64("gen_ai.usage.output_tokens", job.Usage.OutputTokens),
		))
	if job.Usage.Currency != "" {
		span.SetAttributes(attribute.Float64("gemwire.cost", job.Usage.Cost),
			attribute.String("gemwire.cost.currency", job.Usage.Currency))
	}
	if job.State == bulk.Failed {
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(job.EndedAt()))
}
