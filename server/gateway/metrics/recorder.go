package metrics

import (
	"cmp"
	"strconv"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/label"
)

// Begin implements [exchange.Observer].
func (m *Metrics) Begin(start exchange.Start) exchange.Recorder {
	m.inFlight.WithLabelValues(start.Form).Inc()
	return &recorder{metrics: m, form: start.Form, client: m.clients.Add(start.ClientName)}
}

// recorder counts one request.
type recorder struct {
	exchange.Nothing
	metrics      *Metrics
	form, client string
	isAnswered   bool
	// failed are the attempts at a model that has not answered yet. The end shows whether it has.
	failed []exchange.Attempt
}

// Attempt counts a Gemini call. Its account comes from the configuration, so the label is bounded.
func (r *recorder) Attempt(attempt exchange.Attempt) {
	models := r.metrics.models
	switch model := models.Find(attempt.Model); {
	case attempt.IsAnswered():
		r.isAnswered = true
		r.count(attempt, models.Add(attempt.Model))
	case model == label.Other:
		r.failed = append(r.failed, attempt)
	default:
		r.count(attempt, model)
	}
}

func (r *recorder) count(attempt exchange.Attempt, model string) {
	m := r.metrics
	m.attempts.WithLabelValues(attempt.Account, model, strconv.Itoa(attempt.Status)).Inc()
	m.attemptTime.WithLabelValues(attempt.Account, model).Observe(attempt.Duration.Seconds())
}

// model returns the label of the model that answered.
func (r *recorder) model(end exchange.End) string {
	if r.isAnswered {
		return r.metrics.models.Add(end.UpstreamModel)
	}
	return r.metrics.models.Find(end.UpstreamModel)
}

// End counts the request.
func (r *recorder) End(end exchange.End) {
	m, model := r.metrics, r.model(end)
	for _, attempt := range r.failed {
		r.count(attempt, m.models.Find(attempt.Model))
	}
	m.inFlight.WithLabelValues(r.form).Dec()
	m.requests.WithLabelValues(r.form, model, r.client, strconv.Itoa(end.Status)).Inc()
	m.duration.WithLabelValues(r.form, model,
		strconv.FormatBool(end.Stream)).Observe(end.Duration.Seconds())
	if end.FirstToken > 0 {
		m.toFirstToken.WithLabelValues(r.form, model).Observe(end.FirstToken.Seconds())
	}
	if end.Canceled {
		m.canceled.WithLabelValues(r.form, model).Inc()
	}
	if end.ErrorType != "" || end.ErrorCode != "" {
		m.problems.WithLabelValues(r.form, m.codes.Add(cmp.Or(end.ErrorCode, end.ErrorType))).Inc()
	}
	m.bytes.WithLabelValues(r.form, "in").Add(float64(end.BytesIn))
	m.bytes.WithLabelValues(r.form, "out").Add(float64(end.BytesOut))
	r.addLosses(end)
	r.addTokens(end, model)
}

func (r *recorder) addLosses(end exchange.End) {
	for _, loss := range []struct {
		kind  string
		count int
	}{{"lost", end.Lost}, {"approximated", end.Approximated}, {"added", end.Added}} {
		if loss.count > 0 {
			r.metrics.losses.WithLabelValues(r.form, loss.kind).Add(float64(loss.count))
		}
	}
}

// addTokens counts tokens and their cost.
func (r *recorder) addTokens(end exchange.End, model string) {
	m, estimated := r.metrics, strconv.FormatBool(end.UsageEstimated)
	for _, count := range kindsOf(end.Usage) {
		if count.tokens > 0 {
			m.tokens.WithLabelValues(model, r.client, count.kind,
				estimated).Add(float64(count.tokens))
		}
	}
	switch {
	case end.Cost != nil:
		m.cost.WithLabelValues(model, r.client, end.Cost.Currency).Add(end.Cost.Amount)
	case end.Service == embedded: // whose answers cost nothing
	case end.Usage.InputTokens+end.Usage.OutputTokens+end.Usage.ThinkingTokens > 0:
		m.unpriced.WithLabelValues(model).Inc()
	}
}

// embedded is the service name of the fake server.
const embedded = "embedded"

// kind is a token count with its label.
type kind struct {
	kind   string
	tokens int
}

func kindsOf(u normalize.Usage) []kind {
	return []kind{
		{"input", u.InputTokens}, {"cached", u.CachedTokens}, {"tool_use", u.ToolUseTokens},
		{"output", u.OutputTokens}, {"thinking", u.ThinkingTokens},
	}
}
