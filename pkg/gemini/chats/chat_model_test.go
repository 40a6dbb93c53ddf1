package chats_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/chats"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// echo is a model without HTTP that repeats the user's last text. It does not answer an empty
// text.
type echo struct{}

func (echo) GenerateContent(_ context.Context, request *geminiapi.GenerateContentRequest,
	_ ...gemini.CallOption) (*geminiapi.GenerateContentResponse, error) {
	last := request.Contents[len(request.Contents)-1]
	if *last.Parts[0].Text == "" {
		return nil, nil // which no model should
	}
	answer := gemini.ModelText(*last.Parts[0].Text)
	return &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{Content: &answer}}},
		nil
}

func (e echo) StreamGenerateContent(ctx context.Context, request *geminiapi.GenerateContentRequest,
	opts ...gemini.CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		if answer, err := e.GenerateContent(ctx, request, opts...); answer != nil || err != nil {
			yield(answer, err)
		}
	}
}

func TestAChatTakesAModelWithoutHTTP(t *testing.T) {
	t.Parallel()
	chat := chats.New(echo{}, nil)
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
	chat := chats.New(echo{}, nil)
	_, sent := chat.Send(t.Context(), gemini.UserText(""))
	var streamed error
	for _, err := range chat.Stream(t.Context(), gemini.UserText("")) {
		streamed = err
	}
	for _, err := range []error{sent, streamed} {
		if _, ok := errors.AsType[*chats.NoContentError](err); !ok || err.Error() == "" {
			t.Errorf("got %v, want a NoContentError", err)
		}
	}
	wantTexts(t, chat.History().Contents)
}

func TestAChatThatIsNotMadeSaysSo(t *testing.T) {
	t.Parallel()
	for name, chat := range map[string]*chats.Chat{"nil": nil, "zero": new(chats.Chat),
		"no model": chats.New(nil, nil)} {
		_, sent := chat.Send(t.Context(), gemini.UserText("Hi"))
		var streamed error
		for _, err := range chat.Stream(t.Context(), gemini.UserText("Hi")) {
			streamed = err
		}
		for _, err := range []error{sent, streamed} {
			if !errors.Is(err, chats.ErrNotMade) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if history := chat.History(); len(history.Contents) != 0 {
			t.Errorf("%s: %+v", name, history)
		}
	}
	var none *gemini.Client
	if _, err := chats.New(none, nil).Send(t.Context(), gemini.UserText("Hi")); err == nil {
		t.Error("a client that was not made has answered")
	}
	for _, err := range []error{new(chats.NoContentError), new(chats.BudgetError)} {
		if err.Error() == "" {
			t.Errorf("%T has no text", err)
		}
	}
}

func TestNilOptionsOfAChatDoNothing(t *testing.T) {
	t.Parallel()
	chat := chats.New(echo{}, nil, nil, chats.WithTokenBudget(-1, nil), nil)
	if _, err := chat.Send(t.Context(), gemini.UserText("Hello"), nil); err != nil {
		t.Error(err)
	}
}

// recited is a model without HTTP that returns one answer.
type recited struct {
	answer *geminiapi.GenerateContentResponse
}

func (r recited) GenerateContent(context.Context, *geminiapi.GenerateContentRequest,
	...gemini.CallOption) (*geminiapi.GenerateContentResponse, error) {
	return r.answer, nil
}

func (r recited) StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest,
	...gemini.CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) { yield(r.answer, nil) }
}

func TestAChatKeepsTheCandidateThatNormalizeTakesForTheFirst(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ answer, want string }{
		"in their order":       {`{"candidates":[{"index":0,"content":{"parts":[{"text":"right"}]}},{"index":1,"content":{"parts":[{"text":"other"}]}}]}`, "model: right"},
		"swapped":              {`{"candidates":[{"index":1,"content":{"parts":[{"text":"other"}]}},{"index":0,"content":{"parts":[{"text":"right"}]}}]}`, "model: right"},
		"without 0":            {`{"candidates":[{"index":2,"content":{"parts":[{"text":"other"}]}},{"index":1,"content":{"parts":[{"text":"right"}]}}]}`, "model: right"},
		"one without an index": {`{"candidates":[{"index":1,"content":{"parts":[{"text":"other"}]}},{"content":{"parts":[{"text":"right"}]}}]}`, "model: right"},
		"the same index twice": {`{"candidates":[{"index":1,"content":{"parts":[{"text":"other"}]}},{"index":1,"content":{"parts":[{"text":"right"}]}}]}`, "model: right"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, err := gemini.DecodeResponse([]byte(test.answer))
			if err != nil {
				t.Fatal(err)
			}
			normalized, err := normalize.FromResponse(answer)
			if err != nil {
				t.Fatal(err)
			}
			first := gemini.FirstCandidate(answer)
			if text := "model: " + normalized.Text(); text != test.want ||
				text != "model: "+*first.Content.Parts[0].Text {
				t.Errorf("normalize takes %s", text)
			}
			sent, streamed := chats.New(recited{answer}, nil), chats.New(recited{answer}, nil)
			if _, err := sent.Send(t.Context(), gemini.UserText("Hi")); err != nil {
				t.Fatal(err)
			}
			for _, err := range streamed.Stream(t.Context(), gemini.UserText("Hi")) {
				if err != nil {
					t.Fatal(err)
				}
			}
			wantTexts(t, sent.History().Contents, "user: Hi", test.want)
			wantTexts(t, streamed.History().Contents, "user: Hi", test.want)
		})
	}
}

func TestTheReasonForNoContentIsThatOfTheFirstCandidate(t *testing.T) {
	t.Parallel()
	answer, err := gemini.DecodeResponse(
		[]byte(`{"candidates":[{"index":1,"finishReason":"STOP","content":{"parts":[{"text":"x"}]}},{"index":0,"finishReason":"SAFETY"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = chats.New(recited{answer}, nil).Send(t.Context(), gemini.UserText("Hi"))
	if err == nil || err.Error() != "chats: no content: the model ended with SAFETY" {
		t.Error(err)
	}
}
