package gateway

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/ratecard"
)

// answeredBy says which model answered, and where. Google answers some names with another model:
// the answer's modelVersion decides the price, what observers report and the header
// x-gemwire-model.
type answeredBy struct {
	tried    string        // the model of the last attempt
	version  string        // the modelVersion of its answer, "" before the answer comes
	location string        // of Vertex AI
	served   ratecard.Tier // by the header of the reply, "" where it has none
}

// begin notes the attempt that begins.
func (b *answeredBy) begin(t *upstream.Try) {
	*b = answeredBy{tried: t.Model, location: t.Account.Location}
}

// note notes what an answer, or a chunk of one, says of itself.
func (b *answeredBy) note(r *geminiapi.GenerateContentResponse) {
	version := strings.TrimPrefix(jsonx.Deref(r.ModelVersion), "models/")
	if version != "" && isModelName(version) {
		b.version = version
	}
}

// model returns the model that answered, before an answer the one that was asked.
func (b *answeredBy) model() string {
	if b.version != "" {
		return b.version
	}
	return b.tried
}

// headerServiceTier is the header in which the Gemini API reports the tier that answered.
const headerServiceTier = "X-Gemini-Service-Tier"

// noteHead notes the tier that the head of a reply reports.
func (b *answeredBy) noteHead(header http.Header) {
	b.served = ratecard.Tier(strings.ToLower(header.Get(headerServiceTier)))
}

// heads is a middleware that notes the heads of replies.
func (b *answeredBy) heads(next gemini.Doer) gemini.Doer {
	return gemini.DoerFunc(func(request *http.Request) (*http.Response, error) {
		response, err := next.Do(request)
		if err == nil {
			b.noteHead(response.Header)
		}
		return response, err
	})
}

// noticeTime is how long before its end a model is reported.
const noticeTime = 30 * 24 * time.Hour

// noteModels notes which model was asked, which one answered, and what an operator should know of
// them.
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

// noticed are the notices that the log has. Its zero value is ready.
type noticed struct {
	mu   sync.Mutex
	seen map[string]bool
}

// maxNoticed bounds the notices that are kept: clients choose the names of models.
const maxNoticed = 200

// warn logs a notice, unless the log has it.
func (n *noticed) warn(logger *slog.Logger, notice models.Notice) {
	if logger == nil {
		return
	}
	text := notice.String()
	n.mu.Lock()
	isNew := !n.seen[text] && len(n.seen) < maxNoticed
	if isNew {
		if n.seen == nil {
			n.seen = map[string]bool{}
		}
		n.seen[text] = true
	}
	n.mu.Unlock()
	if isNew {
		logger.Warn(text, "kind", string(notice.Kind), "confidence", string(notice.Confidence))
	}
}

// WithRateCard has the cost of each request told to observers, by prices such as those of
// [ratecard.Google]. What has no price there has no cost. Without this option nothing has.
func WithRateCard(card *ratecard.Card) Option { return func(s *settings) { s.card = card } }

// WithCostInUsage has answers tell their cost in usage.cost, in units of usage.cost_currency such
// as "USD", where the rate card of [WithRateCard] has a price: a stream's headers are sent before
// anybody knows.
func WithCostInUsage() Option { return func(s *settings) { s.costInUsage = true } }

// surfaces are the services that have prices. It is never written to.
var surfaces = map[Service]ratecard.Surface{
	GeminiAPI: ratecard.GeminiAPI, VertexAI: ratecard.VertexAI, VertexAIExpress: ratecard.VertexAI,
}

// price returns what an answer cost by the model and the tier that answered, nil where that is not
// known. The tier is the one of the answer's usage, else of the reply's header, else the one that
// the request asks for.
func (s *settings) price(by *answeredBy, tier *geminiapi.ServiceTier, usage normalize.Usage,
	at time.Time) *ratecard.Cost {
	surface, isPriced := surfaces[s.upstream.Service]
	if s.card == nil || !isPriced || usage.TotalTokens == 0 {
		return nil
	}
	call := ratecard.Call{Surface: surface, Location: by.location, Tier: by.served, At: at,
		Usage: usage}
	if call.Tier == "" && tier != nil {
		call.Tier = ratecard.Tier(strings.ToLower(string(*tier)))
	}
	for _, call.Model = range by.pricedModels() {
		if cost, err := s.card.Cost(call); err == nil {
			return cost
		}
	}
	return nil
}

// pricedModels returns the models whose price an answer may have, the best one first. The model
// that answered has the price, unless a rate card of one's own has one for the name that was asked:
// a name that is not Google's, such as that of a tuned model, comes first.
func (b *answeredBy) pricedModels() []string {
	asked := models.At(b.tried, models.BothBackends, time.Time{})
	if asked.IsKnown() {
		return []string{b.model()}
	}
	return []string{b.tried, b.model()}
}
