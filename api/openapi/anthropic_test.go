package openapi_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

func TestAnthropicsAnswersHoldTheirRequiredMembersEvenWhenTheyAreZero(t *testing.T) {
	t.Parallel()
	tests := []struct {
		value any
		want  string
	}{
		{anthropicapi.Message{}, `{"id":"","type":"","role":"","model":"","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"output_tokens":0}}`},
		{anthropicapi.Usage{}, `{"output_tokens":0}`},
		{anthropicapi.MessageTokensCount{}, `{"input_tokens":0}`},
		{anthropicapi.ErrorResponse{}, `{"type":"","error":{"type":"","message":""}}`},
		{anthropicapi.ListModelsResponse{}, `{"data":[],"has_more":false,"first_id":null,"last_id":null}`},
		{anthropicapi.Model{}, `{"type":"","id":"","display_name":"","created_at":""}`},
		{anthropicapi.ContentBlock{}, `{}`},
		{anthropicapi.StreamEvent{}, `{}`},
	}
	for _, tt := range tests {
		out, err := json.Marshal(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		if string(out) != tt.want {
			t.Errorf("%T is\n%s, want\n%s", tt.value, out, tt.want)
		}
	}
}

func TestABlockKeepsTheFormOfWhatItHolds(t *testing.T) {
	t.Parallel()
	for _, document := range []string{
		`{"type":"tool_result","tool_use_id":"a","content":"text"}`,
		`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"text"}]}`,
		`{"type":"web_search_tool_result","tool_use_id":"a","content":[]}`,
		`{"type":"web_search_tool_result","tool_use_id":"a","content":{"type":"web_search_tool_result_error","error_code":"unavailable"}}`,
		`{"type":"text","text":"","citations":[]}`,
		`{"type":"document","citations":{"enabled":true},"source":{"type":"content","content":"text"}}`,
		`{"type":"search_result","source":"https://example.com","content":[{"type":"text","text":"a"}]}`,
		`{"type":"tool_use","id":"a","name":"f","input":{"n":1.50}}`,
		`{"type":"unheard_of","more":[1]}`,
	} {
		var block anthropicapi.ContentBlock
		if err := json.Unmarshal([]byte(document), &block); err != nil {
			t.Fatal(err)
		}
		if out, err := json.Marshal(block); err != nil || string(out) != document {
			t.Errorf("%s became %s, %v", document, out, err)
		}
	}
}

func TestAnEventDistinguishesNullFromAbsent(t *testing.T) {
	t.Parallel()
	const document = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":1,"cache_creation":null,"output_tokens":2}}`
	var event anthropicapi.StreamEvent
	if err := json.Unmarshal([]byte(document), &event); err != nil {
		t.Fatal(err)
	}
	want := anthropicapi.StreamDelta{StopReason: wiretype.Present(anthropicapi.StopReasonEndTurn),
		StopSequence: wiretype.Null[string]()}
	if !reflect.DeepEqual(*event.Delta, want) {
		t.Errorf("delta %+v", event.Delta)
	}
	if out, err := json.Marshal(event); err != nil || string(out) != document {
		t.Errorf("it became %s, %v", out, err)
	}
}
