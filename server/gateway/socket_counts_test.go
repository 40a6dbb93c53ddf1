package gateway_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/metrics"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/google/go-cmp/cmp"
)

// counted are the metrics of one gateway, and the ends of its requests.
type counted struct {
	metrics *metrics.Metrics
	ends    ends
}

// gateway returns a gateway that is counted.
func (c *counted) gateway(t *testing.T, server *geminitest.Server) *gateway.Handler {
	t.Helper()
	c.metrics, c.ends = metrics.New(), make(ends, 1)
	// the metrics are complete when the end arrives
	return gatewayOf(t, server, gateway.WithObserver(c.metrics), gateway.WithObserver(c.ends),
		gateway.WithRateCard(ratecard.Google()), gateway.WithClientKeys(keysOf(t, "ann")))
}

// end waits for the end of a request, and returns it without its times and its sizes. The sizes
// differ, because a frame has a type and an event has a name.
func (c *counted) end() exchange.End {
	end := <-c.ends
	end.Duration, end.FirstToken, end.Waited, end.BytesIn, end.BytesOut = 0, 0, 0, 0, 0
	return end
}

// lines returns the metrics without times and sizes.
func (c *counted) lines() (out []string) {
	for line := range strings.Lines(get(c.metrics.Handler(), "/metrics").Body.String()) {
		if strings.HasPrefix(line, "gemwire_") && !strings.Contains(line, "_seconds") &&
			!strings.Contains(line, "_body_bytes") {
			out = append(out, line)
		}
	}
	return out
}

func TestATurnHasThePriceTheLogAndTheMetricsOfARequestByHTTP(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	var byHTTP, bySocket counted
	answer := post(byHTTP.gateway(t, server), responsesPath, asked("hello", `,"stream":true`),
		"Authorization", "Bearer key-of-ann")
	client := dialSocket(t, bySocket.gateway(t, server), "Authorization", "Bearer key-of-ann")
	completes(t, client.create(t, "hello", ""))
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	end := bySocket.end()
	if diff := cmp.Diff(byHTTP.end(), end,
		cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Errorf("the turn ends differently (-HTTP +WebSocket):\n%s", diff)
	}
	if end.Cost == nil || end.Cost.Amount == 0 {
		t.Errorf("the turn has no price: %+v", end)
	}
	want := byHTTP.lines()
	if diff := cmp.Diff(want, bySocket.lines()); diff != "" {
		t.Errorf("the metrics differ (-HTTP +WebSocket):\n%s", diff)
	}
	if !slices.ContainsFunc(want, func(line string) bool {
		return strings.HasPrefix(line, `gemwire_cost_total{client="ann"`)
	}) {
		t.Errorf("the metrics lack a cost: %q", want)
	}
}
