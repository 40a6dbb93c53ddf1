package option_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/websearch"
)

func TestOptionsAreAppliedInTheirOrder(t *testing.T) {
	t.Parallel()
	word := ""
	add := func(letter string) func(*string) { return func(s *string) { *s += letter } }
	if option.Apply(&word, []func(*string){add("a"), nil, add("b")}); word != "ab" {
		t.Error(word)
	}
}

func TestANilOptionIsIgnoredInEveryRoom(t *testing.T) {
	t.Parallel()
	answer := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
		Content:      &geminiapi.Content{Parts: []geminiapi.Part{gemini.TextPart("a")}},
		FinishReason: new(geminiapi.FinishReasonStop),
	}}}
	question := &geminiapi.GenerateContentRequest{Model: new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("a")}}
	for name, call := range map[string]func() error{
		"normalize":         func() error { _, err := normalize.FromResponse(answer, nil); return err },
		"a normal stream":   func() error { _, err := normalize.NewStream(nil).Push(answer); return err },
		"chat":              func() error { _, _, err := chat.FromGemini(answer, nil); return err },
		"a chat stream":     func() error { _, err := chat.NewStream(nil).Push(answer); return err },
		"responses":         func() error { _, _, err := responses.FromGemini(answer, nil); return err },
		"a response stream": func() error { _, err := responses.NewStream(nil).Push(answer); return err },
		"messages":          func() error { _, _, err := messages.FromGemini(answer, nil); return err },
		"a message stream":  func() error { _, err := messages.NewStream(nil).Push(answer); return err },
		"stream parts":      func() error { _, err := aisdk.NewStream(nil).Push(answer); return err },
		"an agent":          func() error { agent.NewStream(nil); return nil },
		"a request": func() error {
			_, _, err := request.ToGemini(&openaiapi.CreateChatCompletionRequest{
				Model: "gemini-3.6-flash", Messages: []openaiapi.ChatMessage{openai.UserText("a")},
			}, nil)
			return err
		},
		"the check of a request": func() error { return gemini.ValidateRequest(question, nil) },
		"a stream of bytes":      func() error { gemini.NewStreamReader(strings.NewReader(""), nil); return nil },
		"a client":               func() error { _, err := gemini.NewClient(gemini.WithAPIKey("k"), nil); return err },
		"a search":               func() error { _, err := websearch.New(websearch.Credentials{}, nil); return err },
		"structured output":      func() error { _, err := structured.Parse[map[string]int](`{"a":1}`, nil); return err },
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
