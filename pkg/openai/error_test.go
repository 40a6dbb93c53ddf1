package openai_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/go-json-experiment/json/jsontext"
)

func TestAnyErrorCanBeWritten(t *testing.T) {
	t.Parallel()
	for want, body := range map[string]*openaiapi.ErrorResponse{
		`{"error":{"message":"","type":"","param":null,"code":null}}`: nil,
		`{"error":{"message":"` + "\ufffd" +
			`","type":"t","param":null,"code":null}}`: {Error: openaiapi.Error{Type: "t",
			Message: "\xff"}},
		`{"error":{"message":"\"m\" <&>\n","type":"t","param":"/p","code":"c"}}`: {Error: openaiapi.Error{Type: "t",
			Message: "\"m\" <&>\n", Param: new("/p"), Code: new("c")}},
		`{"error":{"message":"m","type":"t","param":null,"code":null,"doc_url":[1.50,1]}}`: {Error: openaiapi.Error{Type: "t",
			Message: "m", Unknown: jsontext.Value(`{"doc_url":[1.50, 1]}`)}},
	} {
		if got, err := openai.EncodeErrorResponse(body); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}
