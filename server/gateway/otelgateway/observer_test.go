package otelgateway_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/otelgateway"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// telemetry has the parts of the SDK that a test uses.
type telemetry struct {
	spans    *tracetest.SpanRecorder
	metrics  *sdkmetric.ManualReader
	observer exchange.Observer
}

func newTelemetry(t *testing.T) *telemetry {
	t.Helper()
	out := &telemetry{spans: tracetest.NewSpanRecorder(), metrics: sdkmetric.NewManualReader()}
	var err error
	out.observer, err = otelgateway.New(
		otelgateway.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(out.spans))),
		otelgateway.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(out.metrics))))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// attributes lists attributes as text, in their order.
func attributes(set []attribute.KeyValue) []string {
	var out []string
	for _, kv := range set {
		out = append(out, string(kv.Key)+"="+kv.Value.String())
	}
	slices.Sort(out)
	return out
}

// points lists the histograms, each point by its attributes, with count and sum.
func (m *telemetry) points(t *testing.T) []string {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := m.metrics.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, scope := range all.ScopeMetrics {
		for _, metric := range scope.Metrics {
			switch data := metric.Data.(type) {
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					out = append(out,
						fmt.Sprintf("%s %d %v %v", metric.Name, p.Count, p.Sum,
							attributes(p.Attributes.ToSlice())))
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					out = append(out,
						fmt.Sprintf("%s %d %v %v", metric.Name, p.Count, p.Sum,
							attributes(p.Attributes.ToSlice())))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

var begun = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func start(form string) exchange.Start {
	return exchange.Start{
		ID: "req_1", At: begun, Form: form, Method: "POST", Path: "/v1/" + form,
		ClientName:  "team-a",
		Traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
		Tracestate:  "vendor=1",
	}
}

func TestARequestIsASpanInTheClientsTrace(t *testing.T) {
	t.Parallel()
	m := newTelemetry(t)
	recorder := m.observer.Begin(start("chat_completions"))
	if recorder.WantsBodies() {
		t.Error("the recorder wants bodies")
	}
	recorder.Attempt(exchange.Attempt{Number: 1, Account: "project-1", Model: "gemini-x",
		Started: begun, Duration: time.Second, Status: 429, Err: "p-quoted", Wait: 2 * time.Second})
	recorder.Attempt(exchange.Attempt{Number: 2, Account: "project-1", Model: "gemini-x",
		Started: begun, Duration: time.Second, Status: 200})
	recorder.End(exchange.End{
		Status: 200, Model: "gpt-4o", UpstreamModel: "gemini-x", Service: "gemini", Stream: true,
		Duration: 4 * time.Second, FirstToken: 2 * time.Second,
		Usage: normalize.Usage{InputTokens: 10, OutputTokens: 3, ThinkingTokens: 2,
			CachedTokens: 4},
		Cost:         &ratecard.Cost{Amount: 0.5, Currency: "USD", Source: "s"},
		FinishReason: normalize.FinishStop, Lost: 2,
	})
	span := m.spans.Ended()[0]
	if span.Name() != "chat gemini-x" || span.SpanKind() != trace.SpanKindServer ||
		span.Status().Code != codes.Unset {
		t.Error(span.Name(), span.SpanKind(), span.Status())
	}
	if span.Parent().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" ||
		span.SpanContext().TraceState().Get("vendor") != "1" {
		t.Error(span.Parent())
	}
	if !span.StartTime().Equal(begun) || !span.EndTime().Equal(begun.Add(4*time.Second)) {
		t.Error(span.StartTime(), span.EndTime())
	}
	want := strings.Fields(`gemwire.client=team-a gemwire.cost.currency=USD gemwire.cost=0.5 gemwire.losses=2 gemwire.request.id=req_1
		gen_ai.operation.name=chat gen_ai.provider.name=gcp.gemini gen_ai.request.model=gpt-4o gen_ai.request.stream=true
		gen_ai.response.finish_reasons=["stop"] gen_ai.response.model=gemini-x gen_ai.response.time_to_first_chunk=2
		gen_ai.usage.cache_read.input_tokens=4 gen_ai.usage.input_tokens=10 gen_ai.usage.output_tokens=5 gen_ai.usage.reasoning.output_tokens=2
		http.request.method=POST http.response.status_code=200 url.path=/v1/chat_completions`)
	if diff := cmp.Diff(want, attributes(span.Attributes())); diff != "" {
		t.Error(diff)
	}
	event := span.Events()[0]
	for _, last := range span.Events()[1:] {
		if all := strings.Join(attributes(last.Attributes), " "); strings.Contains(all, "retry_after") {
			t.Errorf("an attempt without a wait has one: %s", all)
		}
	}
	wantEvent := strings.Fields(`gemwire.attempt.account=project-1 gemwire.attempt.duration=1 gemwire.attempt.model=gemini-x gemwire.attempt.number=1
		gemwire.attempt.retry_after=2 http.response.status_code=429`)
	if diff := cmp.Diff(wantEvent, attributes(event.Attributes)); diff != "" {
		t.Error(event.Name, diff)
	}
	const common = "[gen_ai.operation.name=chat gen_ai.provider.name=gcp.gemini gen_ai.request.model=gemini-x gen_ai.response.model=gemini-x"
	if diff := cmp.Diff([]string{
		"gen_ai.client.token.usage 1 10 " + common + " gen_ai.token.type=input]",
		"gen_ai.client.token.usage 1 5 " + common + " gen_ai.token.type=output]",
		"gen_ai.server.request.duration 1 4 " + common + "]",
		"gen_ai.server.time_per_output_token 1 0.5 " + common + "]",
		"gen_ai.server.time_to_first_token 1 2 " + common + "]",
	}, m.points(t)); diff != "" {
		t.Error(diff)
	}
}

func TestASpanHasTheModelThatAnsweredAndTheTokensOfEachKind(t *testing.T) {
	t.Parallel()
	const model, input = "gen_ai.response.model=m", "gen_ai.usage.input_tokens="
	for name, test := range map[string]struct {
		end                 exchange.End
		hasModel, hasTokens bool
	}{
		"nothing":         {exchange.End{Status: 200}, false, false},
		"an answer":       {exchange.End{Status: 399, UpstreamModel: "m"}, true, false},
		"a refusal":       {exchange.End{Status: 400, UpstreamModel: "m"}, false, false},
		"input":           {exchange.End{Status: 200, Usage: normalize.Usage{InputTokens: 3}}, false, true},
		"as much output":  {exchange.End{Status: 200, Usage: normalize.Usage{InputTokens: 3, OutputTokens: 3}}, false, true},
		"as much thought": {exchange.End{Status: 200, Usage: normalize.Usage{InputTokens: 3, ThinkingTokens: 3}}, false, true},
		"output alone":    {exchange.End{Status: 200, Usage: normalize.Usage{OutputTokens: 3, ThinkingTokens: 3}}, false, true},
	} {
		m := newTelemetry(t)
		m.observer.Begin(start("chat_completions")).End(test.end)
		all := strings.Join(attributes(m.spans.Ended()[0].Attributes()), " ")
		if got := strings.Contains(all, "gen_ai.response.model="); got != test.hasModel ||
			got && !strings.Contains(all, model) {
			t.Errorf("%s: the span has %s", name, all)
		}
		if got := strings.Contains(all, input); got != test.hasTokens {
			t.Errorf("%s: the span has %s", name, all)
		}
	}
}

func TestHowARequestFailedIsItsErrorType(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end    exchange.End
		want   string
		status codes.Code
	}{
		"served":               {exchange.End{Status: 200}, "", codes.Unset},
		"the client left":      {exchange.End{Status: 499, Canceled: true}, "cancelled", codes.Unset},
		"refused":              {exchange.End{Status: 400, ErrorType: "invalid_request_error", ErrorMessage: "p-quoted"}, "invalid_request_error", codes.Unset},
		"no quota":             {exchange.End{Status: 429, ErrorType: "t", ErrorCode: "insufficient_quota"}, "insufficient_quota", codes.Unset},
		"refused by a number":  {exchange.End{Status: 400}, "400", codes.Unset},
		"the last of refusals": {exchange.End{Status: 499}, "499", codes.Unset},
		"failed by itself":     {exchange.End{Status: 500}, "500", codes.Error},
		"not refused":          {exchange.End{Status: 399}, "", codes.Unset},
		"failed":               {exchange.End{Status: 502}, "502", codes.Error},
		"failed in the midst":  {exchange.End{Status: 200, Stream: true, ErrorType: "server_error", ErrorMessage: "p-quoted"}, "server_error", codes.Error},
	} {
		m := newTelemetry(t)
		m.observer.Begin(start("embeddings")).End(test.end)
		span := m.spans.Ended()[0]
		all := strings.Join(attributes(span.Attributes()), " ")
		if strings.Contains(all, "time_to_first_chunk") {
			t.Errorf("%s: a first chunk that never came has a time: %s", name, all)
		}
		if got := strings.Contains(all, "error.type="+test.want); got != (test.want != "") ||
			span.Status().Code != test.status {
			t.Errorf("%s: %v, %s", name, span.Status(), all)
		}
		if said := fmt.Sprint(all, span.Status(), span.Events(),
			m.points(t)); strings.Contains(said, "p-quoted") {
			t.Errorf("%s: what was said in words is reported: %s", name, said)
		}
	}
}

func TestEveryAttributeFromOutsideIsShort(t *testing.T) {
	t.Parallel()
	m, long := newTelemetry(t), strings.Repeat("x", 1<<20)
	recorder := m.observer.Begin(exchange.Start{Form: "native", Method: long, Path: "/" + long,
		ClientName: long})
	recorder.Attempt(exchange.Attempt{Model: long, Status: 200})
	recorder.End(exchange.End{
		Status: 200, Model: long, AskedModel: long, UpstreamModel: long, ErrorCode: long,
		FinishReason: normalize.FinishReason(long),
	})
	span := m.spans.Ended()[0]
	all := append(attributes(span.Attributes()), span.Name())
	for _, event := range span.Events() {
		all = append(all, attributes(event.Attributes)...)
	}
	for _, text := range append(all, m.points(t)...) {
		if len(text) > 700 {
			t.Errorf("%d bytes: %.100s", len(text), text)
		}
	}
}

func TestAModelThatDoesNotAnswerIsInNoMetricAndNoName(t *testing.T) {
	t.Parallel()
	m := newTelemetry(t)
	for i := range 300 {
		recorder := m.observer.Begin(exchange.Start{Form: "native"})
		name := fmt.Sprint("misspelt-", i)
		recorder.Attempt(exchange.Attempt{Model: name, Status: 404, Err: "not found"})
		recorder.End(exchange.End{Status: 404, Model: name, AskedModel: name, UpstreamModel: name,
			ErrorCode: "model_not_found"})
	}
	late := m.observer.Begin(exchange.Start{Form: "native"})
	late.Attempt(exchange.Attempt{Model: "late", Status: 200})
	late.End(exchange.End{Status: 200, AskedModel: "late", UpstreamModel: "late"})
	points := m.points(t)
	if len(points) != 2 || strings.Contains(fmt.Sprint(points), "misspelt") ||
		!strings.Contains(points[0]+points[1], "gen_ai.response.model=late") {
		t.Errorf("the metrics are %q", points)
	}
	spans := m.spans.Ended()
	if got := spans[0].Name() + ", " +
		spans[300].Name(); got != "generate_content other, generate_content late" {
		t.Errorf("the spans are %s", got)
	}
}

func TestTheProviderIsTheServiceThatAnswered(t *testing.T) {
	t.Parallel()
	for service, want := range map[string]string{
		"gemini": "gcp.gemini", "embedded": "gcp.gemini", "": "gcp.gemini",
		"vertex": "gcp.vertex_ai", "vertex-express": "gcp.vertex_ai",
	} {
		m := newTelemetry(t)
		m.observer.Begin(exchange.Start{Form: "models", At: begun}).End(exchange.End{Status: 200,
			Service: service})
		if all := attributes(m.spans.Ended()[0].Attributes()); !slices.Contains(all,
			"gen_ai.provider.name="+want) {
			t.Errorf("%s: %v", service, all)
		}
	}
}
