package gateway_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// In the Responses API the input is a member of the body, so an error about the whole names the
// body.
func TestABodyIsCalledABody(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, path := range []string{chatPath, responsesPath, "/v1/messages",
		"/v1/messages/count_tokens", "/v1/embeddings"} {
		for body, want := range map[string]string{"": "the body is empty", ` `: "the body is empty",
			`{"model":"gemini-3.6-flash"`: "the body ends too early"} {
			answer := post(handler, path, body)
			if answer.Code != 400 || !strings.Contains(answer.Body.String(), want) ||
				strings.Contains(answer.Body.String(), "the input") {
				t.Errorf("%s, %q: HTTP %d: %s", path, body, answer.Code, answer.Body)
			}
		}
	}
}

// The error for an invalid query parameter has the parameter's name.
func TestAQueryIsRefusedInWords(t *testing.T) {
	t.Parallel()
	handler := newGateway(t,
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})))
	conversation := post(handler, "/v1/conversations", `{}`).Body.String()
	_, id, _ := strings.Cut(conversation, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	for _, path := range []string{
		responsesPath + "/resp_1/input_items", "/v1/conversations/" + id + "/items", "/v1/models",
		"/v1/files", "/v1/batches",
	} {
		for _, limit := range []string{"x", "1.5", "99999999999999999999"} {
			for _, headers := range [][]string{nil, anthropicClient} {
				answer := do(handler, "GET", path+"?limit="+limit+"&pageSize="+limit, headers...)
				body := answer.Body.String()
				if strings.Contains(body, "strconv") || strings.Contains(body, "parsing") ||
					answer.Code == 400 && !strings.Contains(body, "limit") &&
						!strings.Contains(body, "pageSize") {
					t.Errorf("%s?limit=%s: HTTP %d: %s", path, limit, answer.Code, body)
				}
			}
		}
	}
}
