package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/corpustest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/openai/request"
)

// Whatever a client sent and a server answered with success is a request for Gemini too, for each of its models.
func TestEveryAnsweredRequestOfAClientIsConverted(t *testing.T) {
	t.Parallel()
	answered := map[string]bool{}
	for _, kind := range []corpustest.Kind{corpustest.Response, corpustest.Stream} {
		for _, p := range corpustest.ClientPayloads(t, "chat_completions", kind) {
			answered[p.Pair] = answered[p.Pair] || p.HTTPStatus == "200"
		}
	}
	converted := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Request) {
		if !answered[p.Name] {
			continue
		}
		in, err := openai.DecodeRequest(p.Read(t))
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		for _, model := range []string{flash25, pro3, flash36} {
			if _, _, err := request.ToGemini(in, request.ForModel(model)); err == nil {
				converted++
			} else if model != flash36 || in.Messages[len(in.Messages)-1].Role != openaiapi.RoleAssistant { // which it refuses
				t.Errorf("%s: %s: %v", p.Name, model, err)
			}
		}
	}
	if converted < corpustest.AtLeast(2000) {
		t.Errorf("only %d recorded requests", converted)
	}
}
