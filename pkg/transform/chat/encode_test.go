package chat_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestTheBytesOfAFilledCompletionSayAllOfIt(t *testing.T) {
	t.Parallel()
	var out openaiapi.CreateChatCompletionResponse
	leaftest.Fill(&out)
	out.Choices[0].Message.Images[0].ImageURL.URL = wiretype.InlineMedia("image/png", "AAAA")
	again, err := openai.DecodeResponse([]byte(openaitest.Encode(t, &out)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&out, again, sameCompletion); diff != "" {
		t.Error(diff)
	}
}

func TestNothingIsEscapedThatNeedNotBe(t *testing.T) {
	t.Parallel()
	choice, _ := openaitest.Part(t, `{"text":"<a href=\"x\">&amp;</a>   灯\u0000\n"}`)
	got := openaitest.Encode(t,
		&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}})
	if !strings.Contains(got, "\"content\":\"<a href=\\\"x\\\">&amp;</a>   灯\\u0000\\n\"") {
		t.Errorf("got %s", got)
	}
}

// large and small are media that are encoded in the same way at any size.
var large, small = strings.Repeat("AbC+/0==", 32<<10), "AbC+/0=="

func TestLargeMediaIsEncodedAsSmallMediaIs(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"an image":            `{"inlineData":{"mimeType":"image/png","data":"DATA"}}`,
		"two images":          `{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"DATA"}},{"inlineData":{"mimeType":"image/\"\\é","data":"DATA"}}`,
		"a sound":             `{"inlineData":{"mimeType":"audio/wav","data":"DATA"}}`,
		"a film":              `{"inlineData":{"mimeType":"video/mp4","data":"DATA"}}`,
		"all of it":           `{"inlineData":{"mimeType":"video/mp4","data":"DATA"}},{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"DATA"}},{"inlineData":{"mimeType":"audio/wav","data":"DATA"}}`,
		"data with a quote":   `{"inlineData":{"mimeType":"image/png","data":"DATA\"DATA"}}`,
		"data with a slash":   `{"inlineData":{"mimeType":"image/png","data":"DATA\\DATA"}}`,
		"data with escapes":   `{"inlineData":{"mimeType":"image/png","data":"DATA\n\"DATA"}}`,
		"data beyond ASCII":   `{"inlineData":{"mimeType":"image/png","data":"DATAéDATA"}}`,
		"next to an infinity": `{"inlineData":{"mimeType":"image/png","data":"DATA"},"newMember":1}`,
	}
	for name, parts := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			choice, _ := openaitest.Part(t, strings.ReplaceAll(parts, "DATA", large))
			if name == "next to an infinity" {
				choice.Message.ExtraContent.Google.AvgLogprobs = new(openaitest.Inf)
			}
			got := openaitest.Encode(t,
				&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}})

			choice, _ = openaitest.Part(t, strings.ReplaceAll(parts, "DATA", small))
			if name == "next to an infinity" {
				choice.Message.ExtraContent.Google.AvgLogprobs = new(openaitest.Inf)
			}
			want := strings.ReplaceAll(openaitest.Encode(t,
				&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}),
				small, large)
			if got != want {
				t.Errorf("got %d bytes, want %d", len(got), len(want))
			}
		})
	}
}

func TestAppendResponseAppends(t *testing.T) {
	t.Parallel()
	for _, data := range []string{small, large} {
		choice, _ := openaitest.Part(t, `{"inlineData":{"mimeType":"image/png","data":"`+data+`"}}`)
		out := &openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}
		got, err := openai.AppendResponse([]byte("before "), out)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != "before "+openaitest.Encode(t, out) {
			t.Errorf("got %d bytes", len(got))
		}
	}
}

func TestInvalidJSONIsNotEncoded(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		out     *openaiapi.CreateChatCompletionResponse
		pointer string
	}{
		"nothing":      {nil, ""},
		"no UTF-8":     {&openaiapi.CreateChatCompletionResponse{ID: "\xff"}, "/id"},
		"no value":     {withUnknown(`{"a":`), ""},
		"known member": {withUnknown(`{"index":1}`), "/choices/0"},
		"no UTF-8, large": {&openaiapi.CreateChatCompletionResponse{Model: "\xff",
			Choices: []openaiapi.Choice{{Message: openaiapi.ResponseMessage{
				Audio: &openaiapi.ResponseAudio{Data: large}}}}}, "/model"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := []byte("before")
			got, err := openai.AppendResponse(before, test.out)
			e, ok := errors.AsType[*wire.EncodeError](err)
			if !ok || !strings.HasPrefix(e.Pointer, test.pointer) || string(got) != "before" {
				t.Errorf("got %q and %v", got, err)
			}
			if ok && (!strings.HasPrefix(e.Error(), "openai: completion: ") ||
				test.out != nil && e.Unwrap() == nil) {
				t.Errorf("got %v", e)
			}
		})
	}
}

func withUnknown(members string) *openaiapi.CreateChatCompletionResponse {
	return &openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{{Unknown: jsontext.Value(members)}}}
}
