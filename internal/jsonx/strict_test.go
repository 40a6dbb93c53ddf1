package jsonx_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
)

func TestMemberThatDiffersOnlyInAnUnderscoreIsReadInSnakeCase(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"_response_json_schema":1,"response_json_schema":2}`:                   `{"_responseJsonSchema":1,"responseJsonSchema":2}`,
		`{"response_json_schema":2,"_response_json_schema" :1}`:                  `{"_responseJsonSchema":1,"responseJsonSchema":2}`,
		`{"_response_json_schema":1,"responseJsonSchema":2}`:                     `{"_responseJsonSchema":1,"responseJsonSchema":2}`,
		`{"_responseJsonSchema":1,"response_json_schema":2}`:                     `{"_responseJsonSchema":1,"responseJsonSchema":2}`,
		`{"_response_json_schema":1}`:                                            `{"_responseJsonSchema":1}`,
		`{"response_json_schema":{"_response_json_schema":1}}`:                   `{"responseJsonSchema":{"_response_json_schema":1}}`,
		`{"_response_json_schema":null,"response_json_schema":2}`:                `{"responseJsonSchema":2}`,
		`{"_response_json_schema":1,"max_output_tokens":"40","top_k":[],"x":{}}`: "",
	} {
		var config geminiapi.GenerationConfig
		err := json.Unmarshal([]byte(in), &config)
		if want == "" {
			if err == nil {
				t.Errorf("%s: a list was read as a number", in)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got, err := json.Marshal(&config, jsonx.Canonical); err != nil || string(got) != want {
			t.Errorf("%s becomes %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestOffsetOfAFaultNextToSuchAMemberIsItsOffsetInTheText(t *testing.T) {
	t.Parallel()
	var request geminiapi.GenerateContentRequest
	err := json.Unmarshal([]byte(`{"generation_config":{"_response_json_schema":{},"top_k":[]}}`),
		&request)
	const want = "/generation_config/top_k"
	if got, ok := err.(*json.SemanticError); !ok || string(got.JSONPointer) != want ||
		got.ByteOffset != 57 {
		t.Errorf("got %#v, want %s at 57", err, want)
	}
}
