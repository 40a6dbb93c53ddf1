package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

func TestAnswerSaysThatAGatewayWithCallersKeysHasNoneForIt(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	upstream := gateway.Upstream{Service: gateway.GeminiAPI, HTTPClient: server.HTTPClient()}
	handler := newGateway(t, gateway.WithCallersKey(), gateway.WithUpstream(upstream))
	for path, body := range pathBodies {
		_, failed := failureOf(t, handler, gateway.Request{Path: path, Body: []byte(body)})
		if failed.Status != http.StatusUnauthorized || failed.Code != "invalid_api_key" ||
			!strings.Contains(failed.Message, "the gateway's Go API") ||
			strings.Contains(failed.Message, "Bearer") {
			t.Errorf("%s: %+v", path, failed)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d calls of the upstream", n)
	}
}

func TestAnswerCountsTokensAtThePathsOfTheForms(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		countPath:                               pathBodies["/v1/messages"],
		"/v1/responses/input_tokens":            pathBodies["/v1/responses"],
		"/v1beta/openai/responses/input_tokens": pathBodies["/v1/responses"],
	}
	for mode, attempts := range map[gateway.CountMode]int{gateway.CountByGemini: 1,
		gateway.CountByEstimate: 0} {
		for path, body := range bodies {
			handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithTokenCount(mode))
			answer, err := handler.Answer(t.Context(),
				&gateway.Request{Path: path, Body: []byte(body)})
			if err != nil || answer.Attempts != attempts || answer.Usage.InputTokens != 0 ||
				!strings.Contains(string(answer.Body), `"input_tokens":`) {
				t.Errorf("%s by %s: %v, %+v: %s", path, mode, err, answer, answer.Body)
				continue
			}
			want := post(handler, path, body)
			if string(answer.Body) != want.Body.String() {
				t.Errorf("%s by %s: got %s, want %s", path, mode, answer.Body, want.Body)
			}
			converted, err := handler.Convert(t.Context(),
				&gateway.Request{Path: path, Body: []byte(body)})
			if err != nil || len(converted.Requests) != 0 {
				t.Errorf("%s: %v, %+v", path, err, converted)
			}
		}
	}
}

// A caller of Answer pays for the answer, so it must not be lost because it arrives late.
func TestAnswerRefusesBackgroundResponses(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	for _, more := range []string{`"background":true`, `"background":true,"stream":true`} {
		in := gateway.Request{Path: responsesPath,
			Body: []byte(`{` + more + `,` + pathBodies[responsesPath][1:])}
		answer, failed := failureOf(t, handler, in)
		if failed.Status != http.StatusBadRequest || failed.Code != "unsupported_value" ||
			!strings.HasPrefix(failed.Message, "/background: ") || answer.Attempts != 0 {
			t.Errorf("%s: %+v", more, failed)
		}
		if _, err := handler.Convert(t.Context(), &in); err == nil {
			t.Errorf("%s: it is converted", more)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d calls of the upstream", n)
	}
}

func TestAnswerContinuesStoredResponsesOfItsClientOnly(t *testing.T) {
	t.Parallel()
	keys, err := clientkey.Read([]byte("keys:\n- {name: ann, hash: '" + clientkey.Hash("ann's") +
		"'}\n- {name: eve, hash: '" + clientkey.Hash("eve's") + "'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	handler := keeping(t, geminitest.NewServer(t), gateway.WithClientKeys(keys))
	first, err := handler.Answer(t.Context(), &gateway.Request{Path: responsesPath, Client: "ann",
		Body: []byte(pathBodies[responsesPath])})
	if err != nil {
		t.Fatal(err)
	}
	_, id, _ := strings.Cut(string(first.Body), `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	next := []byte(`{"previous_response_id":"` + id + `",` + pathBodies[responsesPath][1:])
	if _, err := handler.Answer(t.Context(),
		&gateway.Request{Path: responsesPath, Client: "ann", Body: next}); err != nil {
		t.Errorf("her own: %v", err)
	}
	for _, client := range []string{"eve", ""} {
		_, failed := failureOf(t, handler,
			gateway.Request{Path: responsesPath, Client: client, Body: next})
		if failed.Status != http.StatusBadRequest && failed.Status != http.StatusNotFound {
			t.Errorf("%q: %+v", client, failed)
		}
	}
	got := do(handler, http.MethodGet, responsesPath+"/"+id, "Authorization", "Bearer ann's")
	if got.Code != http.StatusOK {
		t.Errorf("by HTTP: %d %s", got.Code, got.Body)
	}
}
