package request_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// FuzzRequest takes any bytes. Decodable input becomes a valid request for Gemini, with a report
// that points to existing values. Other input is refused with an error that says where.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"model":"gemini-3.6-flash","input":"Hello.","instructions":"Be brief.","text":{"format":{"type":"json_schema","name":"a","schema":` +
			weatherSchema + `}}}`,
		input(pro3, hello+`,`+
			token(envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: sigA,
				Part: `{"text":""}`})+`,`+callA+`,`+callB+`,`+resultB+`,`+resultA),
		input(levelModel, remoteMedia),
		settings(levelModel,
			weatherTools+
				`,"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"custom","name":"patch"}]}`),
		`{"tools":[{"type":"namespace","name":"n","tools":[{"name":"f"}]},{"type":"mcp","require_approval":"never","server_url":"https://example.com"}],"input":[{"type":"additional_tools","tools":{"type":"tool_search"}}]}`,
		`{"input":[{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}},{"type":"shell_call_output","call_id":"c","output":[{"stdout":"a"}]},{"type":"code_interpreter_call","code":"1"}]}`,
		`{"input":[{"type":"tool_search_call","call_id":"c","execution":"client","arguments":[1]},{"type":"tool_search_output","call_id":"c","tools":[]}],"reasoning":{"effort":"xhigh","summary":"auto"}}`,
		"{\"input\":\"\xed\xa0\x80\"}", `null`,
		`{"input":[{"id":"a"},{"role":"user","content":{"type":"input_image","image_url":"x"}}]}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := responses.DecodeRequest(data)
		if err != nil {
			return
		}
		for mode, opts := range modes {
			checkConverted(t, mode, in, opts)
		}
	})
}

func checkConverted(t *testing.T, mode string, in *openaiapi.CreateResponseRequest,
	opts []request.Option) {
	t.Helper()
	out, entries, err := request.ToGemini(in, opts...)
	if err != nil {
		if refused, ok := errors.AsType[*request.Error](err); !ok || out != nil ||
			refused.HTTPStatus == 0 {
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
	encoded, err := responses.EncodeRequest(in)
	if err != nil {
		t.Fatal(err)
	}
	document := openaitest.Tree(t, encoded)
	for _, e := range entries {
		if e.Kind != report.Added && !openaitest.Exists(document, e.Pointer) {
			t.Errorf("%s: %v is about nothing", mode, e)
		}
	}
}
