package gateway_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// diary is an observer that stores all reports, with a recorder for each request.
type diary struct {
	wantsBodies bool
	mu          sync.Mutex
	pages       []*page
}

type page struct {
	wantsBodies bool
	lines       []string
	start       exchange.Start
	reported    report.Report
	end         exchange.End
	signatures  []exchange.Signature
	attempts    []exchange.Attempt
}

func (d *diary) Begin(start exchange.Start) exchange.Recorder {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := &page{start: start, wantsBodies: d.wantsBodies}
	d.pages = append(d.pages, p)
	return p
}

func (d *diary) last() *page {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pages[len(d.pages)-1]
}

func (p *page) add(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

func (p *page) WantsBodies() bool { return p.wantsBodies }
func (p *page) Request(side exchange.Side, r exchange.Request) {
	p.add("%s request %s %s %v %s", side, r.Method, r.URL, r.Header, r.Body)
}
func (p *page) Response(side exchange.Side, r exchange.Response) {
	p.add("%s response %d %s", side, r.Status, r.Body)
}
func (p *page) Chunk(side exchange.Side, data []byte) { p.add("%s chunk %s", side, data) }
func (p *page) Signature(s exchange.Signature) {
	p.add("%s signature", s.Side)
	p.signatures = append(p.signatures, s)
}
func (p *page) Attempt(a exchange.Attempt) {
	p.add("attempt %d %s %s %d", a.Number, a.Account, a.Model, a.Status)
	p.attempts = append(p.attempts, a)
}
func (p *page) Report(side exchange.Side, r report.Report) {
	p.add("%s report %d", side, len(r.Of(report.Lost)))
	p.reported = append(p.reported, r...)
}
func (p *page) End(end exchange.End) {
	p.add("end %d", end.Status)
	p.end = end
}

// told returns the first two words of each report, without repetitions.
func (p *page) told() string {
	var out []string
	for _, line := range p.lines {
		words := strings.Fields(line)
		brief := strings.Join(words[:min(len(words), 2)], " ")
		if len(out) == 0 || out[len(out)-1] != brief {
			out = append(out, brief)
		}
	}
	return strings.Join(out, ", ")
}

func TestObserversGetEachStepInOrder(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	d := &diary{wantsBodies: true}
	handler := gatewayOf(t, server, gateway.WithObserver(d),
		gateway.WithAliases(map[string]string{"mine": "gemini-3.6-flash"}))
	body := `{"model":"mine","user":"me","messages":[{"role":"user","content":"get_weather please"}],"tools":` +
		agentTools + `}`
	answer := post(handler, chatPath, body, "Authorization", "Bearer secret-of-the-client",
		"X-Stainless-Retry-Count", "2", "Cookie", "a=secret-of-the-client")
	p := d.last()
	if got, want := p.told(),
		"client request, upstream request, upstream response, attempt 1, upstream signature, client report, upstream report, client response, end 200"; got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
	all := strings.Join(p.lines, "\n")
	for _, secret := range []string{"secret-of-the-client", "key-of-one"} {
		if strings.Contains(all, secret) {
			t.Errorf("%q is reported", secret)
		}
	}
	for _, want := range []string{body, answer.Body.String(), ":generateContent",
		`"functionCall"`} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not reported in %s", want, all)
		}
	}
	if s := p.start; s.Form != "chat_completions" || s.ClientRetry != 2 ||
		s.ID != answer.Header().Get("X-Request-Id") || s.Path != chatPath {
		t.Errorf("began with %+v", s)
	}
	if s := p.signatures[0]; s.Side != exchange.Upstream || s.Carrier != exchange.CarrierID ||
		s.Size == 0 || s.Pointer != "/candidates/0/content/parts/0/thoughtSignature" {
		t.Errorf("the signature is %+v", s)
	}
	e := p.end
	if e.Model != "mine" || e.UpstreamModel != "gemini-3.6-flash" || e.Service != "gemini" ||
		e.Lost != 1 || e.FinishReason != normalize.FinishToolUse || e.Usage.TotalTokens == 0 ||
		e.BytesIn != int64(len(body)) || e.BytesOut != int64(answer.Body.Len()) || e.Stream ||
		e.Canceled || e.ErrorType != "" {
		t.Errorf("ended with %+v", e)
	}
}

func TestObserversGetEachChunkOfBothSides(t *testing.T) {
	inTime(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("one "),
				geminitest.Pause(16*time.Second), geminitest.Text("two"))))
		d := &diary{wantsBodies: true}
		post(gatewayOf(t, server, gateway.WithObserver(d)), chatPath, streamed(hello))
		p := d.last()
		if got, want := p.told(),
			"client request, upstream request, upstream response, upstream chunk, attempt 1, client response, client chunk, upstream chunk, client chunk, client report, upstream report, client chunk, end 200"; got != want {
			t.Errorf("got\n%s\nexpected\n%s", got, want)
		}
		var upstream, client []string
		for _, line := range p.lines {
			if data, ok := strings.CutPrefix(line, "upstream chunk "); ok {
				upstream = append(upstream, data)
			}
			if data, ok := strings.CutPrefix(line, "client chunk "); ok {
				client = append(client, data)
			}
		}
		if len(upstream) < 2 || !strings.HasPrefix(upstream[0], `{"candidates"`) {
			t.Errorf("the chunks of Gemini are %q", upstream)
		}
		for i, data := range client {
			if !strings.HasPrefix(data, "{") && data != ": keep-alive" && data != "[DONE]" {
				t.Errorf("chunk %d is %q", i, data)
			}
		}
		if e := p.end; !e.Stream || e.FirstToken != 0 || e.Duration < 16*time.Second ||
			e.FinishReason != normalize.FinishStop || e.Usage.TotalTokens == 0 || e.UsageEstimated {
			t.Errorf("ended with %+v", e)
		}
	})
}

func TestObserversThatWantNoBodiesGetNone(t *testing.T) {
	t.Parallel()
	for _, body := range []string{hello, streamed(hello)} {
		d := &diary{}
		post(newGateway(t, gateway.WithObserver(d)), chatPath, body)
		if got, want := d.last().told(),
			"attempt 1, client report, upstream report, end 200"; got != want {
			t.Errorf("got\n%s\nexpected\n%s", got, want)
		}
	}
}

func TestObserversGetAttemptsAndFailures(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		u.set("key-a", usedUpFor(perMinute, 9))
		d := &diary{wantsBodies: true}
		handler := keyedGateway(t, u, []string{"one", "two"}, gateway.WithObserver(d))
		post(handler, chatPath, hello)
		attempts := d.last().attempts
		if len(attempts) != 2 || attempts[0].Status != 429 || attempts[0].Wait != 9*time.Second ||
			attempts[0].Account != "one" || attempts[0].Err == "" || attempts[1].Status != 200 ||
			attempts[1].Number != 2 || attempts[1].Account != "two" {
			t.Errorf("the attempts are %+v", attempts)
		}
		if all := strings.Join(d.last().lines, "\n"); !strings.Contains(all,
			"upstream response 429 {\"error\"") {
			t.Errorf("the refusal is not in %s", all)
		}
		u.set("key-b", refusedKey)
		post(handler, chatPath, streamed(hello))
		if e := d.last().end; e.Status != 429 && e.Status != 403 || e.ErrorType == "" ||
			e.ErrorMessage == "" || e.UpstreamModel != "gemini-2.5-flash" {
			t.Errorf("ended with %+v", e)
		}
		post(handler, chatPath, `{`)
		if e := d.last().end; e.Status != 400 || e.ErrorType != "invalid_request_error" {
			t.Errorf("ended with %+v", e)
		}
		post(handler, "/v1/nothing", `{`)
		if p := d.last(); p.end.Status != 404 || p.start.Form != "" {
			t.Errorf("ended with %+v", p.end)
		}
	})
}

func TestObserversGetTheLossesOfARefusedRequest(t *testing.T) {
	t.Parallel()
	refusing := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Error(400, "INVALID_ARGUMENT",
			"no")).Times(9)))
	for name, tc := range map[string]struct {
		body    string
		opts    []gateway.Option
		code    int
		losses  int
		reports string
	}{
		"by Gemini":         {lossyHello, nil, 400, 3, "client report 3, upstream report 0"},
		"for its losses":    {lossyHello, []gateway.Option{gateway.WithStrict()}, 400, 3, "client report 3, upstream report 0"},
		"by the conversion": {strings.Replace(hello, `"messages":[{`, `"temperature":3,"messages":[{"mood":"good",`, 1), nil, 400, 1, "client report 1, upstream report 0"},
	} {
		for _, body := range []string{tc.body, streamed(tc.body)} {
			d := &diary{}
			answer := post(gatewayOf(t, refusing, append(tc.opts, gateway.WithObserver(d))...),
				chatPath, body)
			p := d.last()
			var reports []string
			for _, line := range p.lines {
				if strings.Contains(line, "report") {
					reports = append(reports, line)
				}
			}
			if answer.Code != tc.code || p.end.Lost != tc.losses ||
				strings.Join(reports, ", ") != tc.reports {
				t.Errorf("%s: HTTP %d, %d losses, reported %q: %s", name, answer.Code, p.end.Lost,
					reports, answer.Body)
			}
		}
	}
	d := &diary{}
	post(newGateway(t, gateway.WithObserver(d), gateway.WithStrict()), embeddingsPath,
		`{"model":"gemini-embedding-001","input":"x","user":"me"}`)
	if p := d.last(); p.end.Status != 400 || p.end.Lost != 1 ||
		p.told() != "client report, end 400" {
		t.Errorf("got %s, ended with %+v", p.told(), p.end)
	}
	post(gatewayOf(t, refusing, gateway.WithObserver(d)), embeddingsPath,
		`{"model":"gemini-embedding-001","input":"x","user":"me"}`)
	if p := d.last(); p.end.Lost != 1 || !strings.Contains(p.told(), "client report") {
		t.Errorf("got %s, ended with %+v", p.told(), p.end)
	}
}

// The cost of a stream whose client disconnected is unknown, not zero.
func TestTokensOfAStreamThatWasLeftAreEstimated(t *testing.T) {
	inTime(t, func(t *testing.T) {
		chunk := geminitest.Chunk(`{"candidates":[{"content":{"role":"model","parts":[{"text":"` +
			strings.Repeat("word ", 40) + `"}]}}]}`)
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(chunk, chunk,
			geminitest.Pause(time.Hour), geminitest.Text("late"))))
		d := &diary{}
		ctx, leave := context.WithTimeout(t.Context(), 30*time.Second)
		defer leave()
		newTimedAnswer().chat(ctx, gatewayOf(t, server, gateway.WithObserver(d)), streamed(hello))
		if e := d.last().end; !e.Canceled || !e.UsageEstimated || e.Usage.OutputTokens != 100 ||
			e.Usage.InputTokens != len(streamed(hello))/4 {
			t.Errorf("ended with %+v", e)
		}
	})
}

func TestNothingIsEstimatedWhereTokensAreKnownOrNothingCame(t *testing.T) {
	t.Parallel()
	for name, chunk := range map[string]string{
		"counts":  `{"candidates":[{"content":{"role":"model","parts":[{"text":"Some words."}]}}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10}}`,
		"no text": `{"candidates":[{"content":{"role":"model","parts":[{"text":""}]}}]}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(geminitest.Chunk(chunk),
					geminitest.Pause(time.Hour), geminitest.Text("late")).Unchecked()))
			d := &diary{}
			ctx, leave := context.WithTimeout(t.Context(), 30*time.Second)
			defer leave()
			newTimedAnswer().chat(ctx, gatewayOf(t, server, gateway.WithObserver(d)),
				streamed(hello))
			if e := d.last().end; !e.Canceled || e.UsageEstimated {
				t.Errorf("%s: ended with %+v", name, e)
			}
		})
	}
}

func TestCallThatTheClientHasLeftIsNoFailureOfGemini(t *testing.T) {
	inTime(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Stall())))
		d := &diary{}
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		newTimedAnswer().chat(ctx, gatewayOf(t, server, gateway.WithObserver(d)), hello)
		if e := d.last().end; !e.Canceled || e.Status != 499 {
			t.Errorf("ended with %+v", e)
		}
	})
}

func TestTheEndCountsTheEntriesOfBothReportsByTheirKind(t *testing.T) {
	t.Parallel()
	d := &diary{}
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithObserver(d))
	const call = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"}`
	completionOf(t, post(handler, chatPath,
		`{"model":"gemini-3.6-flash","user":"u","seed":99999999999,"messages":[{"role":"user","content":"x"},`+
			call+`]}`))
	p := d.last()
	for kind, count := range map[report.Kind]int{report.Lost: p.end.Lost, report.Added: p.end.Added,
		report.Approximated: p.end.Approximated} {
		if told := len(p.reported.Of(kind)); told != count || told == 0 {
			t.Errorf("%s: the end counts %d, %d were reported", kind, count, told)
		}
	}
}
