package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// pathBodies are requests by their paths.
var pathBodies = map[string]string{
	chatPath:         `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"hello"}]}`,
	"/v1/responses":  `{"model":"gemini-2.5-flash","input":"hello"}`,
	"/v1/messages":   `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}`,
	"/v1/embeddings": `{"model":"gemini-embedding-001","input":"hello"}`,
	"/v1beta/models/gemini-2.5-flash:generateContent": `{"contents":[{"parts":[{"text":"hello"}]}]}`,
}

// failureOf makes a request that must fail.
func failureOf(t *testing.T, handler *gateway.Handler, in gateway.Request) (*gateway.Answer,
	*gateway.Error) {
	t.Helper()
	answer, err := handler.Answer(t.Context(), &in)
	failed, ok := errors.AsType[*gateway.Error](err)
	if !ok || answer == nil {
		t.Fatalf("%s: %v, %+v", in.Path, err, answer)
	}
	return answer, failed
}

func TestAnswerHasTheBodyTheTokensAndTheAttemptsOfARequest(t *testing.T) {
	t.Parallel()
	for path, body := range pathBodies {
		answer, err := gatewayOf(t, geminitest.NewServer(t)).Answer(t.Context(),
			&gateway.Request{Path: path, Body: []byte(body)})
		if err != nil || answer.Attempts != 1 || answer.Usage.InputTokens == 0 ||
			answer.RequestID == "" || len(answer.Body) == 0 {
			t.Errorf("%s: %v, %+v", path, err, answer)
		}
	}
}

func TestAnswerHasTheModelsOfTheClientThatItIsFor(t *testing.T) {
	t.Parallel()
	keys, err := clientkey.Read([]byte("keys:\n- {name: ann, hash: '" + clientkey.Hash("ann's") +
		"', models: [gemini-2.5-flash]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithClientKeys(keys))
	ask := func(client, model string) gateway.Request {
		return gateway.Request{Path: chatPath, Client: client,
			Body: []byte(`{"model":"` + model +
				`","messages":[{"role":"user","content":"hello"}]}`)}
	}
	for _, client := range []string{"ann", ""} {
		in := ask(client, "gemini-2.5-flash")
		if _, err := handler.Answer(t.Context(), &in); err != nil {
			t.Errorf("%q: %v", client, err)
		}
	}
	if _, failed := failureOf(t, handler,
		ask("ann", "gemini-2.5-pro")); failed.Status != http.StatusNotFound ||
		failed.Code != "model_not_found" {
		t.Errorf("%+v", failed)
	}
	if _, failed := failureOf(t, handler,
		ask("eve", "gemini-2.5-flash")); failed.Status != http.StatusUnauthorized ||
		!strings.Contains(failed.Message, `"eve"`) {
		t.Errorf("%+v", failed)
	}
}

func TestAnswerMakesASingleAttemptIfAskedTo(t *testing.T) {
	t.Parallel()
	for path, body := range pathBodies {
		server := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.Unavailable()),
			geminitest.On(geminitest.Operation("embedContent")).Reply(geminitest.Unavailable())))
		handler := gatewayOf(t, server, gateway.WithMaxAttempts(3))
		answer, failed := failureOf(t, handler,
			gateway.Request{Path: path, Body: []byte(body), SingleAttempt: true})
		if n := len(server.Requests()); n != 1 || answer.Attempts != 1 || failed.Status < 500 ||
			len(failed.Body) == 0 {
			t.Errorf("%s: %d attempts, %+v", path, n, failed)
		}
	}
}

func TestAnswerErrorsHaveTheirCodeAndTimeToWait(t *testing.T) {
	t.Parallel()
	for path, body := range pathBodies {
		if path == "/v1/embeddings" {
			continue
		}
		in := gateway.Request{Path: path, Body: []byte(body), SingleAttempt: true}
		for name, test := range map[string]struct {
			reply geminitest.Block
			code  string
			wait  time.Duration
		}{
			"a rate limit":  {geminitest.RateLimited(7 * time.Second), "rate_limit_exceeded", 7 * time.Second},
			"a daily quota": {geminitest.DailyQuota(5 * time.Second), gateway.CodeQuota, 0},
			"a refused key": {geminitest.InvalidKey(), gateway.CodeKeyRefused, 0},
		} {
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(test.reply)))
			if _, failed := failureOf(t, gatewayOf(t, server), in); failed.Code != test.code ||
				failed.RetryAfter != test.wait {
				t.Errorf("%s: %s: %+v", path, name, failed)
			}
		}
	}
	handler := gatewayOf(t, geminitest.NewServer(t))
	for path, status := range map[string]int{"/v1/nothing": 404, "/v1beta/files": 404,
		"/v1/%zz": 400} {
		if _, failed := failureOf(t, handler,
			gateway.Request{Path: path}); failed.Status != status || failed.Code == "" {
			t.Errorf("%s: %+v", path, failed)
		}
	}
}

func TestAnswerRefusesStreamsBeforeTheUpstreamIsCalled(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server)
	for path, body := range pathBodies {
		if path == "/v1/embeddings" {
			continue
		}
		if strings.HasPrefix(path, "/v1/") {
			body = `{"stream":true,` + body[1:]
		} else {
			path = strings.Replace(path, ":generateContent", ":streamGenerateContent?alt=sse", 1)
		}
		answer, failed := failureOf(t, handler, gateway.Request{Path: path, Body: []byte(body)})
		if failed.Status != http.StatusBadRequest || failed.Code != "unsupported_value" ||
			answer.Attempts != 0 || len(failed.Body) == 0 {
			t.Errorf("%s: %+v, %+v", path, failed, answer)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d calls of the upstream", n)
	}
}

func TestAnErrorOfAnEndedContextIsThatOfTheContext(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for path, body := range pathBodies {
		if _, err := handler.Answer(ctx,
			&gateway.Request{Path: path, Body: []byte(body)}); !errors.Is(err, why) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAnswerMakesVectorsAtEachPathOfTheOperation(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	for _, path := range []string{"/v1/embeddings", "/v1beta/openai/embeddings"} {
		if _, err := handler.Answer(t.Context(),
			&gateway.Request{Path: path, Body: []byte(pathBodies["/v1/embeddings"])}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// fragile is an observer that panics.
type fragile struct{}

func (fragile) Begin(exchange.Start) exchange.Recorder { return fragileEnd{} }

type fragileEnd struct{ exchange.Nothing }

func (fragileEnd) End(exchange.End) { panic("a secret") }

func TestAPanicFailsOneAnswerInTheWordsOfItsForm(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithObserver(fragile{}))
	for path, part := range map[string]string{
		chatPath: `"type":"server_error"`, "/v1/messages": `"type":"api_error"`,
		"/v1beta/models/gemini-2.5-flash:generateContent": `"status":"INTERNAL"`,
	} {
		_, failed := failureOf(t, handler,
			gateway.Request{Path: path, Body: []byte(pathBodies[path])})
		body := string(failed.Body)
		if failed.Status != 500 || !strings.Contains(body, part) ||
			!strings.Contains(body, "panicked") || strings.Contains(body, "secret") {
			t.Errorf("%s: %+v: %s", path, failed, body)
		}
	}
}

func TestARequestThatIsNilIsAnError(t *testing.T) {
	t.Parallel()
	_, err := newGateway(t).Answer(t.Context(), nil)
	if failed, ok := errors.AsType[*gateway.Error](err); !ok ||
		failed.Status != http.StatusBadRequest {
		t.Errorf("%v", err)
	}
}
