package metrics_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/metrics"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func TestJobsRangesAndResultsAreCounted(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	job := &bulk.Job{ID: "batch_1", Executor: bulk.ExecutorLive, State: bulk.InProgress}
	m.JobChanged(job, bulk.Validating)
	_, ended := m.BeginRange(t.Context(), bulk.RangeRun{Job: job, Lines: 3})
	_, _ = m.BeginRange(t.Context(), bulk.RangeRun{Job: job, Range: 1, Lines: 3})
	m.ResultsKept(job, []line.Result{
		{
			Response: &line.Response{Status: 200}, Attempts: 1,
			Usage: line.Usage{InputTokens: 10, CachedTokens: 4, OutputTokens: 5, ThinkingTokens: 2,
				Cost: 0.5, Currency: "USD"},
		},
		{Response: &line.Response{Status: 200}, Attempts: 3, Usage: line.Usage{InputTokens: 10, OutputTokens: 5, Unpriced: 1}},
		{Response: &line.Response{Status: 404}, Attempts: 1},
	})
	ended(bulk.RangeEnd{Outcome: bulk.RangePostponed, Duration: 2 * time.Second})
	want := []string{
		`gemwire_bulk_cost_total{currency="USD",executor="live"} 0.5`,
		`gemwire_bulk_jobs_total{state="in_progress"} 1`,
		`gemwire_bulk_line_attempts_total{executor="live"} 5`,
		`gemwire_bulk_lines_total{executor="live",status="200"} 2`,
		`gemwire_bulk_lines_total{executor="live",status="404"} 1`,
		`gemwire_bulk_range_runs_total{executor="live",outcome="postponed"} 1`,
		`gemwire_bulk_ranges_running{executor="live"} 1`,
		`gemwire_bulk_tokens_total{executor="live",kind="cached"} 4`,
		`gemwire_bulk_tokens_total{executor="live",kind="input"} 20`,
		`gemwire_bulk_tokens_total{executor="live",kind="output"} 10`,
		`gemwire_bulk_tokens_total{executor="live",kind="thinking"} 2`,
		`gemwire_bulk_unpriced_lines_total{executor="live"} 1`,
	}
	got := scraped(t, m)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestUnusedMetricsHaveNoSeries(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	m.ResultsKept(&bulk.Job{Executor: bulk.ExecutorLive}, []line.Result{
		line.Expired(&line.Line{}), {Attempts: 2},
		{Response: &line.Response{Status: 400}, Usage: line.Usage{InputTokens: 1}},
	})
	want := []string{
		`gemwire_bulk_line_attempts_total{executor="live"} 2`,
		`gemwire_bulk_lines_total{executor="live",status="400"} 1`,
		`gemwire_bulk_lines_total{executor="live",status="batch_expired"} 1`,
		`gemwire_bulk_lines_total{executor="live",status="none"} 1`,
		`gemwire_bulk_tokens_total{executor="live",kind="input"} 1`,
	}
	if diff := cmp.Diff(want, scraped(t, m)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

var (
	// description matches the description of a metric as Prometheus's library prints it. row
	// matches a metric in docs/bulk-workers.md.
	description = regexp.MustCompile(`^Desc\{fqName: "(.*?)", help: "(.*?)", .*variableLabels: \{(.*)\}\}$`)
	row         = regexp.MustCompile("(?m)^\\| `gemwire_.*\n")
)

func TestThePageListsAllMetrics(t *testing.T) {
	t.Parallel()
	descriptions := make(chan *prometheus.Desc, 100)
	metrics.New().Describe(descriptions)
	close(descriptions)
	want := map[string]bool{}
	for desc := range descriptions {
		of := description.FindStringSubmatch(desc.String())
		if of == nil {
			t.Fatal(desc)
		}
		want[fmt.Sprintf("| `%s` | `%s` | %s |\n", of[1], strings.ReplaceAll(of[3], ",", "`, `"),
			of[2])] = true
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "bulk-workers.md"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, listed := range row.FindAllString(string(page), -1) {
		got[listed] = true
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("docs/bulk-workers.md (-want +got)\n%s", diff)
	}
}

// scraped returns the lines of a scrape, without histograms.
func scraped(t *testing.T, m *metrics.Metrics) (out []string) {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(answer,
		httptest.NewRequest("GET", "/metrics", nil))
	for text := range strings.Lines(answer.Body.String()) {
		if !strings.HasPrefix(text, "#") && !strings.Contains(text, "_seconds") {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}
