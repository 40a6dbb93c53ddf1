package metrics_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/metrics"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
)

// scrape returns the lines of gemwire's own metrics, without buckets.
func scrape(t *testing.T, m *metrics.Metrics) []string {
	t.Helper()
	reply := httptest.NewRecorder()
	m.Handler().ServeHTTP(reply, httptest.NewRequest("GET", "/metrics", nil))
	body, err := io.ReadAll(reply.Body)
	if err != nil || reply.Code != 200 {
		t.Fatal(err, reply.Code)
	}
	var out []string
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, "gemwire_") && !strings.Contains(line, "_bucket{") {
			out = append(out, strings.TrimSuffix(line, "\n"))
		}
	}
	if !strings.Contains(string(body), "\ngo_goroutines ") ||
		!strings.Contains(string(body), "\nprocess_resident_memory_bytes ") {
		t.Error("the process is not measured")
	}
	return out
}

func TestARequestIsCounted(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	recorder := m.Begin(exchange.Start{ID: "p-id", Form: "chat_completions", Path: "/p-path",
		ClientName: "team-a", UserAgent: "p-agent"})
	if got := scrape(t, m); !slices.Equal(got,
		[]string{`gemwire_requests_in_flight{form="chat_completions"} 1`}) {
		t.Error(got)
	}
	recorder.Attempt(exchange.Attempt{Account: "project-1", Model: "gemini-x",
		Duration: time.Second, Status: 429, Err: "p-error"})
	recorder.Attempt(exchange.Attempt{Account: "project-2", Model: "gemini-x",
		Duration: time.Second, Status: 200})
	recorder.End(exchange.End{
		Status: 200, Model: "p-asked", UpstreamModel: "gemini-x", Stream: true,
		Duration: 4 * time.Second, FirstToken: 2 * time.Second,
		Usage: normalize.Usage{InputTokens: 10, OutputTokens: 3, ThinkingTokens: 2,
			CachedTokens: 4},
		Cost: &ratecard.Cost{Amount: 0.5, Currency: "USD", Source: "p-source"}, Lost: 2, Added: 1,
		ErrorType: "server_error", ErrorMessage: "p-message", BytesIn: 100, BytesOut: 200,
	})
	want := []string{
		`gemwire_body_bytes_total{direction="in",form="chat_completions"} 100`,
		`gemwire_body_bytes_total{direction="out",form="chat_completions"} 200`,
		`gemwire_conversion_losses_total{form="chat_completions",kind="added"} 1`,
		`gemwire_conversion_losses_total{form="chat_completions",kind="lost"} 2`,
		`gemwire_cost_total{client="team-a",currency="USD",model="gemini-x"} 0.5`,
		`gemwire_errors_total{code="server_error",form="chat_completions"} 1`,
		`gemwire_request_duration_seconds_sum{form="chat_completions",model="gemini-x",stream="true"} 4`,
		`gemwire_request_duration_seconds_count{form="chat_completions",model="gemini-x",stream="true"} 1`,
		`gemwire_requests_in_flight{form="chat_completions"} 0`,
		`gemwire_requests_total{client="team-a",form="chat_completions",model="gemini-x",status="200"} 1`,
		`gemwire_time_to_first_token_seconds_sum{form="chat_completions",model="gemini-x"} 2`,
		`gemwire_time_to_first_token_seconds_count{form="chat_completions",model="gemini-x"} 1`,
		`gemwire_tokens_total{client="team-a",estimated="false",kind="cached",model="gemini-x"} 4`,
		`gemwire_tokens_total{client="team-a",estimated="false",kind="input",model="gemini-x"} 10`,
		`gemwire_tokens_total{client="team-a",estimated="false",kind="output",model="gemini-x"} 3`,
		`gemwire_tokens_total{client="team-a",estimated="false",kind="thinking",model="gemini-x"} 2`,
		`gemwire_upstream_attempt_duration_seconds_sum{account="project-1",model="gemini-x"} 1`,
		`gemwire_upstream_attempt_duration_seconds_count{account="project-1",model="gemini-x"} 1`,
		`gemwire_upstream_attempt_duration_seconds_sum{account="project-2",model="gemini-x"} 1`,
		`gemwire_upstream_attempt_duration_seconds_count{account="project-2",model="gemini-x"} 1`,
		`gemwire_upstream_attempts_total{account="project-1",model="gemini-x",status="429"} 1`,
		`gemwire_upstream_attempts_total{account="project-2",model="gemini-x",status="200"} 1`,
	}
	got := scrape(t, m)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if text := strings.Join(got, "\n"); strings.Contains(text, "p-") {
		t.Errorf("what a client or a server wrote is a label:\n%s", text)
	}
}

func TestAClientThatLeftAndTokensWithoutAPriceAreCounted(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	left := m.Begin(exchange.Start{Form: "native"})
	left.Attempt(exchange.Attempt{Account: "a", Model: "m", Status: 200})
	left.End(exchange.End{
		Status: 499, Canceled: true, UpstreamModel: "m", Usage: normalize.Usage{InputTokens: 1},
		UsageEstimated: true, ErrorType: "t", ErrorCode: "c",
	})
	m.Begin(exchange.Start{Form: "native"}).End(exchange.End{Status: 200, Service: "embedded",
		UpstreamModel: "m", Usage: normalize.Usage{InputTokens: 1}})
	m.Begin(exchange.Start{Form: "native"}).End(exchange.End{Status: 200, UpstreamModel: "m",
		Usage: normalize.Usage{OutputTokens: 1, ThinkingTokens: 5}})
	got := strings.Join(scrape(t, m), "\n")
	for _, want := range []string{
		`gemwire_requests_canceled_total{form="native",model="m"} 1`,
		`gemwire_unpriced_requests_total{model="m"} 2`,
		`gemwire_tokens_total{client="",estimated="true",kind="input",model="m"} 1`,
		`gemwire_errors_total{code="c",form="native"} 1`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

// TestTheMemoryOfMetricsIsBounded covers issues about growing memory (BerriAI/litellm#12685 and
// others). Clients choose the model names.
func TestTheMemoryOfMetricsIsBounded(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 1000 {
				name := fmt.Sprintf("%d-%d", worker, i)
				recorder := m.Begin(exchange.Start{Form: "native", ClientName: name})
				recorder.Attempt(exchange.Attempt{Account: "a", Model: name, Status: 200})
				recorder.End(exchange.End{Status: 200, UpstreamModel: name, ErrorCode: name})
			}
		})
	}
	wait.Wait()
	got := scrape(t, m)
	count := func(prefix string) (n int) {
		for _, line := range got {
			if strings.HasPrefix(line, prefix) {
				n++
			}
		}
		return n
	}
	for _, prefix := range []string{"gemwire_errors_total", "gemwire_upstream_attempts_total",
		"gemwire_request_duration_seconds_count"} {
		if n := count(prefix); n != 201 { // 200 and other
			t.Errorf("%s has %d series", prefix, n)
		}
	}
	if !slices.Contains(got, `gemwire_errors_total{code="other",form="native"} 3800`) {
		t.Error("what is too many is not counted as other")
	}
}

func TestAModelThatDoesNotAnswerIsNoLabel(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	for i := range 300 {
		recorder := m.Begin(exchange.Start{Form: "native"})
		name := fmt.Sprint("misspelt-", i)
		recorder.Attempt(exchange.Attempt{Account: "a", Model: name, Status: 404, Err: "not found"})
		recorder.Attempt(exchange.Attempt{Account: "a", Model: name, Status: 200,
			Err: "not an answer"})
		recorder.End(exchange.End{Status: 404, UpstreamModel: name, ErrorCode: "model_not_found"})
	}
	m.Begin(exchange.Start{Form: "input_tokens"}).End(exchange.End{Status: 200,
		UpstreamModel: "misspelt-1", UsageEstimated: true})
	late := m.Begin(exchange.Start{Form: "native"})
	late.Attempt(exchange.Attempt{Account: "a", Model: "late", Status: 503, Err: "unavailable"})
	late.Attempt(exchange.Attempt{Account: "a", Model: "late", Status: 200})
	late.End(exchange.End{Status: 200, UpstreamModel: "late-001"})
	got := strings.Join(scrape(t, m), "\n")
	for _, want := range []string{
		`gemwire_upstream_attempts_total{account="a",model="other",status="404"} 300`,
		`gemwire_upstream_attempts_total{account="a",model="late",status="503"} 1`,
		`gemwire_upstream_attempts_total{account="a",model="late",status="200"} 1`,
		`gemwire_requests_total{client="",form="native",model="other",status="404"} 300`,
		`gemwire_requests_total{client="",form="native",model="late-001",status="200"} 1`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "misspelt") {
		t.Errorf("a name that was refused is a label:\n%s", got)
	}
}

func TestEveryLabelIsShort(t *testing.T) {
	t.Parallel()
	m, long := metrics.New(), strings.Repeat("x", 20<<20)
	recorder := m.Begin(exchange.Start{Form: "native", ClientName: long})
	recorder.Attempt(exchange.Attempt{Account: "a", Model: long, Status: 200})
	recorder.End(exchange.End{Status: 200, UpstreamModel: long + "\xff", ErrorCode: long + "\xff"})
	if got := strings.Join(scrape(t, m), "\n"); len(got) > 20<<10 {
		t.Errorf("the metrics have %d bytes", len(got))
	}
}

func TestMetricsAreACollectorForARegistryOfOnesOwn(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewPedanticRegistry()
	m := metrics.New()
	if err := registry.Register(m); err != nil {
		t.Fatal(err)
	}
	m.Begin(exchange.Start{Form: "models"}).End(exchange.End{Status: 200})
	families, err := registry.Gather()
	if err != nil || len(families) == 0 {
		t.Error(families, err)
	}
}

func BenchmarkRequest(b *testing.B) {
	m := metrics.New()
	end := exchange.End{Status: 200, UpstreamModel: "m",
		Usage: normalize.Usage{InputTokens: 1, OutputTokens: 1}, Cost: &ratecard.Cost{Amount: 1,
			Currency: "USD"}}
	b.ReportAllocs()
	for b.Loop() {
		recorder := m.Begin(exchange.Start{Form: "chat_completions"})
		recorder.Attempt(exchange.Attempt{Account: "a", Model: "m", Status: 200})
		recorder.End(end)
	}
}

// TestAKeyThatIsTakenForAModelIsNoLabel covers issues about keys in logs (BerriAI/litellm#24902 and
// others).
func TestAKeyThatIsTakenForAModelIsNoLabel(t *testing.T) {
	t.Parallel()
	m, key := metrics.New(), "AIza"+strings.Repeat("k", 35)
	recorder := m.Begin(exchange.Start{Form: "native"})
	recorder.Attempt(exchange.Attempt{Account: "a", Model: key})
	recorder.End(exchange.End{Status: 404, UpstreamModel: key})
	if got := strings.Join(scrape(t, m), "\n"); strings.Contains(got, key) ||
		!strings.Contains(got, `model="other"`) {
		t.Error(got)
	}
}
