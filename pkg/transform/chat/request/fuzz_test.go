package request_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

// FuzzDecodeRequest takes any bytes. Decodable input is the same after encoding and decoding, and
// can be validated.
func FuzzDecodeRequest(f *testing.F) {
	addRequests(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := openai.DecodeRequest(data)
		if err != nil {
			if in != nil {
				t.Error("an error came with a result")
			}
			return
		}
		_ = openai.ValidateRequest(in)
		wire, err := openai.EncodeRequest(in)
		if err != nil {
			t.Fatalf("what was decoded cannot be encoded: %v", err)
		}
		again, err := openai.DecodeRequest(wire)
		if err != nil {
			t.Fatalf("what was encoded cannot be decoded: %v in %s", err, wire)
		}
		second, err := openai.EncodeRequest(again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(wire), string(second)); diff != "" {
			t.Error(diff)
		}
	})
}

// FuzzRequest takes any bytes. Decodable input becomes a valid request for Gemini, with a report
// that points to existing values. Other input is refused with an error that says where.
func FuzzRequest(f *testing.F) {
	addRequests(f)
	modes := map[string][]request.Option{
		"as it is":    nil,
		levelModel:    {request.ForModel(levelModel), request.ForVertexAI(), request.WithMetadataAsLabels()},
		oldModel:      {request.ForModel(oldModel)},
		"own schemas": {request.ForModel(budgetModel), request.WithSchemaForm(), request.WithTrailingModelTurn(request.TrailingTurnTrimmed)},
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := openai.DecodeRequest(data)
		if err != nil {
			return
		}
		for mode, opts := range modes {
			checkConverted(t, mode, in, opts)
		}
	})
}

func addRequests(f *testing.F) {
	for _, wire := range openaitest.Requests(f) {
		f.Add(wire)
	}
	for _, members := range moreSettings {
		f.Add([]byte(`{"messages":[{"role":"user","content":"Hello."}],` + members + `}`))
	}
	for _, wire := range []string{
		`{"n":1.0,"seed":"7","temperature":"NaN","messages":{"role":"user","content":{"type":"text"}}}`,
		`{"stop":["a",null],"tool_choice":{},"function_call":{},"response_format":{},"metadata":{"":""}}`,
		`{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"$ref":"#"}}}]}`,
		"{\"model\":\"\xed\xa0\x80\"}", `null`,
		`{"tools":[{"function":{"parameters":{"a":1,"a":2}}}]}`,
	} {
		f.Add([]byte(wire))
	}
}

func checkConverted(t *testing.T, mode string, in *openaiapi.CreateChatCompletionRequest,
	opts []request.Option) {
	t.Helper()
	out, entries, err := request.ToGemini(in, opts...)
	if err != nil {
		if _, ok := errors.AsType[*request.Error](err); !ok || out != nil {
			t.Errorf("%s: got the result %v and the error %v", mode, out, err)
		}
		return
	}
	wire, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	if _, err := gemini.DecodeRequest(wire); err != nil {
		t.Errorf("%s: %v", mode, err)
	}
	document := openaitest.Tree(t, openaitest.EncodeRequest(t, in))
	for _, e := range entries {
		if e.Kind != report.Added && !openaitest.Exists(document, e.Pointer) {
			t.Errorf("%s: %v is about nothing", mode, e)
		}
	}
}
