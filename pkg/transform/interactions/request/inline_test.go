package request_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// fetcher returns the same image for every address.
type fetcher struct{ err error }

func (f fetcher) Fetch(context.Context, string) (mimeType string, data []byte, err error) {
	return "image/png", []byte("\x89PNG\r\n\x1a\n"), f.err
}

func TestMediaAreFetchedIntoTheRequest(t *testing.T) {
	t.Parallel()
	const image = `{"type":"image","uri":"https://a.example/a.png"}`
	const inline = `{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}`
	for name, tt := range map[string]struct{ document, pointer, want string }{
		"a block":           {on(flash36, `"input":`+image), "/contents/0/parts/0", inline},
		"blocks":            {on(flash36, `"input":[`+image+`]`), "/contents/0/parts/0", inline},
		"a block of a step": {inputOf(`{"type":"user_input","content":[` + image + `]}`), "/contents/0/parts/0", inline},
		"a result": {inputOf(asked, thought, called,
			`{"type":"function_result","call_id":"c1","result":[`+image+`]}`),
			"/contents/2/parts/0/functionResponse/parts/0", inline},
		"a result of a step": {inputOf(asked, thought, called,
			`{"type":"user_input","content":[{"type":"function_result","call_id":"c1","result":[`+image+`]}]}`),
			"/contents/2/parts/0/functionResponse/parts/0", inline},
		"an address of Google": {on(flash36, `"input":{"type":"image","mime_type":"image/png","uri":"gs://a/b.png"}`),
			"/contents/0/parts/0", `{"fileData":{"fileUri":"gs://a/b.png","mimeType":"image/png"}}`},
		"a text": {on(flash36, hi), "/contents/0/parts/0", `{"text":"Hi."}`},
	} {
		in, err := request.InlineMedia(t.Context(), mustDecode(t, tt.document), fetcher{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		out, _, err := request.ToGemini(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := gemini.EncodeRequest(out)
		if got := value(data, tt.pointer); err != nil || got != tt.want {
			t.Errorf("%s: got %s in %s, want %s (%v)", name, got, data, tt.want, err)
		}
	}
}

func TestMediaThatCannotBeFetchedAreAnError(t *testing.T) {
	t.Parallel()
	in := mustDecode(t, inputOf(asked, thought, called,
		`{"type":"function_result","call_id":"c1","result":[{"type":"image","uri":"https://a.example/a.png"}]}`))
	gone := errors.New("gone")
	_, err := request.InlineMedia(t.Context(), in, fetcher{err: gone})
	checkProblem(t, err, "/input/3/result/0/uri gone")
	if !errors.Is(err, gone) {
		t.Errorf("%v is not the cause", err)
	}
	_, err = request.InlineMedia(t.Context(), in, nil)
	checkProblem(t, err, "/input/3/result/0/uri must be a data URL")
	if out, err := request.InlineMedia(t.Context(), nil, nil); out != nil || err != nil {
		t.Errorf("got %v, %v", out, err)
	}
}
