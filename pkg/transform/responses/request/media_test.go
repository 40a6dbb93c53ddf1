package request_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// getter returns the same few bytes for every address, and records the addresses.
type getter struct {
	asked []string
	fails error
	empty bool
}

func (g *getter) Fetch(_ context.Context, url string) (string, []byte, error) {
	g.asked = append(g.asked, url)
	if g.empty {
		return "", nil, nil
	}
	return "image/png", []byte("\x89PNG\r\n\x1a\n"), g.fails
}

const remoteMedia = `{"role":"user","content":[{"type":"input_image","image_url":"https://example.com/a"},{"type":"input_image","image_url":"gs://bucket/b.png"},
	{"type":"input_file","file_url":"https://example.com/c.pdf"},{"type":"input_text","text":"What is it?"}]},
	` + callA + `,{"type":"function_call_output","call_id":"call_a","output":[{"type":"input_image","image_url":"https://example.com/d"}]},
	{"role":"user","content":[{"type":"input_image","file_id":"https://example.com/e"}]}`

func TestRemoteMediaAreInlined(t *testing.T) {
	t.Parallel()
	in := decode(t, input(pro3, remoteMedia))
	before, _ := responses.EncodeRequest(in)
	var g getter
	inlined, err := request.InlineMedia(t.Context(), in, &g)
	if err != nil {
		t.Fatal(err)
	}
	if want := "https://example.com/a https://example.com/c.pdf https://example.com/d https://example.com/e"; strings.Join(g.asked,
		" ") != want {
		t.Errorf("asked for %v", g.asked)
	}
	out, _, err := request.ToGemini(inlined)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := gemini.EncodeRequest(out)
	openaitest.Subset(t, string(data),
		`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"fileData":{"fileUri":"gs://bucket/b.png"}},{"inlineData":{"mimeType":"image/png"}},{"text":"What is it?"}]},
		{},{"parts":[{"functionResponse":{"parts":[{"inlineData":{"mimeType":"image/png"}}]}}]},{"parts":[{"inlineData":{"mimeType":"image/png"}}]}]}`)
	if after, _ := responses.EncodeRequest(in); string(after) != string(before) {
		t.Error("the given request was changed")
	}
}

func TestRemoteMediaThatCannotBeGotAreRefused(t *testing.T) {
	t.Parallel()
	cause := errors.New("no such host")
	for name, fetcher := range map[string]transform.MediaFetcher{"no fetcher": nil,
		"fails": &getter{fails: cause}, "nothing there": &getter{empty: true}} {
		_, err := request.InlineMedia(t.Context(), decode(t, input(pro3, remoteMedia)), fetcher)
		refused, ok := errors.AsType[*request.Error](err)
		if !ok || refused.Pointer != "/input/0/content/0/image_url" {
			t.Errorf("%s: %v", name, err)
		}
		if name == "fails" && !errors.Is(err, cause) {
			t.Errorf("the cause is not in %v", err)
		}
	}
	screenshot := input(pro3,
		hello+`,{"type":"computer_call","call_id":"c","action":{"type":"screenshot"}},{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"https://example.com/a"}}`)
	_, err := request.InlineMedia(t.Context(), decode(t, screenshot), nil)
	if refused, ok := errors.AsType[*request.Error](err); !ok ||
		refused.Pointer != "/input/2/output/image_url" {
		t.Errorf("%v", err)
	}
	for _, body := range []string{`{"input":"https://example.com/a"}`, `{}`} {
		in := decode(t, body)
		if out, err := request.InlineMedia(t.Context(), in, nil); out != in || err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	if out, err := request.InlineMedia(t.Context(), (*openaiapi.CreateResponseRequest)(nil),
		nil); out != nil || err != nil {
		t.Errorf("%v", err)
	}
}
