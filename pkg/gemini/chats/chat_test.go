package chats_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/chats"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	stdjson "encoding/json"
)

// talk answers requests in turn, and stores their bodies. A reply is the JSON of an answer, a list
// of chunks, or an error status.
type talk struct {
	replies []string
	bodies  []string
	hold    chan struct{} // closed before replies are given, unless nil
}

func (s *talk) Do(request *http.Request) (*http.Response, error) {
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	s.bodies = append(s.bodies, string(body))
	reply := s.replies[min(len(s.bodies), len(s.replies))-1]
	if status, rest, found := strings.Cut(reply, " "); found && len(status) == 3 {
		var code int
		if _, err := fmt.Sscan(status, &code); err != nil {
			return nil, err
		}
		return httpReply(code, "application/json", rest), nil
	}
	return httpReply(200, "application/json", reply), nil
}

// contents returns the contents of a request.
func (s *talk) contents(t *testing.T, i int) []geminiapi.Content {
	t.Helper()
	request, err := gemini.DecodeRequest([]byte(s.bodies[i]))
	if err != nil {
		t.Fatal(err)
	}
	return request.Contents
}

func newChat(t *testing.T, server *talk, opts ...chats.Option) *chats.Chat {
	t.Helper()
	client := newClient(t, gemini.WithHTTPClient(server), gemini.WithMaxAttempts(1))
	return chats.New(client, &geminiapi.GenerateContentRequest{
		Model: new("gemini-3.6-flash"), SystemInstruction: gemini.SystemInstruction("Be brief."),
	}, opts...)
}

// said is an answer with usage.
func said(text string, prompt, candidates int) string {
	return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%q}]},"finishReason":"STOP"}],
		"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"thoughtsTokenCount":5,"totalTokenCount":%d}}`,
		text, prompt, candidates, prompt+candidates+5)
}

// texts describes turns by their roles and first texts.
func texts(contents []geminiapi.Content) []string {
	var out []string
	for _, turn := range contents {
		text := "(no text)"
		if len(turn.Parts) > 0 && turn.Parts[0].Text != nil {
			text = *turn.Parts[0].Text
		}
		out = append(out, *turn.Role+": "+text)
	}
	return out
}

func wantTexts(t *testing.T, got []geminiapi.Content, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Error(diff)
	}
}

func TestAChatSendsAllTurnsAgain(t *testing.T) {
	t.Parallel()
	server := &talk{replies: []string{said("Hello.", 10, 2), said("Fine.", 20, 3)}}
	chat := newChat(t, server)
	for _, text := range []string{"Hi", "How are you?"} {
		if _, err := chat.Send(t.Context(), gemini.UserText(text)); err != nil {
			t.Fatal(err)
		}
	}
	wantTexts(t, server.contents(t, 0), "user: Hi")
	wantTexts(t, server.contents(t, 1), "user: Hi", "model: Hello.", "user: How are you?")
	history := chat.History()
	wantTexts(t, history.Contents, "user: Hi", "model: Hello.", "user: How are you?",
		"model: Fine.")
	if !strings.Contains(server.bodies[1], `"systemInstruction":{"parts":[{"text":"Be brief."}]}`) {
		t.Error(server.bodies[1])
	}
	if history.Tokens != 23 || *history.Usage.PromptTokenCount != 30 ||
		*history.Usage.TotalTokenCount != 45 {
		t.Errorf("%d, %+v", history.Tokens, history.Usage)
	}
}

// signedTurn is a turn with everything that must be sent back unchanged.
const signedTurn = `{"role":"model","unknownOfContent":true,"parts":[{"text":"Hm.","thought":true},{"text":"Let me look.","thoughtSignature":"c2ln"},` +
	`{"functionCall":{"id":"c1","name":"f","args":{"n":12345678901234567890}},"thoughtSignature":"c2lnMg==","unknownOfPart":1}]}`

func TestAChatKeepsTurnsAsTheyCame(t *testing.T) {
	t.Parallel()
	chunks := `[{"candidates":[{"content":{"role":"model","unknownOfContent":true,"parts":[{"text":"H","thought":true}]}}]},
		{"candidates":[{"content":{"role":"model","parts":[{"text":"m.","thought":true}]}}]},
		{"candidates":[{"content":{"role":"model","parts":[{"text":"Let me look.","thoughtSignature":"c2ln"},
		{"functionCall":{"id":"c1","name":"f","args":{"n":12345678901234567890}},"thoughtSignature":"c2lnMg==","unknownOfPart":1}]},"finishReason":"STOP"}]}]`
	for name, first := range map[string]string{"whole": `{"candidates":[{"content":` + signedTurn +
		`,"finishReason":"STOP"}]}`, "streamed": chunks} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &talk{replies: []string{first, said("Done.", 1, 1)}}
			chat := newChat(t, server)
			var call *geminiapi.FunctionCall
			if name == "whole" {
				response, err := chat.Send(t.Context(), gemini.UserText("Go"))
				if err != nil {
					t.Fatal(err)
				}
				call = response.Candidates[0].Content.Parts[2].FunctionCall
			} else {
				for chunk, err := range chat.Stream(t.Context(), gemini.UserText("Go")) {
					if err != nil {
						t.Fatal(err)
					}
					if parts := chunk.Candidates[0].Content.Parts; len(parts) == 2 {
						call = parts[1].FunctionCall
					}
				}
			}
			result, err := gemini.FunctionResult(call, "42")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := chat.Send(t.Context(), gemini.UserResults(result)); err != nil {
				t.Fatal(err)
			}
			want, err := gemini.DecodeRequest([]byte(`{"contents":[` + signedTurn + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Contents[0], server.contents(t, 1)[1]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAFailedTurnLeavesTheChatAsItWas(t *testing.T) {
	t.Parallel()
	const truncated = `[{"candidates":[{"content":{"parts":[{"text":"Hal"}]}}]}`
	tests := map[string]struct {
		reply string
		check func(error) bool
	}{
		"an error of the server": {`429 {"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}`, func(err error) bool { return errors.Is(err, &gemini.Error{HTTPStatus: 429}) }},
		"a stream that was cut":  {truncated, func(err error) bool { return err != nil }},
		"a refused prompt":       {`{"promptFeedback":{"blockReason":"SAFETY"}}`, isNoContent("chats: no content: the prompt was refused: SAFETY")},
		"a filter":               {`{"candidates":[{"finishReason":"SAFETY"}]}`, isNoContent("chats: no content: the model ended with SAFETY")},
		"an answer of nothing":   {`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}`, isNoContent("chats: no content: the model ended with STOP")},
		"no candidates":          {`{"usageMetadata":{"totalTokenCount":1}}`, isNoContent("chats: no content")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &talk{replies: []string{said("Hello.", 10, 2), test.reply, test.reply,
				said("Again.", 10, 2)}}
			chat := newChat(t, server)
			if _, err := chat.Send(t.Context(), gemini.UserText("Hi")); err != nil {
				t.Fatal(err)
			}
			if _, err := chat.Send(t.Context(), gemini.UserText("What?")); !test.check(err) {
				t.Error(err)
			}
			wantTexts(t, chat.History().Contents, "user: Hi", "model: Hello.")
			if err := lastError(chat.Stream(t.Context(), gemini.UserText("What?"))); err == nil {
				t.Error("the stream did not fail")
			}
			wantTexts(t, chat.History().Contents, "user: Hi", "model: Hello.")
			if _, err := chat.Send(t.Context(), gemini.UserText("What?")); err != nil {
				t.Error(err)
			}
			wantTexts(t, chat.History().Contents, "user: Hi", "model: Hello.", "user: What?",
				"model: Again.")
		})
	}
}

func isNoContent(text string) func(error) bool {
	return func(err error) bool {
		_, ok := errors.AsType[*chats.NoContentError](err)
		return ok && err.Error() == text
	}
}

func lastError(chunks func(func(*geminiapi.GenerateContentResponse, error) bool)) error {
	var last error
	for _, err := range chunks {
		last = err
	}
	return last
}

func TestAStreamThatIsLeftLeavesTheChatAsItWas(t *testing.T) {
	t.Parallel()
	server := &talk{replies: []string{`[` + said("Hel", 1, 1) + `,` + said("lo", 1, 1) + `]`}}
	chat := newChat(t, server)
	for range chat.Stream(t.Context(), gemini.UserText("Hi")) {
		break
	}
	if history := chat.History(); len(history.Contents) != 0 {
		t.Errorf("%v", texts(history.Contents))
	}
}

func TestACancelledTurnLeavesTheChatAsItWas(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := &talk{replies: []string{said("Hello.", 1, 1)}, hold: make(chan struct{})}
		chat := newChat(t, server)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := chat.Send(ctx, gemini.UserText("Hi"))
			failed <- err
		}()
		synctest.Wait()
		if _, err := chat.Send(t.Context(), gemini.UserText("You")); !errors.Is(err,
			chats.ErrBusy) {
			t.Error(err)
		}
		if err := lastError(chat.Stream(t.Context(), gemini.UserText("You"))); !errors.Is(err,
			chats.ErrBusy) {
			t.Error(err)
		}
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(server.hold)
		if _, err := chat.Send(t.Context(), gemini.UserText("Hi")); err != nil {
			t.Error(err)
		}
		wantTexts(t, chat.History().Contents, "user: Hi", "model: Hello.")
	})
}

func TestAHistoryIsStoredAndContinued(t *testing.T) {
	t.Parallel()
	server := &talk{replies: []string{`{"candidates":[{"content":` + signedTurn +
		`,"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2,"totalTokenCount":9}}`}}
	chat := newChat(t, server)
	if _, err := chat.Send(t.Context(), gemini.UserText("Hi")); err != nil {
		t.Fatal(err)
	}
	stored, err := stdjson.Marshal(chat.History())
	if err != nil {
		t.Fatal(err)
	}
	var history chats.History
	if err := stdjson.Unmarshal(stored, &history); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(chat.History(), history); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(stored), `"tokens":9`) || !jsontext.Value(stored).IsValid() {
		t.Errorf("%s", stored)
	}
	other := &talk{replies: []string{said("Fine.", 20, 3)}}
	again := newChat(t, other, chats.WithHistory(history))
	if _, err := again.Send(t.Context(), gemini.UserText("And?")); err != nil {
		t.Fatal(err)
	}
	if len(other.contents(t, 0)) != 3 || *again.History().Usage.PromptTokenCount != 27 {
		t.Errorf("%+v", again.History())
	}
}

func TestAHistoryIsACopy(t *testing.T) {
	t.Parallel()
	server := &talk{replies: []string{said("a", 1, 1)}}
	chat := newChat(t, server)
	if _, err := chat.Send(t.Context(), gemini.UserText("Hi")); err != nil {
		t.Fatal(err)
	}
	history := chat.History()
	_ = append(history.Contents[:1], gemini.UserText("changed"))
	wantTexts(t, chat.History().Contents, "user: Hi", "model: a")
}

func TestTheContentsOfTheRequestComeFirst(t *testing.T) {
	t.Parallel()
	server := &talk{replies: []string{said("Hello.", 1, 1)}}
	client := newClient(t, gemini.WithHTTPClient(server))
	request := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText("An example"),
		gemini.ModelText("Its answer")}}
	chat := chats.New(client, request)
	if _, err := chat.Send(t.Context(), gemini.UserText("Hi"),
		gemini.WithModel("gemini-3.6-flash")); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, server.contents(t, 0), "user: An example", "model: Its answer", "user: Hi")
	wantTexts(t, request.Contents, "user: An example", "model: Its answer")
}

func TestALongChatIsShortened(t *testing.T) {
	t.Parallel()
	server := &talk{replies: []string{said("one", 10, 2), said("two", 90, 11), "500 {}",
		said("three", 30, 2)}}
	chat := newChat(t, server, chats.WithTokenBudget(100, chats.KeepLastTurns(1)))
	for _, text := range []string{"1", "2"} {
		if _, err := chat.Send(t.Context(), gemini.UserText(text)); err != nil {
			t.Fatal(err)
		}
	}
	wantTexts(t, server.contents(t, 1), "user: 1", "model: one", "user: 2")
	if _, err := chat.Send(t.Context(), gemini.UserText("3")); err == nil {
		t.Error("the server did not fail")
	}
	wantTexts(t, chat.History().Contents, "user: 1", "model: one", "user: 2", "model: two")
	if _, err := chat.Send(t.Context(), gemini.UserText("3")); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, server.contents(t, 3), "user: 2", "model: two", "user: 3")
	wantTexts(t, chat.History().Contents, "user: 2", "model: two", "user: 3", "model: three")
}

func TestALongChatThatNothingShortensFails(t *testing.T) {
	t.Parallel()
	asleep := errors.New("the summariser is asleep")
	for want, shorten := range map[string]chats.Shorten{
		"chats: 101 tokens exceed the budget of 100": nil,
		"chats: shorten: the summariser is asleep": func(context.Context,
			chats.History) ([]geminiapi.Content, error) {
			return nil, asleep
		},
	} {
		chat := newChat(t, &talk{}, chats.WithHistory(chats.History{Tokens: 101}),
			chats.WithTokenBudget(100, shorten))
		if _, err := chat.Send(t.Context(), gemini.UserText("Hi")); err == nil ||
			err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestKeepLastTurns(t *testing.T) {
	t.Parallel()
	call := geminiapi.Content{Role: new("model"),
		Parts: []geminiapi.Part{{FunctionCall: &geminiapi.FunctionCall{Name: new("f")}}}}
	result := gemini.UserResults(&geminiapi.FunctionResponse{Name: new("f")})
	all := []geminiapi.Content{gemini.UserText("1"), gemini.ModelText("one"), gemini.UserText("2"),
		call, result, gemini.ModelText("two"), gemini.UserText("3"), gemini.ModelText("three")}
	for n, want := range map[int]int{-1: 0, 0: 0, 1: 2, 2: 6, 3: 8, 4: 8} {
		got, err := chats.KeepLastTurns(n)(t.Context(), chats.History{Contents: all})
		if err != nil || len(got) != want {
			t.Errorf("%d: %v, %v", n, texts(got), err)
		}
	}
}

func httpReply(status int, contentType, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {contentType}}, ContentLength: -1,
		Body: io.NopCloser(strings.NewReader(body)),
	}
}

func newClient(t *testing.T, opts ...gemini.ClientOption) *gemini.Client {
	t.Helper()
	client, err := gemini.NewClient(append([]gemini.ClientOption{gemini.WithAPIKey("k-secret")},
		opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
