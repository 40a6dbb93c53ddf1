package request_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

func TestACallWithoutANameIsNamedByItsPlace(t *testing.T) {
	t.Parallel()
	for _, name := range []string{``, `,"name":""`} {
		in, err := anthropic.DecodeRequest(
			[]byte(`{"model":"gemini-3.6-flash","max_tokens":9,"messages":[{"role":"user","content":"x"},` +
				`{"role":"assistant","content":[{"type":"text","text":"y"},{"type":"tool_use","id":"a","input":{}` +
				name + `}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"z"}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = request.ToGemini(in)
		if refused, ok := errors.AsType[*request.Error](err); !ok ||
			refused.Pointer != "/messages/1/content/1/name" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
