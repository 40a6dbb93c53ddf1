package otelbulk_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/otelbulk"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// has reports whether a span has an attribute.
func has(span sdktrace.ReadOnlySpan, want attribute.KeyValue) bool {
	for _, kv := range span.Attributes() {
		if kv == want {
			return true
		}
	}
	return false
}

func TestAJobIsOneTraceOverAllProcesses(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	job := &bulk.Job{
		ID: "batch_1", State: bulk.InProgress, Executor: bulk.ExecutorLive,
		Model: "gemini-2.5-flash", CreatedAt: at,
		Counts: bulk.Counts{Total: 20, Completed: 19, Failed: 1},
		Usage:  line.Usage{InputTokens: 100, OutputTokens: 50, Cost: 0.25, Currency: "USD"},
	}
	for number := range 2 { // of two processes
		o := otelbulk.New(otelbulk.WithTracerProvider(provider))
		ctx, ended := o.BeginRange(t.Context(),
			bulk.RangeRun{Job: job, Range: number, Lines: 10, At: at})
		if !trace.SpanContextFromContext(ctx).IsValid() ||
			trace.SpanContextFromContext(ctx).IsRemote() {
			t.Error("the work has no span")
		}
		ended(bulk.RangeEnd{Outcome: []bulk.Outcome{bulk.RangeDone, bulk.RangeFailed}[number],
			Duration: time.Minute})
		o.JobChanged(job, bulk.Validating)
	}
	job.State, job.CompletedAt = bulk.Completed, at.Add(time.Hour)
	otelbulk.New(otelbulk.WithTracerProvider(provider)).JobChanged(job, bulk.Finalizing)
	all := spans.Ended()
	if len(all) != 3 {
		t.Fatalf("there are %d spans", len(all))
	}
	for _, span := range all {
		if span.SpanContext().TraceID() != all[0].SpanContext().TraceID() ||
			!has(span, attribute.String("gemwire.job.id", "batch_1")) {
			t.Errorf("%s is of another trace: %v", span.Name(), span.Attributes())
		}
	}
	if done := all[0]; done.Status().Code != codes.Unset ||
		!has(done, attribute.String("gemwire.range.outcome", "done")) {
		t.Errorf("the range that is done: %v, %v", done.Status(), done.Attributes())
	}
	if lost := all[1]; lost.Status().Code != codes.Error ||
		!has(lost, attribute.String("gemwire.range.outcome", "failed")) ||
		!lost.EndTime().Equal(at.Add(time.Minute)) {
		t.Errorf("the range that failed: %v, %v", lost.Status(), lost.Attributes())
	}
	whole := all[2]
	for _, want := range []attribute.KeyValue{
		attribute.Int64("gemwire.job.completed", 19),
		attribute.Int64("gen_ai.usage.input_tokens", 100), attribute.Float64("gemwire.cost", 0.25),
	} {
		if !has(whole, want) {
			t.Errorf("the job's span has no %v: %v", want, whole.Attributes())
		}
	}
	if !whole.StartTime().Equal(at) || !whole.EndTime().Equal(at.Add(time.Hour)) {
		t.Errorf("the job was from %v to %v", whole.StartTime(), whole.EndTime())
	}
}

func TestTheSpanOfAJobIsAnErrorOnlyIfTheJobFailed(t *testing.T) {
	t.Parallel()
	for state, want := range map[bulk.State]codes.Code{
		bulk.Failed: codes.Error, bulk.Completed: codes.Unset, bulk.Cancelled: codes.Unset,
		bulk.Expired: codes.Unset,
	} {
		spans := tracetest.NewSpanRecorder()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
		otelbulk.New(otelbulk.WithTracerProvider(provider)).JobChanged(
			&bulk.Job{ID: "batch_1", State: state}, bulk.InProgress)
		if all := spans.Ended(); len(all) != 1 || all[0].Status().Code != want {
			t.Errorf("%s: %d spans, expected one with the status %v", state, len(all), want)
		}
	}
}

func TestTheSpanOfAJobHasACostOnlyIfItsCurrencyIsKnown(t *testing.T) {
	t.Parallel()
	for currency, want := range map[string]bool{"": false, "EUR": true} {
		spans := tracetest.NewSpanRecorder()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
		otelbulk.New(otelbulk.WithTracerProvider(provider)).JobChanged(
			&bulk.Job{ID: "batch_1", State: bulk.Completed,
				Usage: line.Usage{Cost: 0.5, Currency: currency}}, bulk.Finalizing)
		span := spans.Ended()[0]
		if has(span, attribute.Float64("gemwire.cost", 0.5)) != want ||
			has(span, attribute.String("gemwire.cost.currency", currency)) != want {
			t.Errorf("currency %q: %v", currency, span.Attributes())
		}
	}
}
