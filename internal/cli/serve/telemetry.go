package serve

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/otelgateway"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// telemetry sends spans and metrics to a collector of OpenTelemetry, as the environment says by the names that
// OpenTelemetry has for that: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and others.
type telemetry struct {
	observer exchange.Observer
	traces   *sdktrace.TracerProvider
	metrics  *sdkmetric.MeterProvider
}

// wantsTelemetry reports whether the environment names a collector.
func wantsTelemetry() bool {
	if os.Getenv("OTEL_SDK_DISABLED") == "true" {
		return false
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// newTelemetry returns nil when the environment names no collector. What cannot be sent is logged.
func newTelemetry(ctx context.Context, log *slog.Logger) (*telemetry, error) {
	if !wantsTelemetry() {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("telemetry", "error", err.Error()) }))
	// The later resource wins: OTEL_SERVICE_NAME over the name of the command.
	self, err := resource.New(ctx, resource.WithAttributes(semconv.ServiceName("gemwire")), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	spans, err1 := otlptracehttp.New(ctx)
	counts, err2 := otlpmetrichttp.New(ctx)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	t := &telemetry{
		traces:  sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans), sdktrace.WithResource(self)),
		metrics: sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(counts)), sdkmetric.WithResource(self)),
	}
	t.observer, err = otelgateway.New(otelgateway.WithTracerProvider(t.traces), otelgateway.WithMeterProvider(t.metrics))
	return t, err
}

// lastExport is how long the last spans and metrics may take.
const lastExport = 5 * time.Second

// close sends what was not sent yet.
func (t *telemetry) close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastExport)
	defer cancel()
	_ = errors.Join(t.traces.Shutdown(ctx), t.metrics.Shutdown(ctx)) // which the handler of errors is told, too
}
