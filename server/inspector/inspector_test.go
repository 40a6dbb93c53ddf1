package inspector_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// browser is a client with a session.
type browser struct {
	t      *testing.T
	url    string
	client *http.Client
	*inspector.Inspector
	gateway *exchangetest.Gateway
}

var morning = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// open serves an inspector and opens it.
func open(t *testing.T, opts ...inspector.Option) *browser {
	t.Helper()
	clock := exchangetest.NewClock(morning)
	ins, err := inspector.New(append([]inspector.Option{inspector.WithClock(clock.Now)},
		opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(ins.Handler())
	t.Cleanup(srv.Close)
	t.Cleanup(ins.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	b := &browser{
		t: t, url: srv.URL, client: &http.Client{Jar: jar, Transport: transport}, Inspector: ins,
		gateway: &exchangetest.Gateway{Observer: ins, Now: clock.Now, Sleep: clock.Sleep},
	}
	if status, _, _ := b.do(http.MethodGet, ins.URL(strings.TrimPrefix(srv.URL, "http://")),
		""); status != http.StatusOK {
		t.Fatalf("the address does not open the page: %d", status)
	}
	return b
}

// do sends a request and returns the answer. If the request has a body, its type is JSON.
func (b *browser) do(method, address, body string) (int, http.Header, string) {
	b.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.url + address
	}
	request, err := http.NewRequestWithContext(b.t.Context(), method, address,
		strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	return b.send(request)
}

func (b *browser) send(request *http.Request) (int, http.Header, string) {
	b.t.Helper()
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(data)
}

// get returns the body of an answer, whose status must be 200.
func (b *browser) get(path string) string {
	b.t.Helper()
	status, _, body := b.do(http.MethodGet, path, "")
	if status != http.StatusOK {
		b.t.Fatalf("%s: %d %s", path, status, body)
	}
	return body
}

// detail has the fields of an exchange that the tests read.
type detail struct {
	Summary struct {
		Number, ReplayOf, Attempts, Lost, Status  int
		Running, Bodies, IsOpenAI, IsInteractions bool
		Model, UpstreamModel                      string
		Duration, FirstToken                      float64
		Tokens                                    struct{ Input, Output, Total int }
		Cost                                      *struct{ Amount float64 }
	}
	Client talk
	Tries  []struct {
		talk
		Between *talk
	}
	Attempts []struct {
		Number, Status int
		At, Duration   float64
		Wait           float64
		Error          string
	}
	Findings []struct {
		Side, Kind, Pointer string
		Here, There         *string
	}
	Signatures []struct {
		Side, Pointer, Carrier string
		Size                   int
	}
	LeftOut struct{ Chunks, Findings int }
	Notes   map[string]string
}

type talk struct {
	Request, Response *struct {
		URL, Body string
		Status    int
		LeftOut   int
		Cut       bool
	}
	Chunks []struct {
		At   float64
		Size int
		Data string
	}
}

func (b *browser) detail(number int) (d detail) {
	b.t.Helper()
	body := b.get("/api/exchanges/" + strconv.Itoa(number))
	if err := json.Unmarshal([]byte(body), &d, json.MatchCaseInsensitiveNames(true)); err != nil {
		b.t.Fatalf("%v in %s", err, body)
	}
	return d
}

func TestAnExchangeIsShownAsItWas(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	scene := exchangetest.RateLimited()
	b.gateway.Play(scene)

	d := b.detail(1)
	if s := d.Summary; s.Status != 200 || s.Running || s.Attempts != 2 || s.Tokens.Total != 1257 ||
		s.Duration != 4220 || s.Cost == nil || s.Model != "gemini-2.5-pro" {
		t.Errorf("summary: %+v", s)
	}
	if got := d.Client.Request.Body; got != strings.ReplaceAll(scene.Request, "MODEL",
		scene.Model) {
		t.Errorf("the client's request: %s", got)
	}
	if len(d.Tries) != 2 || d.Tries[0].Response.Status != 429 ||
		d.Tries[1].Response.Body != scene.Tries[1].Body {
		t.Errorf("the upstream: %+v", d.Tries)
	}
	if a := d.Attempts; len(a) != 2 || a[0].Wait != 2000 || a[1].At != 2120 ||
		!strings.HasPrefix(a[0].Error, "RESOURCE_EXHAUSTED") {
		t.Errorf("attempts: %+v", a)
	}
}

func TestTheChunksOfBothSidesAreOnOneTimeAxis(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Streamed())
	d := b.detail(1)
	upstream, client := d.Tries[0].Chunks, d.Client.Chunks
	if len(upstream) != 9 || upstream[0].At != 970 || upstream[8].At != 970+8*140 {
		t.Errorf("upstream: %+v", upstream)
	}
	if len(client) < 9 || client[0].At != 970 || client[len(client)-1].Data != "[DONE]" {
		t.Errorf("client: %+v", client)
	}
	if d.Summary.FirstToken != 970 {
		t.Errorf("first token after %v ms", d.Summary.FirstToken)
	}
}

func TestSignaturesAreFollowed(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	b.gateway.Play(exchangetest.ToolResult())
	out, back := b.detail(1).Signatures, b.detail(2).Signatures
	if len(out) != 1 || out[0].Side != "upstream" || out[0].Carrier != "extension" ||
		out[0].Size != 72 {
		t.Errorf("out: %+v", out)
	}
	if len(back) != 1 || back[0].Side != "client" ||
		!strings.HasPrefix(back[0].Pointer, "/contents/1/parts/0") {
		t.Errorf("back: %+v", back)
	}
}

func TestWithoutBodiesThereIsWhatHappenedAndNothingThatWasSaid(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.gateway.Play(exchangetest.Lossy())
	d := b.detail(1)
	if d.Summary.Bodies || d.Client.Request != nil || len(d.Tries) != 0 || len(d.Signatures) != 0 {
		t.Errorf("kept: %+v", d)
	}
	if d.Summary.Lost != 4 || len(d.Findings) == 0 || len(d.Attempts) != 1 ||
		d.Summary.Tokens.Total != 354 {
		t.Errorf("missing: %+v", d)
	}
	if body := b.get("/api/exchanges/1"); strings.Contains(body, "Porto") {
		t.Errorf("said: %s", body)
	}
	for _, name := range []string{"curl/client", "curl/upstream", "fixture", "replay"} {
		if !strings.Contains(d.Notes[name], "not being recorded") {
			t.Errorf("%s: %q", name, d.Notes[name])
		}
	}
}

func TestTheSwitchKeepsBodiesFromThenOn(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.gateway.Play(exchangetest.Lossy())
	if status, _, body := b.do(http.MethodPost, "/api/bodies",
		`{"keep":true}`); status != http.StatusNoContent {
		t.Fatal(status, body)
	}
	b.gateway.Play(exchangetest.Lossy())
	if b.detail(1).Client.Request != nil || b.detail(2).Client.Request == nil {
		t.Error("want a body of the second exchange only")
	}
	if status, _, _ := b.do(http.MethodPost, "/api/clear", `{}`); status != http.StatusNoContent {
		t.Error(status)
	}
	if status, _, _ := b.do(http.MethodGet, "/api/exchanges/2", ""); status != http.StatusNotFound {
		t.Errorf("after clearing: %d", status)
	}
}

// The findings come from requests and answers that were really converted.
func TestLossesHavePlacesOnBothSides(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	b.gateway.Play(exchangetest.Streamed())
	for _, test := range []struct {
		number      int
		pointer     string
		here, there string // "-" for none
	}{
		{1, "/logit_bias", "/logit_bias", "-"},
		{1, "/user", "/user", "-"},
		{1, "/parallel_tool_calls", "/parallel_tool_calls", "/toolConfig"},
		{1, "/messages/1/name", "/messages/1/name", "/contents/0/parts/0"},
		{1, "/tools/0/function/strict", "/tools/0/function/strict", "/tools/0/functionDeclarations/0"},
		{2, "/0/usageMetadata", "/0/usageMetadata", "/10/usage"},
	} {
		found := false
		for _, f := range b.detail(test.number).Findings {
			if f.Pointer != test.pointer {
				continue
			}
			found = true
			if here, there := text(f.Here),
				text(f.There); here != test.here || there != test.there {
				t.Errorf("%s: here %s, there %s; want %s and %s", test.pointer, here, there,
					test.here, test.there)
			}
		}
		if !found {
			t.Errorf("%s is not reported", test.pointer)
		}
	}
}

func text(pointer *string) string {
	if pointer == nil {
		return "-"
	}
	return *pointer
}

func TestLongStringsAreShortenedAndTheBodyStaysJSON(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithMaxStringSize(8<<10))
	scene := exchangetest.Lossy()
	scene.Request = strings.Replace(scene.Request, "You plan",
		strings.Repeat("You plan ", 12_000), 1)
	b.gateway.Play(scene)
	d := b.detail(1)
	request := d.Client.Request
	if request.LeftOut < 90_000 || request.Cut || !jsontext.Value(request.Body).IsValid() ||
		len(request.Body) > 10_000 {
		t.Errorf("left out %d of %d, cut %v", request.LeftOut, len(request.Body), request.Cut)
	}
	if !strings.Contains(request.Body, `…[gemwire left out `) ||
		!strings.Contains(d.Notes["replay"], "truncated when recorded") {
		t.Errorf("it is not said: %v", d.Notes)
	}
}

func TestABodyThatIsTooLargeIsCut(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithMaxBodySize(1<<10))
	scene := exchangetest.Lossy()
	scene.Request = strings.Replace(scene.Request, `"temperature"`,
		`"metadata":{"é":"`+strings.Repeat("é", 3000)+`"},"temperature"`, 1)
	b.gateway.Play(scene)
	if request := b.detail(1).Client.Request; !request.Cut || len(request.Body) > 1<<10 ||
		request.LeftOut < 5000 {
		t.Errorf("cut %v, %d bytes, left out %d", request.Cut, len(request.Body), request.LeftOut)
	}
}

// With whole strings it would be too large, so that its end would be missing.
func TestABodyThatIsTooLargeStaysJSONIfItsStringsCanBeShortened(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithMaxBodySize(64<<10))
	scene := exchangetest.Lossy()
	scene.Request = strings.Replace(scene.Request, "You plan",
		strings.Repeat("You plan ", 12_000), 1)
	b.gateway.Play(scene)
	if request := b.detail(1).Client.Request; request.Cut || request.LeftOut < 90_000 ||
		!jsontext.Value(request.Body).IsValid() || len(request.Body) > 10<<10 {
		t.Errorf("cut %v, %d bytes, left out %d", request.Cut, len(request.Body), request.LeftOut)
	}
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]inspector.Option{
		"no exchanges": inspector.WithMaxExchanges(0),
		"no bytes":     inspector.WithMaxBytes(10),
		"no body":      inspector.WithMaxBodySize(-1),
		"no string":    inspector.WithMaxStringSize(10),
		"no host":      inspector.WithGatewayURL("8080"),
	} {
		if _, err := inspector.New(option); err == nil ||
			!strings.HasPrefix(err.Error(), "inspector: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASummaryNamesTheModelThatWasAskedAndTheOneThatAnswered(t *testing.T) {
	t.Parallel()
	b := open(t)
	const note = "gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08"
	b.Begin(exchange.Start{At: morning}).End(exchange.End{
		Status: 200, Model: "gpt-4o", AskedModel: "gemini-3.5-flash",
		UpstreamModel: "gemini-3.6-flash", ModelWarnings: []string{note},
	})
	b.Begin(exchange.Start{At: morning}).End(exchange.End{Status: 200, Model: "gpt-4o",
		AskedModel: "a", UpstreamModel: "a"})
	for path, want := range map[string]string{
		"/api/exchanges/1": `"model":"gpt-4o","askedModel":"gemini-3.5-flash","modelWarnings":["` +
			note + `"]`,
		"/api/exchanges/2": `"model":"gpt-4o","stream"`,
	} {
		if got := b.get(path); !strings.Contains(got, want) {
			t.Errorf("%s has no %s: %s", path, want, got)
		}
	}
}

// TestTheHostOfAFailedConnectionIsShownEvenIfTheAnswerDoesNotNameIt covers a file of Google's API,
// which has no attempt that names the host.
func TestTheHostOfAFailedConnectionIsShownEvenIfTheAnswerDoesNotNameIt(t *testing.T) {
	t.Parallel()
	b := open(t)
	for i, test := range []struct {
		host, message string
		isShown       bool
	}{
		{"gemini.internal:443", "cannot connect to the upstream (Gemini API): timeout", true},
		{"127.0.0.1:9", "cannot connect to 127.0.0.1:9: timeout", false},
		{"", "no such file", false},
	} {
		b.Begin(exchange.Start{At: morning}).End(exchange.End{Status: 502,
			ErrorMessage: test.message, UpstreamHost: test.host})
		path := fmt.Sprintf("/api/exchanges/%d", i+1)
		want := `"modelWarnings":["The connection to ` + test.host + ` failed."]`
		if got := b.get(path); strings.Contains(got, want) != test.isShown ||
			strings.Contains(got, "modelWarnings") != test.isShown {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}
