package gateway

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/ratecard"
)

// answeredBy records which model answered, and which service. Google answers some model names with
// another model. The answer's modelVersion decides the price, what observers report and the header
// x-gemwire-model.
type answeredBy struct {
	tried    string        // the model of the last attempt
	version  string        // the modelVersion of its answer, "" before the answer comes
	location string        // of Vertex AI
	served   ratecard.Tier // by the header of the reply, "" where it has none
}

// begin records the start of an attempt.
func (b *answeredBy) begin(t *upstream.Try) {
	*b = answeredBy{tried: t.Model, location: t.Account.Location}
}

// note records the model and the tier that an answer or a chunk reports.
func (b *answeredBy) note(r *geminiapi.GenerateContentResponse) {
	version := strings.TrimPrefix(jsonx.Deref(r.ModelVersion), "models/")
	if version != "" && isModelName(version) {
		b.version = version
	}
}

// model returns the model that answered. Before an answer it returns the requested model.
func (b *answeredBy) model() string {
	if b.version != "" {
		return b.version
	}
	return b.tried
}

// headerServiceTier is the header in which the Gemini API reports the service tier of the answer.
const headerServiceTier = "X-Gemini-Service-Tier"

// noteHead records the tier that a reply's headers report.
func (b *answeredBy) noteHead(header http.Header) {
	b.served = ratecard.Tier(strings.ToLower(header.Get(headerServiceTier)))
}

// heads is a middleware that records the headers of replies.
func (b *answeredBy) heads(next gemini.Doer) gemini.Doer {
	return gemini.DoerFunc(func(request *http.Request) (*http.Response, error) {
		response, err := next.Do(request)
		if err == nil {
			b.noteHead(response.Header)
		}
		return response, err
	})
}

// noticeTime is how long before its retirement date a model is logged.
const noticeTime = 30 * 24 * time.Hour

// noteModels records the requested model and the model that answered. It logs what an operator
// should know about them.
func (c *call) noteModels(b *answeredBy) {
	e := &c.end
	e.AskedModel, e.UpstreamModel = b.tried, b.model()
	if b.tried == "" {
		return
	}
	if c.upstream.Service == OpenAI { // whose models are not Google's
		if e.AskedModel != e.UpstreamModel {
			e.ModelWarnings = []string{e.AskedModel + " → " + e.UpstreamModel}
		}
		return
	}
	backend := models.GeminiAPI
	if c.upstream.isVertexAI() {
		backend = models.VertexAI
	}
	asked := models.At(b.tried, backend, c.start)
	e.ModelWarnings = asked.Warnings(b.version, noticeTime)
	for _, notice := range asked.Notices(noticeTime) {
		c.noticed.warn(c.logger, notice)
	}
}

// noticed holds the notices that are already in the log. Its zero value is ready to use.
type noticed struct {
	mu   sync.Mutex
	seen map[string]bool
}

// maxNoticed limits the number of recorded notices, because clients choose the model names.
const maxNoticed = 200

// warn logs a notice unless it is already in the log.
func (n *noticed) warn(logger *slog.Logger, notice models.Notice) {
	if logger == nil {
		return
	}
	if text := notice.String(); n.isNew(text) {
		logger.Warn(text, "kind", string(notice.Kind), "confidence", string(notice.Confidence))
	}
}

// warnText logs a warning about something once until a time.
func (n *noticed) warnText(logger *slog.Logger, text, about string, until time.Time) {
	if logger == nil || !n.isNew(text+about+until.String()) {
		return
	}
	if until.IsZero() {
		logger.Warn(text, "budget", about)
		return
	}
	logger.Warn(text, "budget", about, "resets", until)
}

// isNew records a text, and reports whether it is not recorded yet.
func (n *noticed) isNew(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	isNew := !n.seen[text] && len(n.seen) < maxNoticed
	if isNew {
		if n.seen == nil {
			n.seen = map[string]bool{}
		}
		n.seen[text] = true
	}
	return isNew
}

// WithRateCard reports the cost of each request to observers. The prices come from a card such as
// [ratecard.Google]. A request without a price on the card has no cost. Without this option no
// request has one.
func WithRateCard(card *ratecard.Card) Option { return func(s *settings) { s.card = card } }

// WithCostInUsage adds the cost to answers as usage.cost, in units of usage.cost_currency such as
// "USD", if the rate card of [WithRateCard] has a price. The cost is not in a header, because the
// headers of a stream are sent before the cost is known.
func WithCostInUsage() Option { return func(s *settings) { s.costInUsage = true } }

// surfaces are the services that have prices. It is read-only.
var surfaces = map[Service]ratecard.Surface{
	GeminiAPI: ratecard.GeminiAPI, VertexAI: ratecard.VertexAI, VertexAIExpress: ratecard.VertexAI,
}

// price returns the cost of an answer by the model and the tier that answered. Its error says why
// the cost is unknown. The tier comes from the answer's usage, else from the reply's header, else
// from the request.
func (s *setup) price(by *answeredBy, tier *geminiapi.ServiceTier, usage normalize.Usage,
	at time.Time) (cost *ratecard.Cost, err error) {
	err = s.priceBy(by, tier, usage, at, func(call ratecard.Call) (err error) {
		cost, err = s.card.Cost(call)
		return err
	})
	return cost, err
}

// priceBy calls find for each model whose price may apply, until it finds one.
func (s *setup) priceBy(by *answeredBy, tier *geminiapi.ServiceTier, usage normalize.Usage,
	at time.Time, find func(ratecard.Call) error) error {
	surface, isPriced := surfaces[s.upstream.Service]
	switch {
	case s.card == nil:
		return errNoCard
	case !isPriced:
		return errNoPrices
	case usage.TotalTokens == 0:
		return errNoTokens
	}
	call := ratecard.Call{Surface: surface, Location: by.location, Tier: by.tier(tier), At: at,
		Usage: usage}
	var first error
	for _, call.Model = range s.pricedModels(by) {
		err := find(call)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

// Reasons why an answer has no cost.
var (
	errNoCard   = errors.New("the gateway has no rate card")
	errNoPrices = errors.New("the upstream is not a service of Google")
	errNoTokens = errors.New("the answer reported no tokens")
)

// tier returns the tier of the reply's header, or else the requested tier.
func (b *answeredBy) tier(asked *geminiapi.ServiceTier) ratecard.Tier {
	if b.served == "" && asked != nil {
		return ratecard.Tier(strings.ToLower(string(*asked)))
	}
	return b.served
}

// noteCost records the usage of an answer and its cost, or why it has none.
func (c *call) noteCost(by *answeredBy, tier *geminiapi.ServiceTier, usage normalize.Usage) {
	e := &c.end
	e.Usage = usage
	cost, err := c.price(by, tier, usage, c.start)
	c.hasTokens, c.costs = usage.TotalTokens > 0, c.costs[:0]
	c.keepCost(cost)
	if e.Cost, e.Unpriced = cost, ""; err != nil {
		e.Unpriced = errortext.WithoutPackage(err.Error())
	}
	e.Tier = string(ratecard.ServedTier(ratecard.Call{Tier: by.tier(tier), Usage: usage}))
}

// keepCost keeps the cost of an answer for the budgets, if it is known.
func (c *call) keepCost(cost *ratecard.Cost) {
	if cost != nil {
		c.costs = append(c.costs, cost)
	}
}

// pricedModels returns the models whose price may apply to an answer, the best match first. That is
// the model that answered, unless a custom rate card has a price for the requested name. So a name
// that is not Google's, such as the name of a tuned model, comes first.
func (s *setup) pricedModels(b *answeredBy) []string {
	asked := s.facts.At(b.tried, models.BothBackends, time.Time{})
	if asked.IsKnown() {
		return []string{b.model()}
	}
	return []string{b.tried, b.model()}
}
