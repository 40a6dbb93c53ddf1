package request_test

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
	"github.com/google/go-cmp/cmp"
)

// pixel is an image of one pixel, as base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// Clients put media into any member that accepts an address, as other APIs allow it.
func TestDataURLsAreMedia(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]string{
		"an image": `{"type":"image","source":{"type":"url","url":"data:image/png;base64,` +
			pixel + `"}}`,
		"in capital letters": `{"type":"image","source":{"type":"url","url":"DATA:image/png;BASE64,` +
			pixel + `"}}`,
		"in the place of data": `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,` +
			pixel + `"}}`,
		"a type that is wrong": `{"type":"image","source":{"type":"url","url":"data:image/jpeg;base64,` +
			pixel + `"}}`,
		"in a result": `{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"url","url":"data:image/png;base64,` +
			pixel + `"}}]}`,
		"in a document": `{"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"url","url":"data:image/png;base64,` +
			pixel + `"}}]}}`,
	} {
		got, entries := converted(t,
			`{"model":"gemini-3.6-flash","max_tokens":9,"messages":[{"role":"user","content":[`+
				block+`]}]}`)
		if !strings.Contains(got, `{"inlineData":{"mimeType":"image/png","data":"`+pixel+`"}}`) ||
			entries.Of(report.Lost) != nil {
			t.Errorf("%s: %s, %v", name, got, entries)
		}
	}
	got, _ := converted(t,
		`{"model":"gemini-3.6-flash","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"url","url":"data:application/pdf;base64,JVBERi0xLjQK"}}]}]}`)
	openaitest.Subset(t, got,
		`{"contents":[{"parts":[{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0xLjQK"}}]}]}`)
}

// converted returns the request for Gemini and the report.
func converted(t testing.TB, document string) (string, report.Report) {
	t.Helper()
	out, report, err := geminiRequest([]byte(document))
	if err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	return string(out), report
}

// pixelServer serves the image of one pixel at every address, and counts the requests.
type pixelServer struct {
	asked []string
	fails error
}

func (s *pixelServer) Fetch(_ context.Context, url string) (string, []byte, error) {
	s.asked = append(s.asked, url)
	data, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		return "", nil, err
	}
	return "image/png", data, s.fails
}

// remoteMedia are three blocks with a public address and one with an address of Google's.
const remoteMedia = `{"type":"image","source":{"type":"url","url":"https://example.com/a"}},
	{"type":"image","source":{"type":"url","url":"gs://bucket/b.png"}},
	{"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"url","url":"https://example.com/c"}}]}}`

func TestRemoteMediaAreInlined(t *testing.T) {
	t.Parallel()
	for name, messages := range map[string]string{
		"of the user": `{"role":"user","content":[` + remoteMedia + `]}`,
		"in a result": `{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[` + remoteMedia + `]}]}`,
	} {
		in, err := anthropic.DecodeRequest(
			[]byte(`{"model":"gemini-3.6-flash","max_tokens":9,"messages":[` + messages + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		before, _ := anthropic.EncodeRequest(in)
		var server pixelServer
		inlined, err := request.InlineMedia(t.Context(), in, &server)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"https://example.com/a", "https://example.com/c"},
			server.asked); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		out, _, err := request.ToGemini(inlined)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := gemini.EncodeRequest(out)
		if count := strings.Count(string(data),
			`{"inlineData":{"mimeType":"image/png","data":"`+pixel+`"}}`); count != 2 ||
			!strings.Contains(string(data), `"fileUri":"gs://bucket/b.png"`) {
			t.Errorf("%s: %s", name, data)
		}
		if after, _ := anthropic.EncodeRequest(in); string(after) != string(before) {
			t.Errorf("%s: the given request was changed", name)
		}
	}
}

func TestRemoteMediaThatCannotBeFetchedAreRefused(t *testing.T) {
	t.Parallel()
	in, err := anthropic.DecodeRequest([]byte(`{"model":"gemini-3.6-flash","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"},` +
		remoteMedia + `]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no such host")
	for name, fetcher := range map[string]transform.MediaFetcher{"no fetcher": nil,
		"a failure": &pixelServer{fails: cause}} {
		_, err := request.InlineMedia(t.Context(), in, fetcher)
		refused, ok := errors.AsType[*request.Error](err)
		if !ok || refused.Pointer != "/messages/0/content/1/source/url" {
			t.Errorf("%s: %v", name, err)
		}
		if fetcher != nil && !errors.Is(err, cause) {
			t.Errorf("the cause is not in %v", err)
		}
	}
	if out, err := request.InlineMedia(t.Context(), nil, nil); out != nil || err != nil {
		t.Errorf("%v", err)
	}
}
