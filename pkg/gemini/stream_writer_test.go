package gemini_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestAStreamIsWrittenInBothForms(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"events": "data: {\"responseId\":\"a\"}\r\n\r\ndata: {\"responseId\":\"b\"}\r\n\r\n{\"error\":{\"code\":500}}\r\n\r\n",
		"array":  "[{\"responseId\":\"a\"},\r\n{\"responseId\":\"b\"},\r\n{\"error\":{\"code\":500}}]\n",
	} {
		var out bytes.Buffer
		var opts []gemini.StreamWriterOption
		if name == "array" {
			opts = append(opts, gemini.WithArray())
		}
		w := gemini.NewStreamWriter(&out, opts...)
		err := errors.Join(
			w.Write(&geminiapi.GenerateContentResponse{ResponseID: new("a")}),
			w.Write(&geminiapi.GenerateContentResponse{ResponseID: new("b")}),
			w.Fail(&geminiapi.ErrorResponse{Error: &geminiapi.Error{Code: new(500)}}),
			w.Done())
		if err != nil || out.String() != want {
			t.Errorf("%s: %v: got %q, want %q", name, err, out.String(), want)
		}
		r := gemini.NewStreamReader(&out)
		for i := range 3 {
			if _, err := r.Next(); (err != nil) != (i == 2) {
				t.Errorf("%s: the chunk %d is read with %v", name, i, err)
			}
		}
	}
}

func TestAnEmptyStreamIsAnEmptyArray(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := gemini.NewStreamWriter(&out, gemini.WithArray()).Done(); err != nil ||
		out.String() != "[]\n" {
		t.Errorf("%v: %q", err, out.String())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestAStreamWriterKeepsItsError(t *testing.T) {
	t.Parallel()
	w := gemini.NewStreamWriter(brokenWriter{})
	first := w.Write(&geminiapi.GenerateContentResponse{})
	if second := w.Done(); first == nil || second != first {
		t.Errorf("%v, then %v", first, second)
	}
}
