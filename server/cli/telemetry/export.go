package telemetry

import (
	"context"
	"errors"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// export sends spans and metrics to an OpenTelemetry collector.
type export struct {
	traces  *sdktrace.TracerProvider
	metrics *sdkmetric.MeterProvider
}

// wantsExport reports whether the environment names a collector.
func wantsExport() bool {
	if os.Getenv("OTEL_SDK_DISABLED") == "true" {
		return false
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// newExport starts the export. It calls warn with the errors of sending.
func newExport(ctx context.Context, warn func(error)) (*export, error) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(warn))
	// The later resource wins: OTEL_SERVICE_NAME overrides the name of the command.
	self, err := resource.New(ctx, resource.WithAttributes(semconv.ServiceName("gemwire")),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	spans, err1 := otlptracehttp.New(ctx)
	counts, err2 := otlpmetrichttp.New(ctx)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return &export{
		traces: sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans),
			sdktrace.WithResource(self)),
		metrics: sdkmetric.NewMeterProvider(
			sdkmetric.WithReader(sdkmetric.NewPeriodicReader(counts)),
			sdkmetric.WithResource(self)),
	}, nil
}

// lastExport is the time limit for the last spans and metrics.
const lastExport = 5 * time.Second

// close sends the remaining data.
func (e *export) close() {
	ctx, cancel := context.WithTimeout(context.Background(), lastExport)
	defer cancel()
	// the error handler receives this error too
	_ = errors.Join(e.traces.Shutdown(ctx), e.metrics.Shutdown(ctx))
}
