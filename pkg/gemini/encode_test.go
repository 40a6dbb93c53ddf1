package gemini_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	geminiwire "github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

func callWithArgs(args string) *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{{Parts: []geminiapi.Part{
		{FunctionCall: &geminiapi.FunctionCall{Args: jsontext.Value(args)}},
	}}}}
}

func TestEncodingIsTheSameInEveryForm(t *testing.T) {
	t.Parallel()
	request := callWithArgs(`{ "b" : 1, "a" : "<" }`)
	const want = `{"contents":[{"parts":[{"functionCall":{"args":{"b":1,"a":"<"}}}]}]}`

	encoded, err := gemini.EncodeRequest(request)
	if err != nil || string(encoded) != want {
		t.Errorf("EncodeRequest: %s, %v", encoded, err)
	}
	appended, err := gemini.AppendRequest([]byte("data: "), request)
	if err != nil || string(appended) != "data: "+want {
		t.Errorf("AppendRequest: %s, %v", appended, err)
	}
	var written bytes.Buffer
	if err := gemini.WriteRequest(&written, request); err != nil || written.String() != want {
		t.Errorf("WriteRequest: %s, %v", written.String(), err)
	}
}

func TestAValueThatCannotBeEncodedIsATypedErrorAndWritesNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		request *geminiapi.GenerateContentRequest
		pointer string
		text    string
	}{
		{"nothing", nil, "", "gemini: request: nothing to encode"},
		{"arguments that are not JSON", callWithArgs(`secret`), "/contents/0/parts/0/functionCall/args", "gemini: request: /contents/0/parts/0/functionCall/args: not JSON"},
		{"arguments with a name twice", callWithArgs(`{"a":1,"a":2}`), "/contents/0/parts/0/functionCall/args/a", "gemini: request: /contents/0/parts/0/functionCall/args/a: the member occurs twice"},
		{"an unknown member by a known name", &geminiapi.GenerateContentRequest{Model: new("m"), Unknown: jsontext.Value(`{"model":"secret"}`)},
			"/model", "gemini: request: /model: the member occurs twice"},
		{"unknown members that are not an object", &geminiapi.GenerateContentRequest{Unknown: jsontext.Value(`"secret"`)}, "", "gemini: request: not JSON"},
		{"text that is not UTF-8", &geminiapi.GenerateContentRequest{Model: new("secret\xff")}, "/model", "gemini: request: /model: invalid UTF-8"},
		{"arguments that are not UTF-8", callWithArgs("{\"a\":\"\xff\"}"), "/contents/0/parts/0/functionCall/args/a", "gemini: request: /contents/0/parts/0/functionCall/args/a: invalid UTF-8"},
		{"a name that is not UTF-8", &geminiapi.GenerateContentRequest{Labels: map[string]string{"secret\xff": "x"}}, "/labels", "gemini: request: /labels: invalid UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err := gemini.EncodeRequest(tt.request)
			checkEncodeError(t, err, tt.pointer, tt.text)
			if out != nil {
				t.Errorf("EncodeRequest returns %q", out)
			}
			dst := []byte("before")
			out, err = gemini.AppendRequest(dst, tt.request)
			checkEncodeError(t, err, tt.pointer, tt.text)
			if string(out) != "before" {
				t.Errorf("AppendRequest returns %q", out)
			}
			var written bytes.Buffer
			checkEncodeError(t, gemini.WriteRequest(&written, tt.request), tt.pointer, tt.text)
			if written.Len() > 0 {
				t.Errorf("WriteRequest wrote %q", written.String())
			}
		})
	}
}

// Decoding puts lists around lone elements, which can exceed the nesting limit.
func TestNestingBeyondTheLimitIsNotEncoded(t *testing.T) {
	t.Parallel()
	const levels = 6_000
	request, err := gemini.DecodeRequest([]byte(`{"generationConfig":{"responseSchema":` +
		strings.Repeat(`{"anyOf":`, levels) + `{}` + strings.Repeat(`}`, levels) + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = gemini.EncodeRequest(request)
	encodeError, ok := errors.AsType[*wire.EncodeError](err)
	if !ok || !strings.HasSuffix(encodeError.Error(), "nested too deeply") {
		t.Errorf("error %.300v", err)
	}
}

func checkEncodeError(t *testing.T, err error, pointer, text string) {
	t.Helper()
	encodeError, ok := errors.AsType[*wire.EncodeError](err)
	if !ok {
		t.Fatalf("error %v", err)
	}
	if encodeError.Payload != "request" || encodeError.Pointer != pointer ||
		encodeError.Error() != text || errors.Unwrap(err) == nil {
		t.Errorf("error %q at %q, want %q at %q", encodeError, encodeError.Pointer, text, pointer)
	}
}

func TestNonFiniteNumbersAreWrittenByName(t *testing.T) {
	t.Parallel()
	response := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{AvgLogprobs: new(math.NaN())},
		{AvgLogprobs: new(math.Inf(-1))}, {AvgLogprobs: new(-0.5)}}}
	const want = `{"candidates":[{"avgLogprobs":"NaN"},{"avgLogprobs":"-Infinity"},{"avgLogprobs":-0.5}]}`
	if out, err := gemini.EncodeResponse(response); err != nil || string(out) != want {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := gemini.AppendResponse(nil, response); err != nil || string(out) != want {
		t.Errorf("appended: %s, %v", out, err)
	}
}

// failingWriter counts its input and refuses it.
type failingWriter struct {
	calls int
	err   error
}

func (w *failingWriter) Write([]byte) (int, error) {
	w.calls++
	return 0, w.err
}

func TestAWritersErrorIsReturned(t *testing.T) {
	t.Parallel()
	w := &failingWriter{err: errors.New("disk full")}
	if err := gemini.WriteResponse(w, &geminiapi.GenerateContentResponse{}); !errors.Is(err,
		w.err) || w.calls != 1 {
		t.Errorf("error %v after %d calls", err, w.calls)
	}
}

func TestEveryPayloadThatDecodesEncodes(t *testing.T) {
	t.Parallel()
	roundTrips := map[string]func([]byte) ([]byte, error){
		"request": func(b []byte) ([]byte,
			error) {
			return roundTrip(b, gemini.DecodeRequest, gemini.EncodeRequest)
		},
		"response": func(b []byte) ([]byte, error) {
			return roundTrip(b, gemini.DecodeResponse, gemini.EncodeResponse)
		},
		"countTokens request": func(b []byte) ([]byte, error) {
			return roundTrip(b, gemini.DecodeCountTokensRequest, gemini.EncodeCountTokensRequest)
		},
		"countTokens response": func(b []byte) ([]byte, error) {
			return roundTrip(b, gemini.DecodeCountTokensResponse, gemini.EncodeCountTokensResponse)
		},
		"model list":          roundTripOf[geminiapi.ListModelsResponse],
		"model":               roundTripOf[geminiapi.Model],
		"embedding request":   roundTripOf[geminiapi.EmbedContentRequest],
		"embedding":           roundTripOf[geminiapi.EmbedContentResponse],
		"embedding requests":  roundTripOf[geminiapi.BatchEmbedContentsRequest],
		"embeddings":          roundTripOf[geminiapi.BatchEmbedContentsResponse],
		"predict request":     roundTripOf[geminiapi.PredictRequest],
		"predictions":         roundTripOf[geminiapi.PredictResponse],
		"cached content":      roundTripOf[geminiapi.CachedContent],
		"cached content list": roundTripOf[geminiapi.ListCachedContentsResponse],
		"file":                roundTripOf[geminiapi.File],
		"file to create":      roundTripOf[geminiapi.CreateFileRequest],
		"created file":        roundTripOf[geminiapi.CreateFileResponse],
		"file list":           roundTripOf[geminiapi.ListFilesResponse],
		"batch request":       roundTripOf[geminiapi.BatchGenerateContentRequest],
		"batch":               roundTripOf[geminiapi.BatchOperation],
		"batch list":          roundTripOf[geminiapi.ListBatchesResponse],
		"request in a file":   roundTripOf[geminiapi.BatchRequestLine],
		"result in a file":    roundTripOf[geminiapi.BatchResultLine],
		"empty answer":        roundTripOf[geminiapi.Empty],
	}
	const in = `{"unheard_of":[{"x":null}]}`
	for payload, trip := range roundTrips {
		if out, err := trip([]byte(in)); err != nil || string(out) != in {
			t.Errorf("%s: %s, %v", payload, out, err)
		}
	}
}

// roundTripOf decodes and encodes a payload that has no exported codec functions.
func roundTripOf[T any, P geminiwire.Type[T]](data []byte) ([]byte, error) {
	return roundTrip(data, gemini.Decode[T, P], gemini.Encode[T, P])
}

func roundTrip[T any](data []byte, decode func([]byte) (*T, error),
	encode func(*T) ([]byte, error)) ([]byte, error) {
	value, err := decode(data)
	if err != nil {
		return nil, err
	}
	return encode(value)
}
