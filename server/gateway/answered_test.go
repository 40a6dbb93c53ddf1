package gateway_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/google/go-cmp/cmp"
)

// routingServer answers like Gemini if another model answers for the requested one.
type routingServer struct {
	version string
	usage   string        // further members of usageMetadata
	header  http.Header   // of replies
	pause   time.Duration // before the first chunk
}

func (s routingServer) Do(r *http.Request) (*http.Response, error) {
	answer := `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello."}]},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":1000000,"candidatesTokenCount":1000000,"totalTokenCount":2000000` +
		s.usage + `},` +
		`"modelVersion":"` + s.version + `","responseId":"r"}`
	header := http.Header{"Content-Type": {"application/json"}}
	for name := range s.header {
		header.Set(name, s.header.Get(name))
	}
	reply := &http.Response{StatusCode: 200, Header: header, Request: r,
		Body: io.NopCloser(strings.NewReader(answer))}
	if strings.Contains(r.URL.Path, ":streamGenerateContent") {
		header.Set("Content-Type", "text/event-stream")
		reply.Body = io.NopCloser(&lateReader{strings.NewReader("data: " + answer + "\r\n\r\n"),
			s.pause})
	}
	return reply, nil
}

// lateReader returns nothing for some time.
type lateReader struct {
	io.Reader
	pause time.Duration
}

func (r *lateReader) Read(p []byte) (int, error) {
	time.Sleep(r.pause) // of a bubble
	r.pause = 0
	return r.Reader.Read(p)
}

// clockOf returns a clock that is stopped at noon of a day.
func clockOf(t testing.TB, day string) gateway.Option {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return gateway.WithClock(func() time.Time { return at.Add(12 * time.Hour) })
}

func gatewayOfDoer(t testing.TB, service gateway.Service, doer gemini.Doer,
	opts ...gateway.Option) *gateway.Handler {
	t.Helper()
	account := gateway.KeyAccount("p", "key-of-one")
	if service == gateway.VertexAI {
		account = gateway.VertexAccount("p", "europe-west4", fixedToken("t"))
	}
	return newGateway(t, append([]gateway.Option{
		gateway.WithUpstream(gateway.Upstream{Service: service,
			Accounts: []gateway.Account{account}, HTTPClient: doer}),
		gateway.WithRateCard(ratecard.Google()),
	}, opts...)...)
}

// generatingRequests are requests for a model in each form, whole and streamed.
func generatingRequests(model string) map[string][2]string {
	user := `{"role":"user","content":"Hi."}`
	return map[string][2]string{
		"chat":               {chatPath, `{"model":"` + model + `","messages":[` + user + `]}`},
		"chat, streamed":     {chatPath, `{"model":"` + model + `","stream":true,"messages":[` + user + `]}`},
		"response":           {responsesPath, `{"model":"` + model + `","store":false,"input":[` + user + `]}`},
		"response, streamed": {responsesPath, `{"model":"` + model + `","store":false,"stream":true,"input":[` + user + `]}`},
		"message":            {"/v1/messages", `{"model":"` + model + `","max_tokens":9,"messages":[` + user + `]}`},
		"message, streamed":  {"/v1/messages", `{"model":"` + model + `","max_tokens":9,"stream":true,"messages":[` + user + `]}`},
		"native":             {"/v1beta/models/" + model + ":generateContent", `{"contents":[{"parts":[{"text":"Hi."}]}]}`},
		"native, streamed":   {"/v1beta/models/" + model + ":streamGenerateContent?alt=sse", `{"contents":[{"parts":[{"text":"Hi."}]}]}`},
	}
}

func TestTheModelThatAnswersDecidesHeaderPriceAndNotes(t *testing.T) {
	t.Parallel()
	for name, request := range generatingRequests("gemini-3.5-flash") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &diary{}
			handler := gatewayOfDoer(t, gateway.GeminiAPI,
				routingServer{version: "gemini-3.6-flash"}, gateway.WithObserver(d),
				clockOf(t, "2026-11-23"))
			answer := post(handler, request[0], request[1])
			if got := answer.Header().Get("X-Gemwire-Model"); answer.Code != 200 ||
				got != "gemini-3.6-flash" {
				t.Errorf("got %d of %q", answer.Code, got)
			}
			end := d.last().end
			if end.Model != "gemini-3.5-flash" || end.AskedModel != "gemini-3.5-flash" ||
				end.UpstreamModel != "gemini-3.6-flash" {
				t.Errorf("ended with %q, %q, %q", end.Model, end.AskedModel, end.UpstreamModel)
			}
			if end.Cost == nil || end.Cost.Amount != 0.75+3.75 ||
				end.Cost.Source != "gemini-3.6-flash, Gemini API, 2026-10-01" {
				t.Errorf("cost %+v", end.Cost)
			}
			want := []string{"gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08"}
			if diff := cmp.Diff(want, end.ModelWarnings); diff != "" {
				t.Errorf("notes (- want, + got):\n%s", diff)
			}
		})
	}
}

func TestNotesSayWhatAnOperatorShouldKnowOfAModel(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, asked, version, day string
		service                   gateway.Service
		want                      []string
		upstream                  string
	}{
		{"itself", "gemini-3.6-flash", "gemini-3.6-flash", "2026-11-23", gateway.GeminiAPI, nil, "gemini-3.6-flash"},
		{"an alias", "gemini-flash-latest", "gemini-3.8-flash", "2026-11-23", gateway.GeminiAPI, []string{"gemini-flash-latest → gemini-3.8-flash"}, "gemini-3.8-flash"},
		{"no version", "gemini-3.6-flash", "", "2026-11-23", gateway.GeminiAPI, nil, "gemini-3.6-flash"},
		{"a resource", "gemini-3.6-flash", "models/gemini-3.6-flash", "2026-11-23", gateway.GeminiAPI, nil, "gemini-3.6-flash"},
		{
			"as long a version as may be", "gemini-3.6-flash", strings.Repeat("x", 256),
			"2026-11-23", gateway.GeminiAPI,
			[]string{"gemini-3.6-flash → " + strings.Repeat("x", 256)}, strings.Repeat("x", 256),
		},
		{"too long a version", "gemini-3.6-flash", strings.Repeat("x", 300), "2026-11-23", gateway.GeminiAPI, nil, "gemini-3.6-flash"},
		{"before the routing", "gemini-3.5-flash", "gemini-3.5-flash", "2026-08-01", gateway.GeminiAPI, nil, "gemini-3.5-flash"},
		{"soon routed", "gemini-2.5-pro", "gemini-2.5-pro", "2026-11-23", gateway.GeminiAPI, []string{"gemini-2.5-pro ends on 2026-12-01; Google names gemini-3.8-flash in its place"}, "gemini-2.5-pro"},
		{"another one than Google says", "gemini-3.5-flash", "gemini-3.8-flash", "2026-11-23", gateway.GeminiAPI, []string{"gemini-3.5-flash → gemini-3.8-flash"}, "gemini-3.8-flash"},
		{"not routed at Vertex AI", "gemini-3.5-flash", "gemini-3.5-flash", "2026-11-23", gateway.VertexAI, nil, "gemini-3.5-flash"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := &diary{}
			handler := gatewayOfDoer(t, test.service, routingServer{version: test.version},
				gateway.WithObserver(d), clockOf(t, test.day))
			answer := post(handler, chatPath,
				`{"model":"`+test.asked+`","messages":[{"role":"user","content":"Hi."}]}`)
			if got := answer.Header().Get("X-Gemwire-Model"); got != test.upstream {
				t.Errorf("the header names %q", got)
			}
			if diff := cmp.Diff(test.want, d.last().end.ModelWarnings); diff != "" {
				t.Errorf("notes (- want, + got):\n%s", diff)
			}
		})
	}
}

// The tier comes from the usage, else from the header, else from the request.
func TestTheTierThatAnswersDecidesThePrice(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, asked, usage, header string
		service                    gateway.Service
		model                      string
		want                       float64
	}{
		{"as asked", "priority", "", "", gateway.GeminiAPI, "gemini-3.6-flash", 1.35 + 6.75},
		{"priority without room", "priority", `,"serviceTier":"standard"`, "", gateway.GeminiAPI, "gemini-3.6-flash", 4.5},
		{"priority without room, by the header", "priority", "", "standard", gateway.GeminiAPI, "gemini-3.6-flash", 4.5},
		{"flex", "flex", `,"serviceTier":"flex"`, "", gateway.GeminiAPI, "gemini-3.6-flash", 2.25},
		{"Vertex AI, elsewhere", "", "", "", gateway.VertexAI, "gemini-3.5-flash-lite", 2.8 * 1.1},
		{"Vertex AI, flex", "", `,"trafficType":"ON_DEMAND_FLEX"`, "", gateway.VertexAI, "gemini-3.5-flash-lite", 1.4 * 1.1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := routingServer{version: test.model, usage: test.usage}
			if test.header != "" {
				server.header = http.Header{"X-Gemini-Service-Tier": {test.header}}
			}
			member := ""
			if test.asked != "" {
				member = `"service_tier":"` + test.asked + `",`
			}
			for _, stream := range []string{"", `"stream":true,`} {
				d := &diary{}
				handler := gatewayOfDoer(t, test.service, server, gateway.WithObserver(d),
					clockOf(t, "2026-11-23"))
				post(handler, chatPath,
					`{"model":"`+test.model+`",`+member+stream+
						`"messages":[{"role":"user","content":"Hi."}]}`)
				if cost := d.last().end.Cost; cost == nil || cost.Amount-test.want > 1e-9 ||
					test.want-cost.Amount > 1e-9 {
					t.Errorf("%s: cost %+v, want %v", stream, cost, test.want)
				}
			}
		})
	}
}

// The header of a stream that begins before Gemini's first chunk names the requested model.
// Observers learn which model answered.
func TestAStreamThatBeginsEarlyNamesTheAskedModel(t *testing.T) {
	inTime(t, func(t *testing.T) {
		d := &diary{}
		handler := gatewayOfDoer(t, gateway.GeminiAPI,
			routingServer{version: "gemini-3.6-flash", pause: time.Minute}, gateway.WithObserver(d),
			clockOf(t, "2026-11-23"))
		answer := post(handler, chatPath,
			`{"model":"gemini-3.5-flash","stream":true,"messages":[{"role":"user","content":"Hi."}]}`)
		if got := answer.Header().Get("X-Gemwire-Model"); got != "gemini-3.5-flash" {
			t.Errorf("the header names %q", got)
		}
		if got := d.last().end.UpstreamModel; got != "gemini-3.6-flash" {
			t.Errorf("%q answered", got)
		}
	})
}

// Google leaves members out of later chunks.
func TestAChunkWithoutAModelKeepsTheOneThatAnswers(t *testing.T) {
	t.Parallel()
	const first = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hel"}]}}],"modelVersion":"gemini-3.6-flash"}`
	const last = `{"candidates":[{"content":{"role":"model","parts":[{"text":"lo."}]},"finishReason":"STOP"}]}`
	server := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		stream := strings.NewReader("data: " + first + "\n\ndata: " + last + "\n\n")
		return &http.Response{
			StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r,
			Body: io.NopCloser(stream),
		}, nil
	})
	for name, request := range generatingRequests("gemini-3.5-flash") {
		if !strings.HasSuffix(name, "streamed") {
			continue
		}
		d := &diary{}
		post(gatewayOfDoer(t, gateway.GeminiAPI, server, gateway.WithObserver(d),
			clockOf(t, "2026-11-23")), request[0], request[1])
		if got := d.last().end.UpstreamModel; got != "gemini-3.6-flash" {
			t.Errorf("%s: %q answered", name, got)
		}
	}
}

func TestTheLogWarnsOfAModelOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	handler := gatewayOfDoer(t, gateway.GeminiAPI, routingServer{version: "gemini-3.6-flash"},
		clockOf(t, "2026-11-23"),
		gateway.WithLogger(slog.New(slog.NewTextHandler(&log,
			&slog.HandlerOptions{ReplaceAttr: withoutTime}))))
	for _, model := range []string{"gemini-3.5-flash", "gemini-3.6-flash", "gemini-3.5-flash",
		"gemini-2.5-flash", "gemini-2.5-flash"} {
		post(handler, chatPath,
			`{"model":"`+model+`","messages":[{"role":"user","content":"Hi."}]}`)
	}
	want := `level=WARN msg="gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08" kind=routed confidence=vendor` +
		"\n" +
		`level=WARN msg="gemini-2.5-flash ends on 2026-12-01; Google names gemini-3.5-flash-lite in its place" kind=ends confidence=third_party` +
		"\n"
	if diff := cmp.Diff(want, log.String()); diff != "" {
		t.Errorf("log (- want, + got):\n%s", diff)
	}
}

func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.Attr{}
	}
	return a
}
