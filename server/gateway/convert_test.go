package gateway_test

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// replyTo returns the fake server's answer to a converted request.
func replyTo(t *testing.T, handler *gateway.Handler, converted *gateway.Converted,
	body []byte) gateway.Reply {
	t.Helper()
	verb := ":generateContent"
	if converted.Embeds {
		verb = ":embedContent"
	}
	answer, err := handler.Answer(t.Context(), &gateway.Request{
		Path: "/v1beta/models/" + converted.Model + verb, Body: body})
	if err != nil {
		t.Fatalf("%s%s: %v", converted.Model, verb, err)
	}
	return gateway.Reply{Body: answer.Body}
}

func TestConvertedRepliesAreTheAnswerOfAModelCall(t *testing.T) {
	t.Parallel()
	for path, body := range pathBodies {
		fixture := geminitest.On().Reply(geminitest.Text("fine"))
		server := geminitest.NewServer(t, geminitest.WithScript(fixture))
		handler := gatewayOf(t, server)
		in := &gateway.Request{Path: path, Body: []byte(body)}
		converted, err := handler.Convert(t.Context(), in)
		if err != nil || len(converted.Requests) != 1 || converted.RequestID == "" ||
			converted.Embeds != strings.Contains(path, "embed") ||
			!strings.Contains(string(converted.Requests[0]), `"hello"`) {
			t.Errorf("%s: %v, %+v", path, err, converted)
			continue
		}
		if n := len(server.Requests()); n != 0 {
			t.Errorf("%s: %d calls of the upstream", path, n)
		}
		if !converted.Embeds && !strings.Contains(string(converted.Requests[0]), `"store":false`) {
			t.Errorf("%s: Google may store %s", path, converted.Requests[0])
		}
		reply := replyTo(t, handler, converted, converted.Requests[0])
		calls := len(server.Requests())
		got, err := handler.ConvertReplies(t.Context(), in, []gateway.Reply{reply})
		if err != nil || got.Attempts != 0 || len(server.Requests()) != calls {
			t.Errorf("%s: %v, %+v", path, err, got)
		}
		want, err := handler.Answer(t.Context(), in)
		if err != nil || got.Usage.InputTokens != want.Usage.InputTokens ||
			fieldsOf(got.Body) != fieldsOf(want.Body) {
			t.Errorf("%s: %v: %+v: %s\nwant %+v: %s", path, err, got.Usage, got.Body, want.Usage,
				want.Body)
		}
	}
}

// volatile matches the ids and times of answers.
var volatile = regexp.MustCompile(`"(id|created|created_at|completed_at|responseId)": *("[^"]*"|[0-9]+)`)

// fieldsOf returns a body without its ids and times.
func fieldsOf(body []byte) string { return volatile.ReplaceAllString(string(body), "") }

func TestConvertedRequestsAreForTheFirstModelOfTheRoute(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t),
		gateway.WithAliases(map[string]string{"gpt-9": "gemini-2.5-pro", "mine": "tunedModels/mine"}),
		gateway.WithFallbacks(map[string][]string{"gemini-2.5-pro": {"gemini-2.5-flash"}}))
	for asked, want := range map[string]struct {
		model    string
		requests int
	}{
		"gpt-9":                   {"gemini-2.5-pro", 1},
		"models/gemini-2.5-flash": {"gemini-2.5-flash", 1},
		"mine":                    {"tunedModels/mine", 0}, // which has another path
	} {
		converted, err := handler.Convert(t.Context(), &gateway.Request{Path: chatPath,
			Body: []byte(strings.Replace(pathBodies[chatPath], "gemini-2.5-flash", asked, 1))})
		if err != nil || converted.Model != want.model || len(converted.Requests) != want.requests {
			t.Errorf("%s: %v, %+v", asked, err, converted)
		}
	}
}

func TestEachTextOfAListIsARequestOfItsOwn(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	text := `{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a"}]}}`
	for path, body := range map[string]string{
		"/v1/embeddings": `{"model":"gemini-embedding-001","input":["a","b","c"]}`,
		"/v1beta/models/gemini-embedding-001:batchEmbedContents": `{"requests":[` + text + `,` +
			text + `,` + text + `]}`,
	} {
		in := &gateway.Request{Path: path, Body: []byte(body)}
		converted, err := handler.Convert(t.Context(), in)
		if err != nil || len(converted.Requests) != 3 || !converted.Embeds {
			t.Errorf("%s: %v, %+v", path, err, converted)
			continue
		}
		var replies []gateway.Reply
		for _, request := range converted.Requests {
			replies = append(replies, replyTo(t, handler, converted, request))
		}
		answer, err := handler.ConvertReplies(t.Context(), in, replies)
		if err != nil || strings.Count(string(answer.Body), `"object":"embedding"`)+
			strings.Count(string(answer.Body), `"values":`) != 3 {
			t.Errorf("%s: %v, %.300s", path, err, answer.Body)
		}
		for _, wrong := range [][]gateway.Reply{nil, replies[:2], append(replies, replies[0])} {
			if _, err := handler.ConvertReplies(t.Context(), in, wrong); err == nil {
				t.Errorf("%s: %d replies are an answer", path, len(wrong))
			}
		}
		refused := gateway.Reply{Status: 400,
			Body: []byte(`{"error":{"code":400,"message":"too odd","status":"INVALID_ARGUMENT"}}`)}
		_, err = handler.ConvertReplies(t.Context(), in, []gateway.Reply{replies[0], refused})
		if failed, ok := errors.AsType[*gateway.Error](err); !ok || failed.Status != 400 ||
			!strings.Contains(string(failed.Body), "too odd") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestConversionsNeedNoKeyAndNoLimit(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithCallersKey(), gateway.WithMaxConcurrent(1),
		gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI}))
	in := &gateway.Request{Path: chatPath, Body: []byte(pathBodies[chatPath])}
	if _, err := handler.Convert(t.Context(), in); err != nil {
		t.Error(err)
	}
	reply := gateway.Reply{Body: []byte(`{"candidates":[{"content":{"role":"model",` +
		`"parts":[{"text":"fine"}]},"finishReason":"STOP"}]}`)}
	if answer, err := handler.ConvertReplies(t.Context(), in, []gateway.Reply{reply}); err != nil ||
		!strings.Contains(string(answer.Body), `"fine"`) {
		t.Errorf("%v, %s", err, answer.Body)
	}
}

func TestRequestsWithoutAGeneratingMethodAreNotConverted(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server)
	path := strings.Replace(nativePath, "generateContent", "countTokens", 1)
	in := &gateway.Request{Path: path, Body: []byte(pathBodies[nativePath])}
	if converted, err := handler.Convert(t.Context(), in); err != nil ||
		len(converted.Requests) != 0 {
		t.Errorf("%v, %+v", err, converted)
	}
	reply := gateway.Reply{Body: []byte(`{"totalTokens":3}`)}
	if _, err := handler.ConvertReplies(t.Context(), in, []gateway.Reply{reply}); err == nil {
		t.Error("a token count is an answer")
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d calls of the upstream", n)
	}
}

func TestRefusedRequestsAreNotConverted(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	for body, status := range map[string]int{
		`{"model":"gemini-2.5-flash","messages":[{"role":"narrator","content":"x"}]}`: 400,
		`{"stream":true,` + pathBodies[chatPath][1:]:                                  400,
		`{`: 400,
	} {
		converted, err := handler.Convert(t.Context(),
			&gateway.Request{Path: chatPath, Body: []byte(body)})
		if failed, ok := errors.AsType[*gateway.Error](err); !ok || failed.Status != status ||
			len(failed.Body) == 0 || converted.RequestID == "" || converted.Requests != nil {
			t.Errorf("%s: %v, %+v", body, err, converted)
		}
	}
}

func TestUnreadableRepliesAreTheUpstreamsFault(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	in := &gateway.Request{Path: chatPath, Body: []byte(pathBodies[chatPath])}
	for _, body := range []string{`{"candidates":7}`, `{`,
		`{"error":{"code":500,"message":"x","status":"INTERNAL"}}`} {
		_, err := handler.ConvertReplies(t.Context(), in, []gateway.Reply{{Body: []byte(body)}})
		if failed, ok := errors.AsType[*gateway.Error](err); !ok ||
			failed.Status < http.StatusInternalServerError {
			t.Errorf("%s: %v", body, err)
		}
	}
}
