package inspector

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/ratecard"
)

// newRestorer returns a restorer without media.
func newRestorer(secrets ...string) *restorer {
	t := &restorer{retain: &retention{maxBody: 1 << 20, maxString: 1 << 10},
		backlog: newBacklog(0), media: func(digest, string) *medium { return nil }}
	t.retain.add(secrets...)
	return t
}

// The limit on bytes must hold after an import too.
func TestARestoredExchangeCountsAsMuchAsTheRecordedOne(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a b ", 100)
	kept, _ := recorded(t, func(r exchange.Recorder) {
		r.Request(exchange.Client, exchange.Request{URL: "/" + text, Body: []byte(text)})
		r.Request(exchange.Upstream, exchange.Request{URL: "/u", Body: []byte(text)})
		r.Response(exchange.Upstream,
			exchange.Response{Status: 200, Header: http.Header{"X-Note": {text}}})
		r.Chunk(exchange.Client, []byte(text))
		r.Signature(exchange.Signature{Side: exchange.Client, Pointer: text,
			Carrier: exchange.CarrierSentinel})
		r.Attempt(exchange.Attempt{Account: text, Model: text, Err: text})
		r.Report(exchange.Client, report.Report{{Pointer: text, Kind: report.Lost, Detail: text}})
		r.End(exchange.End{Status: 200, Model: text, ModelWarnings: []string{text, text},
			Cost: &ratecard.Cost{Amount: 1, Currency: "USD", Source: text},
			Rest: &exchange.Rest{Account: text, Reason: text, By: text}})
	})
	kept.start.Path, kept.size = "/", kept.size+1 // which a file without a path gets
	stored := kept.stored()
	if restored := newRestorer().record(&stored); restored.size != kept.size {
		t.Errorf("%d bytes restored, %d recorded", restored.size, kept.size)
	}
}

func TestEachTextOfAnImportIsCutAndCounted(t *testing.T) {
	t.Parallel()
	const secret = "our-own-secret"
	long := secret + strings.Repeat(" long", 100_000)
	stored := storedExchange{
		Start: storedStart{ID: long, Form: long, Method: "POST", Path: "/" + long,
			ClientName: long, UserAgent: long, RemoteAddr: long, Job: long, At: time.Unix(1000, 0)},
		Signatures: []signature{
			{Side: exchange.Client, Pointer: long, Carrier: exchange.Carrier(long)}},
		End: &storedEnd{Status: 200, Model: long, AskedModel: long, UpstreamModel: long,
			ModelWarnings: []string{long, long}, Service: long, UpstreamHost: long,
			FinishReason: long, Cost: &cost{1, long, long},
			Error: clientError{long, long, long}, Rest: &rest{Account: long, Reason: long, By: long},
		},
	}
	r := newRestorer(secret).record(&stored)
	out := r.stored()
	for name, text := range map[string]string{
		"cost.currency": out.End.Cost.Currency, "cost.source": out.End.Cost.Source,
		"finishReason": out.End.FinishReason, "a model's warning": out.End.ModelWarnings[0],
		"rest.by": out.End.Rest.By, "job": out.Start.Job,
	} {
		if strings.Contains(text, secret) || len(text) > maxValue+len("…") || text == "" {
			t.Errorf("%s: %d bytes, %.40q", name, len(text), text)
		}
	}
	if want := 20 * maxValue; r.size < want {
		t.Errorf("%d bytes are counted, want at least %d", r.size, want)
	}
}
