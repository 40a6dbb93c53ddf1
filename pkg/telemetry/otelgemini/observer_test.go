package otelgemini_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/telemetry/otelgemini"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

const usage = `"usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":3,"thoughtsTokenCount":2,"totalTokenCount":15}`

const answer = `{"candidates":[{"content":{"parts":[{"text":"p-answer"}]},"finishReason":"MAX_TOKENS"}],"modelVersion":"m-001","responseId":"r1",` +
	usage + `}`

// telemetry holds the SDK of a test.
type telemetry struct {
	spans   *tracetest.SpanRecorder
	metrics *sdkmetric.ManualReader
	client  *gemini.Client
}

func newTelemetry(t *testing.T, opts ...gemini.ClientOption) *telemetry {
	t.Helper()
	out := &telemetry{spans: tracetest.NewSpanRecorder(), metrics: sdkmetric.NewManualReader()}
	observer, err := otelgemini.New(
		otelgemini.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(out.spans))),
		otelgemini.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(out.metrics))))
	if err != nil {
		t.Fatal(err)
	}
	wait := func(context.Context, time.Duration) error {
		time.Sleep(time.Second)
		return nil
	}
	opts = append([]gemini.ClientOption{gemini.WithAPIKey("k-secret"),
		gemini.WithObserver(observer), gemini.WithClock(nil, wait)}, opts...)
	if out.client, err = gemini.NewClient(opts...); err != nil {
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

// server answers with the bodies in turn, each one second after the request.
func server(t *testing.T, replies ...*http.Response) gemini.ClientOption {
	next := 0
	return gemini.WithHTTPClient(gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		if !trace.SpanFromContext(r.Context()).IsRecording() {
			t.Error("the request is not within the span")
		}
		time.Sleep(time.Second)
		next++
		return replies[next-1], nil
	}))
}

func reply(status int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, ContentLength: -1, Body: io.NopCloser(body)}
}

func request() *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{
		Model: new("gemini-x"), Contents: []geminiapi.Content{gemini.UserText("p-prompt")},
		GenerationConfig: &geminiapi.GenerationConfig{Temperature: new(0.5),
			MaxOutputTokens: new(100), TopK: new(40)},
	}
}

const common = "gen_ai.operation.name=generate_content gen_ai.provider.name=gcp.gemini gen_ai.request.model=gemini-x "
const where = "server.address=generativelanguage.googleapis.com server.port=443"

func TestACallIsASpanAndItsMeasures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newTelemetry(t, server(t,
			reply(429, strings.NewReader(`{"error":{"code":429,"message":"p-quoted","status":"RESOURCE_EXHAUSTED"}}`)),
			reply(200, strings.NewReader(answer))))
		if _, err := m.client.GenerateContent(t.Context(), request()); err != nil {
			t.Fatal(err)
		}
		span := m.spans.Ended()[0]
		if span.Name() != "generate_content gemini-x" || span.SpanKind() != trace.SpanKindClient ||
			span.Status().Code != 0 {
			t.Error(span.Name(), span.SpanKind(), span.Status())
		}
		want := strings.Fields("gemwire.attempts=2 gen_ai.operation.name=generate_content gen_ai.provider.name=gcp.gemini gen_ai.request.max_tokens=100 " +
			`gen_ai.request.model=gemini-x gen_ai.request.temperature=0.5 gen_ai.request.top_k=40 gen_ai.response.finish_reasons=["max_tokens"] ` +
			"gen_ai.response.id=r1 gen_ai.response.model=m-001 gen_ai.usage.cache_read.input_tokens=4 gen_ai.usage.input_tokens=10 " +
			"gen_ai.usage.output_tokens=5 gen_ai.usage.reasoning.output_tokens=2 " + where)
		if diff := cmp.Diff(want, attributes(span.Attributes())); diff != "" {
			t.Error(diff)
		}
		event := span.Events()[0]
		if diff := cmp.Diff(strings.Fields("error.type=RESOURCE_EXHAUSTED gemwire.attempt.duration=1 gemwire.attempt.number=1 http.response.status_code=429"),
			attributes(event.Attributes)); diff != "" {
			t.Error(event.Name, diff)
		}
		const measured = common + "gen_ai.response.model=m-001 "
		if diff := cmp.Diff([]string{
			"gen_ai.client.operation.duration 1 3 [" + measured + where + "]",
			"gen_ai.client.token.usage 1 10 [" + measured + "gen_ai.token.type=input " + where +
				"]",
			"gen_ai.client.token.usage 1 5 [" + measured + "gen_ai.token.type=output " + where +
				"]",
		}, m.points(t)); diff != "" {
			t.Error(diff)
		}
		assertMetadataOnly(t, m)
	})
}

func TestTheChunksOfAStreamAreTimed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		go func() {
			for range 3 {
				time.Sleep(2 * time.Second)
				_, _ = io.WriteString(w,
					"data: "+`{"candidates":[{"content":{"parts":[{"text":"p-answer"}]}}]}`+"\n\n")
			}
			_ = w.Close() // without a finish reason
		}()
		m := newTelemetry(t, server(t, reply(200, r)))
		for range m.client.StreamGenerateContent(t.Context(), request()) {
			continue
		}
		for _, want := range []string{
			"gen_ai.client.operation.time_to_first_chunk 1 2 [" + common + where + "]",
			"gen_ai.client.operation.time_per_output_chunk 2 4 [" + common + where + "]",
			"gen_ai.client.operation.duration 1 6 [error.type=network " + common + where + "]",
		} {
			if got := m.points(t); !slices.Contains(got, want) {
				t.Errorf("%s is missing in\n%s", want, strings.Join(got, "\n"))
			}
		}
		got := attributes(m.spans.Ended()[0].Attributes())
		for _, want := range []string{"gen_ai.request.stream=true",
			"gen_ai.response.time_to_first_chunk=2", "error.type=network"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s is missing in %s", want, got)
			}
		}
		assertMetadataOnly(t, m)
	})
}

func TestHowACallFailedIsOneWordOfFew(t *testing.T) {
	t.Parallel()
	for want, fails := range map[string]func(*http.Request) (*http.Response, error){
		"INVALID_ARGUMENT": func(*http.Request) (*http.Response, error) {
			return reply(400,
					strings.NewReader(`{"error":{"code":400,"message":"p-quoted","status":"INVALID_ARGUMENT"}}`)),
				nil
		},
		"418": func(*http.Request) (*http.Response,
			error) {
			return reply(418, strings.NewReader("p-quoted")), nil
		},
		"timeout": func(*http.Request) (*http.Response,
			error) {
			return nil, context.DeadlineExceeded
		},
		"cancelled": func(*http.Request) (*http.Response, error) { return nil, context.Canceled },
		"unknown":   func(*http.Request) (*http.Response, error) { return nil, io.ErrNoProgress },
	} {
		m := newTelemetry(t, gemini.WithHTTPClient(gemini.DoerFunc(fails)),
			gemini.WithMaxAttempts(1))
		_, _ = m.client.GenerateContent(t.Context(), request())
		if got := attributes(m.spans.Ended()[0].Attributes()); !slices.Contains(got,
			"error.type="+want) {
			t.Errorf("%s is missing in %s", want, got)
		}
		assertMetadataOnly(t, m)
	}
}

// assertMetadataOnly checks that the telemetry contains none of the private values.
func assertMetadataOnly(t *testing.T, m *telemetry) {
	t.Helper()
	all, err := json.Marshal(tracetest.SpanStubsFromReadOnlySpans(m.spans.Ended()))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"k-secret", "p-prompt", "p-answer", "p-quoted"} {
		if strings.Contains(string(all)+strings.Join(m.points(t), ""), secret) {
			t.Errorf("%s is reported", secret)
		}
	}
}

func TestNilIsTheGlobalProvider(t *testing.T) {
	t.Parallel()
	if observer, err := otelgemini.New(nil, otelgemini.WithTracerProvider(nil),
		otelgemini.WithMeterProvider(nil)); err != nil || observer == nil {
		t.Error(observer, err)
	}
}
