package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

func TestAShortenedConversationHasTheDefaultModelOfOtherResponses(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"input":"x"}`, `{"model":null,"input":"x"}`,
		`{"model":"","input":"x"}`} {
		for _, path := range []string{responsesPath, compactPath} {
			server := geminitest.NewServer(t)
			answer := post(gatewayOf(t, server, gateway.WithDefaultModel("gemini-2.5-flash")), path, body)
			if answer.Code != http.StatusOK ||
				!strings.Contains(server.Requests()[0].URL.Path, "gemini-2.5-flash:") {
				t.Errorf("%s, %s: HTTP %d: %s", path, body, answer.Code, answer.Body)
			}
			e := errorOf(t, post(newGateway(t), path, body), http.StatusBadRequest)
			if *e.Code != "missing_required_parameter" || *e.Param != "model" {
				t.Errorf("%s, %s, without a default model: %+v", path, body, e)
			}
		}
	}
}
