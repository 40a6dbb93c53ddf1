// Package metrics counts what a process does with bulk jobs, for Prometheus.
//
//	m := metrics.New()
//	service, err := bulk.Open(ctx, bulk.WithObserver(m))
//	registry.MustRegister(m)
//
// Each process of a store counts its own work; the sum over all processes is the total. The metrics
// contain nothing of a request, and the number of series is bounded.
package metrics

import (
	"context"
	"strconv"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics is a [bulk.Observer], and a [prometheus.Collector]. [New] makes it. It is safe for
// concurrent use.
type Metrics struct {
	jobs      *prometheus.CounterVec
	lines     *prometheus.CounterVec
	attempts  *prometheus.CounterVec
	tokens    *prometheus.CounterVec
	cost      *prometheus.CounterVec
	unpriced  *prometheus.CounterVec
	running   *prometheus.GaugeVec
	runs      *prometheus.CounterVec
	durations *prometheus.HistogramVec

	all []prometheus.Collector
}

// seconds are the bounds of the histogram: from a range that was already done to one of slow calls.
var seconds = []float64{0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600}

// New returns metrics with all counts at zero.
func New() *Metrics {
	m := &Metrics{}
	m.jobs = m.counter("jobs_total", "Jobs that entered a state.", "state")
	m.lines = m.counter("lines_total",
		"Lines with a result, by HTTP status or by the reason why they were not run.", "executor",
		"status")
	m.attempts = m.counter("line_attempts_total", "Calls that were made for lines with a result.",
		"executor")
	m.tokens = m.counter("tokens_total",
		"Tokens of results. input includes cached tokens; output includes thoughts.",
		"executor", "kind")
	m.cost = m.counter("cost_total", "Cost of results by the rate card, in units of the currency.",
		"executor", "currency")
	m.unpriced = m.counter("unpriced_lines_total",
		"Calls with tokens that the rate card has no price for.", "executor")
	m.runs = m.counter("range_runs_total",
		"Ranges that executors have finished with, by outcome.", "executor", "outcome")
	m.running = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "ranges_running",
		Help: "Ranges that executors are working on.",
	}, []string{"executor"})
	m.durations = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "range_run_duration_seconds",
		Help: "Time that an executor takes for a range.", Buckets: seconds,
	}, []string{"executor"})
	m.all = append(m.all, m.running, m.durations)
	return m
}

// Prefixes of the metric names.
const (
	namespace = "gemwire"
	subsystem = "bulk"
)

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	out := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace,
		Subsystem: subsystem, Name: name, Help: help}, labels)
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

// JobChanged implements [bulk.Observer].
func (m *Metrics) JobChanged(job *bulk.Job, _ bulk.State) {
	m.jobs.WithLabelValues(string(job.State)).Inc()
}

// BeginRange implements [bulk.Observer].
func (m *Metrics) BeginRange(ctx context.Context, run bulk.RangeRun) (context.Context,
	func(bulk.RangeEnd)) {
	executor := run.Job.Executor
	m.running.WithLabelValues(executor).Inc()
	return ctx, func(end bulk.RangeEnd) {
		m.running.WithLabelValues(executor).Dec()
		m.runs.WithLabelValues(executor, string(end.Outcome)).Inc()
		m.durations.WithLabelValues(executor).Observe(end.Duration.Seconds())
	}
}

// ResultsKept implements [bulk.Observer].
func (m *Metrics) ResultsKept(job *bulk.Job, results []line.Result) {
	attempts, sum := 0, line.Usage{}
	for i := range results {
		m.lines.WithLabelValues(job.Executor, statusOf(&results[i])).Inc()
		attempts += results[i].Attempts
		sum.Add(results[i].Usage)
	}
	m.attempts.WithLabelValues(job.Executor).Add(float64(attempts))
	for _, count := range []struct {
		kind   string
		tokens int64
	}{{"input", sum.InputTokens}, {"cached", sum.CachedTokens}, {"output",
		sum.OutputTokens}, {"thinking", sum.ThinkingTokens}} {
		if count.tokens > 0 {
			m.tokens.WithLabelValues(job.Executor, count.kind).Add(float64(count.tokens))
		}
	}
	if sum.Cost > 0 {
		m.cost.WithLabelValues(job.Executor, sum.Currency).Add(sum.Cost)
	}
	if sum.Unpriced > 0 {
		m.unpriced.WithLabelValues(job.Executor).Add(float64(sum.Unpriced))
	}
}

// statusOf returns the status of a result, or the code of a line that was not run or has failed for
// another reason.
func statusOf(r *line.Result) string {
	switch {
	case r.Error != nil:
		return r.Error.Code
	case r.Response != nil:
		return strconv.Itoa(r.Response.Status)
	default:
		return "none"
	}
}
