// Package telemetry sets up what tells of a process that has a gateway and bulk jobs: metrics for
// scrapes of Prometheus, and spans and metrics for a collector of OpenTelemetry. The latter are
// sent where the environment names a collector, by the names that OpenTelemetry has for that:
// OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and others.
package telemetry

import (
	"context"
	"net/http"

	"github.com/gemwire/gemwire/server/bulk"
	bulkmetrics "github.com/gemwire/gemwire/server/bulk/metrics"
	"github.com/gemwire/gemwire/server/bulk/otelbulk"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/metrics"
	"github.com/gemwire/gemwire/server/gateway/otelgateway"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Observers tell of a gateway and of bulk jobs in one process. They are made by [New], and the
// caller closes them.
type Observers struct {
	// Gateway are those of the gateway.
	Gateway []exchange.Observer
	// Jobs are those of bulk jobs.
	Jobs []bulk.Observer

	collectors []prometheus.Collector // of which a scrape asks, nil without scrapes
	export     *export                // nil without a collector of OpenTelemetry
}

// New returns observers that count for scrapes, where there are such, and for a collector of
// OpenTelemetry, where the environment names one. What cannot be sent to it, warn is told of, by
// any goroutine.
func New(ctx context.Context, isScraped bool, warn func(error)) (*Observers, error) {
	o := &Observers{}
	if isScraped {
		requests, jobs := metrics.New(), bulkmetrics.New()
		o.Gateway, o.Jobs = append(o.Gateway, requests), append(o.Jobs, jobs)
		process := collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})
		o.collectors = []prometheus.Collector{requests, jobs, collectors.NewGoCollector(), process}
	}
	if !wantsExport() {
		return o, nil
	}
	var err error
	if o.export, err = newExport(ctx, warn); err != nil {
		return nil, err
	}
	requests, err := otelgateway.New(otelgateway.WithTracerProvider(o.export.traces),
		otelgateway.WithMeterProvider(o.export.metrics))
	if err != nil {
		o.Close()
		return nil, err
	}
	o.Gateway = append(o.Gateway, requests)
	o.Jobs = append(o.Jobs, otelbulk.New(otelbulk.WithTracerProvider(o.export.traces)))
	return o, nil
}

// IsScraped reports whether there are metrics for scrapes.
func (o *Observers) IsScraped() bool { return o != nil && len(o.collectors) > 0 }

// Scrapes answers scrapes of Prometheus, with the metrics of the Go runtime and of the process too.
func (o *Observers) Scrapes() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(o.collectors...) // none of which has a name of another
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true})
}

// Close sends what was not sent yet. It is called when the gateway and the store of jobs are
// closed.
func (o *Observers) Close() {
	if o != nil && o.export != nil {
		o.export.close()
	}
}
