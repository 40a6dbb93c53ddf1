// Package telemetry sets up the monitoring of a process with a gateway and bulk jobs: metrics for
// Prometheus scrapes, and spans and metrics for an OpenTelemetry collector. It exports to a
// collector if OpenTelemetry's environment variables name one: OTEL_EXPORTER_OTLP_ENDPOINT,
// OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and others.
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

// Observers monitor a gateway and bulk jobs in one process. [New] makes them, and the caller closes
// them.
type Observers struct {
	// Gateway are the observers of the gateway.
	Gateway []exchange.Observer
	// Jobs are the observers of bulk jobs.
	Jobs []bulk.Observer

	collectors []prometheus.Collector // of which a scrape asks, nil without scrapes
	export     *export                // nil without a collector of OpenTelemetry
}

// New returns observers for Prometheus scrapes, if they are enabled, and for an OpenTelemetry
// collector, if the environment names one. It calls warn with the errors of sending; warn must be
// safe for concurrent use.
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

// Scrapes is the handler for Prometheus scrapes. It includes metrics of the Go runtime and the
// process.
func (o *Observers) Scrapes() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(o.collectors...) // none of which has a name of another
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true})
}

// Close sends the remaining data. Call it after the gateway and the job store are closed.
func (o *Observers) Close() {
	if o != nil && o.export != nil {
		o.export.close()
	}
}
