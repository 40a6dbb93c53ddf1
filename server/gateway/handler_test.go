package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

func TestReloadDropsNoRequest(t *testing.T) {
	inTime(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("one "),
				geminitest.Pause(time.Minute), geminitest.Text("two"))))
		handler := gatewayOf(t, server,
			gateway.WithAliases(map[string]string{"old": "gemini-2.5-flash"}))
		answer := newTimedAnswer()
		var group sync.WaitGroup
		group.Go(func() {
			answer.chat(t.Context(), handler,
				streamed(strings.Replace(hello, "gemini-2.5-flash", "old", 1)))
		})
		time.Sleep(time.Second)
		if err := handler.Reload(gateway.WithUpstream(upstreamOf(server)),
			gateway.WithAliases(map[string]string{"new": "gemini-2.5-flash"})); err != nil {
			t.Fatal(err)
		}
		if got := post(handler, chatPath,
			strings.Replace(hello, "gemini-2.5-flash", "new", 1)).Code; got != 200 {
			t.Errorf("HTTP %d by the new options", got)
		}
		if got := post(handler, chatPath,
			strings.Replace(hello, "gemini-2.5-flash", "old", 1)).Code; got != 404 {
			t.Errorf("HTTP %d by the old options", got)
		}
		group.Wait()
		if got := textOf(chunksOf(t, answer.Body.Bytes())); got != "one two" {
			t.Errorf("the stream is %q", got)
		}
		if err := handler.Reload(gateway.WithHeartbeat("never", 0)); err == nil {
			t.Error("options that make no sense are in force")
		}
		if got := post(handler, chatPath,
			strings.Replace(hello, "gemini-2.5-flash", "new", 1)).Code; got != 200 {
			t.Errorf("HTTP %d after a reload that failed", got)
		}
	})
}

// The embedded server belongs to the settings. A reload must not stop it while it answers requests.
func TestReloadKeepsTheEmbeddedServerOfWhoIsAnswered(t *testing.T) {
	inTime(t, func(t *testing.T) {
		handler := newGateway(t, gateway.WithObserver(reloading{}))
		reload := func() {
			if err := handler.Reload(); err != nil {
				t.Error(err)
			}
		}
		observer := &onBegin{do: reload}
		if err := handler.Reload(gateway.WithObserver(observer)); err != nil {
			t.Fatal(err)
		}
		completionOf(t, post(handler, chatPath, hello))
	})
}

type reloading struct{}

func (reloading) Begin(exchange.Start) exchange.Recorder { return nil }

// onBegin calls a function when a request has begun.
type onBegin struct{ do func() }

func (o *onBegin) Begin(exchange.Start) exchange.Recorder {
	o.do()
	return nil
}

func TestShutdownLetsStreamsFinish(t *testing.T) {
	inTime(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("one "),
				geminitest.Pause(time.Minute), geminitest.Text("two"))))
		handler := gatewayOf(t, server)
		answer := newTimedAnswer()
		var group sync.WaitGroup
		group.Go(func() { answer.chat(t.Context(), handler, streamed(hello)) })
		time.Sleep(time.Second)
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := handler.Shutdown(soon); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
		refused := post(handler, chatPath, hello)
		if e := errorOf(t, refused, http.StatusServiceUnavailable); e.Type != "server_error" ||
			refused.Header().Get("Retry-After") == "" {
			t.Errorf("refused with %+v", e)
		}
		if err := handler.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		group.Wait()
		if got := textOf(chunksOf(t, answer.Body.Bytes())); got != "one two" {
			t.Errorf("the stream is %q", got)
		}
	})
}

// A panic ends one request, not the gateway.
func TestPanicIsTheProblemOfOneRequest(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	isDue := true
	doer := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		if isDue {
			panic("something with a prompt in it")
		}
		return (&keyedUpstream{}).Do(r)
	})
	handler := newGateway(t, gateway.WithUpstream(upstreamBy(doer)),
		gateway.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	for _, body := range []string{hello, streamed(hello)} {
		answer := post(handler, chatPath, body)
		if e := errorOf(t, answer, http.StatusInternalServerError); strings.Contains(e.Message,
			"prompt") || !strings.Contains(e.Message, answer.Header().Get("X-Request-Id")) {
			t.Errorf("answered %+v", e)
		}
	}
	if !strings.Contains(log.String(), "something with a prompt") ||
		!strings.Contains(log.String(), "goroutine") {
		t.Errorf("logged %s", log.String())
	}
	isDue = false
	completionOf(t, post(handler, chatPath, hello))
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	key := []gateway.Account{gateway.KeyAccount("p", "k")}
	for name, tc := range map[string]struct {
		opt  gateway.Option
		want string
	}{
		"no account":          {gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI}), "no account"},
		"openai alone":        {gateway.WithUpstream(gateway.Upstream{Service: "openai"}), "needs a base URL; set base_url"},
		"an unknown service":  {gateway.WithUpstream(gateway.Upstream{Service: "other"}), `unknown service "other"`},
		"Vertex AI alone":     {gateway.WithUpstream(gateway.Upstream{Service: gateway.VertexAI}), "no account"},
		"Vertex AI express":   {gateway.WithUpstream(gateway.Upstream{Service: gateway.VertexAIExpress}), "no account"},
		"embedded elsewhere":  {gateway.WithUpstream(gateway.Upstream{BaseURL: "https://gemini.example"}), "embedded"},
		"embedded with a key": {gateway.WithUpstream(gateway.Upstream{Accounts: key}), "embedded"},
		"a key for projects":  {gateway.WithUpstream(gateway.Upstream{Service: gateway.VertexAI, Accounts: key}), "VertexAccount"},
		"an empty account":    {gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI, Accounts: []gateway.Account{{}}}), "KeyAccount"},
		"plain http":          {gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI, Accounts: key, BaseURL: "http://gemini.example"}), "https"},
		"a heartbeat":         {gateway.WithHeartbeat("loud", time.Second), "loud"},
		"signatures":          {gateway.WithSignatures("none"), "none"},
	} {
		if _, err := gateway.New(tc.opt); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	newGateway(t, nil)
}

func TestNothingPrintsAKey(t *testing.T) {
	t.Parallel()
	account := gateway.KeyAccount("one", "secret-of-one")
	upstream := gateway.Upstream{Service: gateway.GeminiAPI,
		Accounts: []gateway.Account{account,
			gateway.VertexAccount("p", "", fixedToken("secret-of-token"))}}
	handler := newGateway(t,
		gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
			Accounts: []gateway.Account{account}}))
	for _, value := range []any{account, &account, upstream, &upstream, handler} {
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "value", value)
		encoded, _ := json.Marshal(value)
		for _, text := range []string{fmt.Sprintf("%v", value), fmt.Sprintf("%+v", value),
			fmt.Sprintf("%#v", value), fmt.Sprintf("%s", value), fmt.Sprintf("%x",
				value), log.String(), string(encoded)} {
			if strings.Contains(text, "secret") ||
				strings.Contains(text, fmt.Sprintf("%x", "secret")) {
				t.Errorf("%T prints %s", value, text)
			}
		}
	}
}

// Clients compare the model in an answer with the requested one.
func TestAnswerNamesTheModelThatWasAskedFor(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithAliases(map[string]string{"GPT-4o": "gemini-2.5-flash"}))
	body := strings.Replace(hello, "gemini-2.5-flash", "GPT-4o", 1)
	whole := post(handler, chatPath, body)
	if got := completionOf(t, whole).Model; got != "GPT-4o" ||
		whole.Header().Get("X-Gemwire-Model") != "gemini-2.5-flash" {
		t.Errorf("answered as %q by %q", got, whole.Header().Get("X-Gemwire-Model"))
	}
	for _, chunk := range chunksOf(t, post(handler, chatPath, streamed(body)).Body.Bytes()) {
		if chunk.Model != "GPT-4o" {
			t.Errorf("a chunk is of %q", chunk.Model)
		}
	}
}

// Clients declare functions without parameters in five ways. Some gateways refuse one or another of
// them.
func TestFunctionsWithoutParametersAreAnswered(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, function := range []string{
		`{"name":"f"}`, `{"name":"f","parameters":{}}`,
		`{"name":"f","parameters":{"type":"object"}}`,
		`{"name":"f","parameters":{"type":"object","properties":{}}}`,
		`{"name":"f","parameters":null}`,
		`{"name":"f","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false}}`,
	} {
		body := strings.Replace(hello, "{",
			`{"tools":[{"type":"function","function":`+function+`}],`, 1)
		completionOf(t, post(handler, chatPath, body))
	}
}

// If the model fails to write a call, the answer is empty. Clients would repeat the request forever
// after an empty answer, but only a few times after an error.
func TestMalformedCallIsAnErrorAndNoEmptyAnswer(t *testing.T) {
	t.Parallel()
	const broken = `{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"bad call"}],"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}`
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Chunk(broken)).Times(2)))
	d := &diary{}
	handler := gatewayOf(t, server, gateway.WithObserver(d), gateway.WithRetryMalformed(0))
	for _, body := range []string{hello, streamed(hello)} {
		answer := post(handler, chatPath, body)
		e := errorOf(t, answer, http.StatusBadGateway)
		if jsonx.Deref(e.Code) != "bad_upstream_answer" ||
			!strings.Contains(e.Message, "MALFORMED_FUNCTION_CALL: bad call") ||
			answer.Header().Get("X-Should-Retry") != "" {
			t.Errorf("answered %+v", e)
		}
		if end := d.last().end; end.FinishReason != "error" || end.Usage.InputTokens != 7 {
			t.Errorf("ended with %+v", end)
		}
	}
}

// The client keeps the partial answer. The native reason shows why it ends.
func TestMalformedCallAfterATextIsVisible(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.Text("I look it up."),
			geminitest.Finish("MALFORMED_FUNCTION_CALL")).Times(2)))
	d := &diary{}
	handler := gatewayOf(t, server, gateway.WithObserver(d), gateway.WithRetryMalformed(0))
	choice := completionOf(t, post(handler, chatPath, hello)).Choices[0]
	if jsonx.Deref(choice.NativeFinishReason) != "MALFORMED_FUNCTION_CALL" ||
		jsonx.Deref(choice.Message.Content) == "" || d.last().end.FinishReason != "error" {
		t.Errorf("the choice is %+v, ended with %+v", choice, d.last().end)
	}
	answer := post(handler, chatPath, streamed(hello))
	if chunks := chunksOf(t, answer.Body.Bytes()); textOf(chunks) == "" ||
		!strings.Contains(answer.Body.String(), "MALFORMED_FUNCTION_CALL") ||
		d.last().end.FinishReason != "error" {
		t.Errorf("the stream is %s", answer.Body)
	}
}

// A stream of thoughts that ends like this has also shown no content.
func TestMalformedCallAfterThoughtsEndsTheStreamWithAnError(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Chunk(`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hm.","thought":true}]}}]}`),
		geminitest.Chunk(`{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_FUNCTION_CALL"}]}`))))
	events := descriptiontest.OpenAIStream(t,
		post(gatewayOf(t, server), chatPath, streamed(hello)).Body.Bytes())
	if last := events[len(events)-1]; !strings.Contains(last, `"code":"bad_upstream_answer"`) {
		t.Errorf("the stream ends by %s", last)
	}
}

// breaking is a body that panics if a reader reads beyond its text.
type breaking struct{ *strings.Reader }

func (b breaking) Read(p []byte) (int, error) {
	if b.Len() == 0 {
		panic("broken")
	}
	return b.Reader.Read(p)
}

func (breaking) Close() error { return nil }

// The partial stream of a gateway that failed must not look complete.
func TestPanicWithinAStreamCutsTheConnection(t *testing.T) {
	t.Parallel()
	doer := gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{},
				Body: breaking{strings.NewReader("data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"some\"}]}}]}\n\n")}},
			nil
	})
	d := &diary{}
	server := httptest.NewServer(newGateway(t, gateway.WithUpstream(upstreamBy(doer)),
		gateway.WithObserver(d)))
	defer server.Close()
	reply, err := http.Post(server.URL+chatPath, "application/json",
		strings.NewReader(streamed(hello)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	body, err := io.ReadAll(reply.Body)
	if err == nil || !strings.Contains(string(body), "some") ||
		strings.Contains(string(body), "internal_error") {
		t.Errorf("%v: %s", err, body)
	}
	server.Close() // and its goroutines with it
	if e := d.last().end; e.ErrorCode != "internal_error" || e.BytesOut == 0 {
		t.Errorf("ended with %+v", e)
	}
}

// Media from the user must reach the model or be refused. The gateway itself fetches nothing.
func TestAddressOfAnImageIsPassedOn(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server)
	for _, address := range []string{"https://images.example/a.png", "gs://bucket/a.png",
		"data:image/png;base64,iVBORw0KGgo="} {
		body := strings.Replace(hello, `"hello"`,
			`[{"type":"text","text":"what is it?"},{"type":"image_url","image_url":{"url":"`+
				address+`"}}]`, 1)
		answer := post(handler, chatPath, body)
		requests := server.Requests()
		sent := string(requests[len(requests)-1].Body)
		if want := strings.TrimPrefix(address, "data:image/png;base64,"); !strings.Contains(sent,
			want) {
			t.Errorf("HTTP %d: %s is not in %s", answer.Code, address, sent)
		}
	}
}
