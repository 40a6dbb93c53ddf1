package gemini_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// echo is a model without HTTP, which says what the user said last; to silence it says nothing at all.
type echo struct{}

func (echo) GenerateContent(_ context.Context, request *geminiapi.GenerateContentRequest, _ ...gemini.Option) (*geminiapi.GenerateContentResponse, error) {
	last := request.Contents[len(request.Contents)-1]
	if *last.Parts[0].Text == "" {
		return nil, nil // which no model should
	}
	answer := gemini.ModelText(*last.Parts[0].Text)
	return &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{Content: &answer}}}, nil
}

func (e echo) StreamGenerateContent(ctx context.Context, request *geminiapi.GenerateContentRequest, opts ...gemini.Option) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		if answer, err := e.GenerateContent(ctx, request, opts...); answer != nil || err != nil {
			yield(answer, err)
		}
	}
}

func TestAChatTakesAModelWithoutHTTP(t *testing.T) {
	t.Parallel()
	chat := gemini.NewChat(echo{}, nil)
	if _, err := chat.Send(t.Context(), gemini.UserText("Hello")); err != nil {
		t.Fatal(err)
	}
	for _, err := range chat.Stream(t.Context(), gemini.UserText("Bye")) {
		if err != nil {
			t.Fatal(err)
		}
	}
	wantTexts(t, chat.History().Contents, "user: Hello", "model: Hello", "user: Bye", "model: Bye")
}

func TestAModelThatSaysNothingLeavesTheChatAsItWas(t *testing.T) {
	t.Parallel()
	chat := gemini.NewChat(echo{}, nil)
	_, sent := chat.Send(t.Context(), gemini.UserText(""))
	var streamed error
	for _, err := range chat.Stream(t.Context(), gemini.UserText("")) {
		streamed = err
	}
	for _, err := range []error{sent, streamed} {
		if _, ok := errors.AsType[*gemini.NoContentError](err); !ok || err.Error() == "" {
			t.Errorf("got %v, want a NoContentError", err)
		}
	}
	wantTexts(t, chat.History().Contents)
}

func TestAChatThatIsNotMadeSaysSo(t *testing.T) {
	t.Parallel()
	for name, chat := range map[string]*gemini.Chat{"zero": new(gemini.Chat), "no model": gemini.NewChat(nil, nil)} {
		_, sent := chat.Send(t.Context(), gemini.UserText("Hi"))
		var streamed error
		for _, err := range chat.Stream(t.Context(), gemini.UserText("Hi")) {
			streamed = err
		}
		for _, err := range []error{sent, streamed} {
			if err == nil || err.Error() != "gemini: chat: it was not made by NewChat with a model" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	var none *gemini.Client
	if _, err := gemini.NewChat(none, nil).Send(t.Context(), gemini.UserText("Hi")); err == nil {
		t.Error("a client that was not made has answered")
	}
}
