package fakegemini_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

func TestAnAnswerIsPlayedInSeveralReplies(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]func() *geminitest.Fixture{
		"in turn": func() *geminitest.Fixture {
			return geminitest.On().Reply(geminitest.Text("Hel", "lo "),
				geminitest.Continue("dDE=")).
				Reply(geminitest.Text("wor"),
					geminitest.Continue("dDI=")).Reply(geminitest.Text("ld"))
		},
		"broken": func() *geminitest.Fixture {
			return geminitest.On().Reply(geminitest.Text("Hel", "lo "), geminitest.Continue("dDE="),
				geminitest.Cut()).
				Reply(geminitest.Text("wor"), geminitest.Continue("dDI="),
					geminitest.Reset()).Reply(geminitest.Text("ld"))
		},
	} {
		for _, isStreamed := range []bool{false, true} {
			if name == "broken" && !isStreamed {
				continue // A whole answer that breaks is asked for again.
			}
			server := geminitest.NewServer(t, geminitest.WithModels("gemini-4-argon"),
				geminitest.WithScript(script()), geminitest.WithAllFixturesUsed())
			request := &geminiapi.GenerateContentRequest{Model: new("gemini-4-argon"),
				Contents: []geminiapi.Content{gemini.UserText("Go")}}
			var text strings.Builder
			var last *geminiapi.GenerateContentResponse
			add := func(answer *geminiapi.GenerateContentResponse, err error) {
				if err != nil {
					t.Fatal(name, isStreamed, err)
				}
				for _, part := range answer.Candidates[0].Content.Parts {
					text.WriteString(jsonx.Deref(part.Text))
				}
				last = answer
			}
			if isStreamed {
				for chunk, err := range server.Client().StreamGenerateContent(t.Context(),
					request) {
					add(chunk, err)
				}
			} else {
				add(server.Client().GenerateContent(t.Context(), request))
			}
			if text.String() != "Hello world" ||
				*last.Candidates[0].FinishReason != geminiapi.FinishReasonStop ||
				last.Candidates[0].ContinuationToken != nil {
				t.Errorf("%s, streamed %t: %q, %+v", name, isStreamed, text.String(),
					last.Candidates[0])
			}
			var tokens []string
			for _, sent := range server.Requests() {
				tokens = append(tokens, jsonx.Deref(sent.Content.ContinuationToken))
			}
			if got := strings.Join(tokens, " "); got != " dDE= dDI=" {
				t.Errorf("%s, streamed %t: the tokens sent are %q", name, isStreamed, got)
			}
		}
	}
}
