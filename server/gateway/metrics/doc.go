// Package metrics counts what a gateway serves, for Prometheus.
//
//	m := metrics.New()
//	handler, err := gateway.New(gateway.WithObserver(m))
//	mux.Handle("GET /metrics", m.Handler())
//
// [Metrics] is a [prometheus.Collector] too, for a registry that a program has already. It has to
// stay the same over reloads of the gateway, or counts begin again.
//
// What is counted has no text of a request in it. The number and the size of series are bounded. A
// model is a label when it has answered, with at most 128 bytes of its name. Of models, clients and
// errors the first 200 are labels. All other names are "other".
package metrics
