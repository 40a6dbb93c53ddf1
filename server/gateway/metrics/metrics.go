package metrics

import (
	"net/http"

	"github.com/gemwire/gemwire/server/gateway/internal/label"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics observes a gateway. [New] makes it. It is safe for concurrent use.
type Metrics struct {
	inFlight     *prometheus.GaugeVec
	requests     *prometheus.CounterVec
	canceled     *prometheus.CounterVec
	problems     *prometheus.CounterVec
	duration     *prometheus.HistogramVec
	toFirstToken *prometheus.HistogramVec
	tokens       *prometheus.CounterVec
	cost         *prometheus.CounterVec
	unpriced     *prometheus.CounterVec
	losses       *prometheus.CounterVec
	bytes        *prometheus.CounterVec
	attempts     *prometheus.CounterVec
	attemptTime  *prometheus.HistogramVec

	all []prometheus.Collector
	// models are the models that have answered. Clients choose model names, and any other name
	// would be a series that is kept for the life of the process.
	models *label.Set
	// clients and codes are bounded too: key files can be long, and codes come from servers.
	clients, codes *label.Set
}

// seconds are the bounds of the time histograms. They range from the gateway's own time to the time
// that models think.
var seconds = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20,
	40, 80, 160, 320, 640}

// New returns metrics with all counts at zero.
func New() *Metrics {
	m := &Metrics{models: label.NewSet(), clients: label.NewSet(), codes: label.NewSet()}
	m.inFlight = m.gauge("requests_in_flight", "Requests that are being served.", "form")
	m.requests = m.counter("requests_total", "Requests that have ended.", "form", "model", "client",
		"status")
	m.canceled = m.counter("requests_canceled_total", "Requests whose client disconnected before the end.",
		"form", "model")
	m.problems = m.counter("errors_total", "Errors that clients received, also within a stream.",
		"form", "code")
	m.duration = m.histogram("request_duration_seconds",
		"Time from the head of a request to the end of its answer.", "form", "model", "stream")
	m.toFirstToken = m.histogram("time_to_first_token_seconds",
		"Time from the head of a request to the first content of its stream.", "form", "model")
	m.tokens = m.counter("tokens_total",
		"Tokens. input includes cached tokens and tokens of tools; output does not include thoughts.",
		"model", "client", "kind", "estimated")
	m.cost = m.counter("cost_total", "Cost by the rate card, in units of the currency.", "model",
		"client", "currency")
	m.unpriced = m.counter("unpriced_requests_total",
		"Requests with tokens that the rate card has no price for.", "model")
	m.losses = m.counter("conversion_losses_total",
		"Losses, approximations and additions that conversions reported.", "form", "kind")
	m.bytes = m.counter("body_bytes_total", "Bytes of clients' bodies, in and out.", "form",
		"direction")
	m.attempts = m.counter("upstream_attempts_total",
		"Calls of Gemini that have ended; status 0 means no reply.", "account", "model", "status")
	m.attemptTime = m.histogram("upstream_attempt_duration_seconds",
		"Time of a call of Gemini to its end, or to the first chunk of a stream.", "account",
		"model")
	return m
}

// namespace is the prefix of the metric names.
const namespace = "gemwire"

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	out := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name,
		Help: help}, labels)
	m.all = append(m.all, out)
	return out
}

func (m *Metrics) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	out := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name,
		Help: help}, labels)
	m.all = append(m.all, out)
	return out
}

func (m *Metrics) histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	out := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name,
		Help: help, Buckets: seconds}, labels)
	m.all = append(m.all, out)
	return out
}

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	for _, collector := range m.all {
		collector.Describe(out)
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	for _, collector := range m.all {
		collector.Collect(out)
	}
}

// Handler returns the handler for scrapes. It also exports metrics of the Go runtime and the
// process.
func (m *Metrics) Handler() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(m, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true})
}
