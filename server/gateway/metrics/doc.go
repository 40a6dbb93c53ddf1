// Package metrics counts the requests that a gateway serves, for Prometheus.
//
//	m := metrics.New()
//	handler, err := gateway.New(gateway.WithObserver(m))
//	mux.Handle("GET /metrics", m.Handler())
//
// [Metrics] is also a [prometheus.Collector], for a program that has a registry already. Keep the
// same Metrics when the gateway is reloaded, or the counts begin again.
//
// The metrics contain no text of requests. The number and the size of series are bounded. A model
// is a label once it has answered, with at most 128 bytes of its name. The first 200 models,
// clients and error codes are labels. All other names are "other".
package metrics
