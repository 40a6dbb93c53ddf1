package responses_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/go-json-experiment/json/jsontext"
)

// codexReader reads the events of a stream by the rules of Codex. An item has what its type
// requires or is skipped silently. A text is shown only while its item is open. The stream ends or
// fails (codex-rs/codex-api/src/sse/responses.rs).
type codexReader struct {
	isOpen bool   // an item was added and is not done
	shown  string // the text that a user has seen come
	told   string // the texts of the messages that are done
	faults []string
	ended  bool
}

func (r *codexReader) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// codexItems are the members that items require. Codex accepts items of other types without looking
// at their members.
var codexItems = map[string]string{
	"message": "role content", "reasoning": "summary", "function_call": "name arguments call_id",
	"custom_tool_call": "name input call_id",
	"web_search_call":  "", "image_generation_call": "id status result",
}

// members returns the members of an object.
func members(object jsontext.Value) map[string]jsontext.Value {
	out := map[string]jsontext.Value{}
	for name, value := range jsonx.Members(object) {
		out[name] = value
	}
	return out
}

// text returns a string value.
func text(value jsontext.Value) string {
	plain, _ := jsontext.AppendUnquote(nil, value)
	return string(plain)
}

// read reads the data of an event.
func (r *codexReader) read(data jsontext.Value) {
	event := members(data)
	if r.ended {
		r.fault("%s after the end", event["type"])
	}
	switch text(event["type"]) {
	case "response.created":
		if event["response"].Kind() != jsontext.KindBeginObject {
			r.fault("the beginning has no response")
		}
	case "response.output_item.added":
		// An image in progress has no result, as from OpenAI's server. Codex sees it when it is
		// done.
		r.isOpen = text(members(event["item"])["type"]) == "image_generation_call" ||
			r.item(event["item"])
	case "response.output_item.done":
		if r.item(event["item"]) && text(members(event["item"])["type"]) == "message" {
			for _, part := range jsonx.Elements(members(event["item"])["content"]) {
				r.told += text(members(part)["text"])
			}
		}
		r.isOpen = false
	case "response.output_text.delta":
		if !r.isOpen {
			r.fault("a text without an item")
		}
		r.shown += text(event["delta"])
	case "response.completed":
		r.complete(members(event["response"]))
	case "response.failed":
		r.ended = true
		failure := members(members(event["response"])["error"])
		if text(failure["code"]) == "" || text(failure["message"]) == "" {
			r.fault("a failure without its reason: %s", data)
		}
	case "response.incomplete":
		r.ended = true
		if text(members(members(event["response"])["incomplete_details"])["reason"]) == "" {
			r.fault("an incomplete response without its reason")
		}
	}
}

// item reports whether an item has what its type requires.
func (r *codexReader) item(item jsontext.Value) bool {
	has := members(item)
	for name := range strings.FieldsSeq(codexItems[text(has["type"])]) {
		value, ok := has[name]
		isList := name == "content" || name == "summary"
		if !ok || isList && value.Kind() != jsontext.KindBeginArray ||
			!isList && value.Kind() != jsontext.KindString {
			r.fault("the item %s is skipped for its %s", item, name)
			return false
		}
	}
	return true
}

// complete reads the response at the end. Codex reads either all of its counts or none.
func (r *codexReader) complete(response map[string]jsontext.Value) {
	r.ended = true
	if text(response["id"]) == "" {
		r.fault("the end has no id")
	}
	usage := members(response["usage"])
	for counts, names := range map[string]string{"": "input_tokens output_tokens total_tokens",
		"input_tokens_details": "cached_tokens", "output_tokens_details": "reasoning_tokens"} {
		from := usage
		if counts != "" {
			from = members(usage[counts])
		}
		for name := range strings.FieldsSeq(names) {
			if from[name].Kind() != jsontext.KindNumber {
				r.fault("%s %s is %s", counts, name, from[name])
			}
		}
	}
}

// Codex skips no item, shows each text as it arrives, and reads the counts, for every recorded
// stream.
func TestCodexUnderstandsEveryStream(t *testing.T) {
	t.Parallel()
	custom := toresponses.WithRequest(&openaiapi.CreateResponseRequest{Tools: []openaiapi.ResponseTool{responses.CustomTool("patch",
		"Changes a file.")}})
	for name, bodies := range map[string][]string{
		"a text":         {part(`{"text":"a"}`), part(`{"text":"b"}`), stop},
		"a thought":      {part(`{"text":"a","thought":true},{"text":"b"}`), stop},
		"calls":          {part(`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"QUJD"},{"functionCall":{"name":"patch","args":{"input":"x"}}}`), stop},
		"an image":       {part(`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`), stop},
		"code":           {part(`{"executableCode":{"code":"1"}},{"codeExecutionResult":{"output":"1","outcome":"OUTCOME_OK"}},{"text":"1"}`), stop},
		"a search":       {part(`{"text":"a"}`), stop + `,"groundingMetadata":{"webSearchQueries":["q"]}`},
		"a cut answer":   {part(`{"text":"a"}`), `"finishReason":"MAX_TOKENS"`},
		"a failure":      {part(`{"text":"a"}`), `"finishReason":"MALFORMED_FUNCTION_CALL"`},
		"a refusal":      {`{"promptFeedback":{"blockReason":"SAFETY"}}`},
		"nothing at all": {stop},
	} {
		checkCodex(t, name, chunksOf(t, bodies...), nil, custom)
	}
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := openaitest.ReadStream(p.Read(t))
		checkCodex(t, p.Name, wire, failure)
	}
}

// checkCodex reads the conversion of chunks as Codex does.
func checkCodex(t *testing.T, name string, wire []*geminiapi.GenerateContentResponse, failure error,
	opts ...toresponses.Option) {
	t.Helper()
	s := toresponses.NewStream(opts...)
	var all []openaiapi.ResponseEvent
	for _, chunk := range wire {
		more, _ := s.Push(chunk) // an error has events of its own
		all = append(all, more...)
	}
	more, _ := s.Close(failure)
	var r codexReader
	for _, event := range append(all, more...) {
		data, err := responses.EncodeEvent(&event)
		if err != nil {
			t.Fatal(err)
		}
		r.read(data)
	}
	if !r.ended {
		r.fault("there is no end")
	}
	if failure == nil && r.shown != r.told { // a failure tells less than was shown
		r.fault("shown is %q of %q", r.shown, r.told)
	}
	for _, fault := range r.faults {
		t.Errorf("%s: %s", name, fault)
	}
}
