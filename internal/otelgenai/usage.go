// Package otelgenai reports token counts as OpenTelemetry attributes and metrics, by the
// conventions for generative AI. The observers of the client and of the gateway share it.
package otelgenai

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
)

// Usage contains the token counts of an answer. Output does not include Thinking.
type Usage struct {
	Input, Output, Thinking, Cached int
}

// output returns the output tokens as the convention counts them: the answer and the thinking.
func (u Usage) output() int { return u.Output + u.Thinking }

// Attributes returns the attributes of a span.
func (u Usage) Attributes() []attribute.KeyValue {
	attrs := []attribute.KeyValue{semconv.GenAIUsageInputTokens(u.Input),
		semconv.GenAIUsageOutputTokens(u.output())}
	if u.Thinking > 0 {
		attrs = append(attrs, semconv.GenAIUsageReasoningOutputTokens(u.Thinking))
	}
	if u.Cached > 0 {
		attrs = append(attrs, semconv.GenAIUsageCacheReadInputTokens(u.Cached))
	}
	return attrs
}

// Call identifies a call in metrics.
type Call struct {
	Operation genaiconv.OperationNameAttr
	Provider  genaiconv.ProviderNameAttr
}

// Record measures the tokens of a call.
func (u Usage) Record(ctx context.Context, tokens genaiconv.ClientTokenUsage, of Call,
	attrs ...attribute.KeyValue) {
	tokens.Record(ctx, int64(u.Input), of.Operation, of.Provider, genaiconv.TokenTypeInput,
		attrs...)
	tokens.Record(ctx, int64(u.output()), of.Operation, of.Provider, genaiconv.TokenTypeOutput,
		attrs...)
}

// Seconds has the bucket boundaries that the convention advises for durations.
func Seconds() metric.HistogramOption {
	return metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56,
		5.12, 10.24, 20.48, 40.96, 81.92)
}

// Tokens has the bucket boundaries that the convention advises for token counts.
func Tokens() metric.HistogramOption {
	return metric.WithExplicitBucketBoundaries(1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144,
		1048576, 4194304, 16777216, 67108864)
}
