package openaitest

import (
	"bytes"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ForEveryRecordedResponse calls a function with each payload that is an answer and not an error.
// It passes the payload as a value and as canonical JSON, which has the names that reports use.
func ForEveryRecordedResponse(t *testing.T,
	check func(*testing.T, *geminiapi.GenerateContentResponse, []byte)) {
	checked := 0
	for _, payload := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(payload.Read(t))
		if _, malformed := errors.AsType[*wire.MalformedError](err); malformed {
			continue // recordings that were cut short; package gemini tests that these are refused
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := chat.FromGemini(in); IsAPIError(err) ||
			errors.Is(err, normalize.ErrNoCandidates) {
			continue // answers of other endpoints, for embeddings for example, have no candidates
		}
		wire, err := gemini.EncodeResponse(in)
		if err != nil {
			t.Fatal(err)
		}
		checked++
		t.Run(payload.Name, func(t *testing.T) {
			t.Parallel()
			check(t, in, wire)
		})
	}
	if checked < corpustest.AtLeast(810) {
		t.Errorf("only %d recorded responses", checked)
	}
}

func IsAPIError(err error) bool {
	_, ok := errors.AsType[*gemini.Error](err)
	return ok
}

func Decode(t testing.TB, wire string) *geminiapi.GenerateContentResponse {
	t.Helper()
	in, err := gemini.DecodeResponse([]byte(wire))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func Encode(t testing.TB, out *openaiapi.CreateChatCompletionResponse) string {
	t.Helper()
	data, err := openai.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// SameParts returns parts as a JSON tree in which parts with the same meaning are equal. An empty
// value, and a thought that is false, are absent. A call without arguments has empty arguments.
// Empty parts are left out.
func SameParts(t testing.TB, parts []geminiapi.Part) []any {
	t.Helper()
	var out []any
	for _, p := range parts {
		data, err := json.Marshal(p, jsontext.CanonicalizeRawInts(false))
		if err != nil {
			t.Fatal(err)
		}
		part := Tree(t, data).(map[string]any)
		dropEmpty(part)
		for name, payload := range part {
			if object, ok := payload.(map[string]any); ok && name != "partMetadata" {
				dropEmpty(object)
				if name == "functionCall" && object["args"] == nil {
					object["args"] = map[string]any{}
				}
			}
		}
		if len(part) > 0 {
			out = append(out, part)
		}
	}
	return out
}

func dropEmpty(object map[string]any) {
	for name, value := range object {
		if value == "" && name != "text" || value == false && name == "thought" || value == nil {
			delete(object, name)
		}
	}
}

// ReadStream reads a recorded stream, and returns the error of the reading.
func ReadStream(data []byte) (chunks []*geminiapi.GenerateContentResponse, failure error) {
	for c, err := range gemini.NewStreamReader(bytes.NewReader(data)).All() {
		if err != nil {
			return chunks, err
		}
		chunks = append(chunks, c)
	}
	return chunks, nil
}

// Pairs yields chunks like a reader, and at the end the error.
func Pairs(wire []*geminiapi.GenerateContentResponse,
	failure error) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, c := range wire {
			if !yield(c, nil) {
				return
			}
		}
		if failure != nil {
			yield(nil, failure)
		}
	}
}

func DecodeAll(t testing.TB, bodies []string) []*geminiapi.GenerateContentResponse {
	t.Helper()
	var out []*geminiapi.GenerateContentResponse
	for _, body := range bodies {
		out = append(out, Decode(t, body))
	}
	return out
}

// Unary joins the chunks of a stream and converts the result.
func Unary(t testing.TB, wire []*geminiapi.GenerateContentResponse,
	opts ...chat.Option) *openaiapi.CreateChatCompletionResponse {
	t.Helper()
	merged, _ := normalize.MergeChunks(wire...)
	out, _, err := chat.FromGemini(merged, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func EncodeMessage(t testing.TB, m *openaiapi.ResponseMessage) string {
	t.Helper()
	data := Encode(t, &openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{{Message: *m}}})
	data = data[strings.Index(data, `"message":`)+len(`"message":`):]
	return data[:strings.LastIndex(data, `,"logprobs"`)]
}

// convert converts a response, and fails the test if that is not possible.
func Convert(t testing.TB, wire string,
	opts ...chat.Option) (*openaiapi.CreateChatCompletionResponse, report.Report) {
	t.Helper()
	out, report, err := chat.FromGemini(Decode(t, wire), opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := openai.ValidateResponse(out); err != nil {
		t.Error(err)
	}
	return out, report
}

// part converts a response with one candidate that has the given parts and ended normally.
func Part(t testing.TB, parts string, opts ...chat.Option) (openaiapi.Choice, report.Report) {
	t.Helper()
	return Candidate(t, `{"content":{"role":"model","parts":[`+parts+`]},"finishReason":"STOP"}`,
		opts...)
}

// candidate converts a response with one candidate. It sets all members that the conversion would
// add otherwise.
func Candidate(t testing.TB, wire string, opts ...chat.Option) (openaiapi.Choice, report.Report) {
	t.Helper()
	out, report := Convert(t,
		`{"responseId":"r1","modelVersion":"gemini-3-pro","createTime":"2026-11-20T10:00:00Z",`+
			`"usageMetadata":{},"candidates":[`+wire+`]}`, opts...)
	if len(out.Choices) != 1 {
		t.Fatalf("%d choices", len(out.Choices))
	}
	return out.Choices[0], report
}
