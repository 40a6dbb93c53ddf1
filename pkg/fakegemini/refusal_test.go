package fakegemini_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

const (
	geminiPath = "/v1beta/models/gemini-3.6-flash:generateContent"
	countPath  = "/v1beta/models/gemini-2.5-flash:countTokens"
	oldPath    = "/v1beta/models/gemini-2.5-flash:generateContent"
	vertexPath = "/v1beta1/publishers/google/models/gemini-3.6-flash:generateContent"
)

// ask returns a request with one turn and more members.
func ask(members string) string {
	return `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],` + members + `}`
}

// withSchema returns a request for an answer by a schema.
func withSchema(schema string) string {
	return ask(`"generationConfig":{"responseMimeType":"application/json","responseSchema":` +
		schema + `}`)
}

// turns returns a request with contents.
func turns(contents ...string) string { return `{"contents":[` + strings.Join(contents, ",") + `]}` }

const (
	question = `{"role":"user","parts":[{"text":"What time is it?"}]}`
	call     = `{"role":"model","parts":[{"functionCall":{"name":"get_time","args":{}}}]}`
	result   = `{"role":"user","parts":[{"functionResponse":{"name":"get_time","response":{"time":"noon"}}}]}`
)

const invalidArgument = http.StatusBadRequest

func TestRefusalsHaveTheRealServersWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ path, body, message, field string }{
		"an unknown name": {geminiPath, ask(`"stream":true`), `Invalid JSON payload received. Unknown name "stream": Cannot find field.`, ""},
		"an unknown name in a schema": {geminiPath,
			ask(`"tools":[{"function_declarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"b":{"type":"STRING"},"a":{"type":"STRING","const":"x"}}}}]}]`),
			`Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[1].value': Cannot find field.`,
			"tools[0].function_declarations[0].parameters.properties[1].value"},
		"a list for one value": {geminiPath,
			ask(`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"a":{"type":["STRING","NULL"]}}}}]}]`),
			`Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is not repeating, cannot start list.`,
			"tools[0].function_declarations[0].parameters.properties[0].value"},
		"an object for a value": {geminiPath, turns(`{"parts":[{"text":{}}]}`),
			`Invalid JSON payload received. Unknown name "text" at 'contents[0].parts[0]': Starting an object on a scalar field.`,
			"contents[0].parts[0]"},
		"a text for a message": {geminiPath, turns(`"Hi"`),
			`Invalid value at 'contents[0]' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), "Hi"`,
			"contents[0]"},
		"a text for a number": {geminiPath, ask(`"generationConfig":{"temperature":"hot"}`), `Invalid value at 'generation_config.temperature' (TYPE_FLOAT), "hot"`, "generation_config.temperature"},
		"an unknown value": {vertexPath,
			ask(`"safetySettings":[{"category":"RUDE","threshold":"OFF"}]`),
			`Invalid value at 'safety_settings[0].category' (type.googleapis.com/google.cloud.aiplatform.v1beta1.HarmCategory), "RUDE"`,
			"safety_settings[0].category"},
		"two kinds of data in a part": {geminiPath,
			turns(`{"parts":[{"text":"a","inline_data":{"mimeType":"image/png","data":"AAAA"}}]}`),
			`Invalid value at 'contents[0].parts[0]' (oneof), oneof field 'data' is already set. Cannot set 'inline_data'`,
			"contents[0].parts[0]"},
		"a list":             {geminiPath, `[]`, `Invalid JSON payload received. Unknown name "": Root element must be a message.`, ""},
		"no JSON":            {geminiPath, `{"contents":}`, "Invalid JSON payload received. Unexpected token.\n{\"contents\":}\n            ^", "-"},
		"nothing":            {geminiPath, ``, "* GenerateContentRequest.contents: contents is not specified\n", "-"},
		"nothing for Vertex": {vertexPath, `{}`, "Unable to submit request because at least one contents field is required. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini", "-"},
		"a turn without parts": {geminiPath, turns(question, `{"role":"user","parts":[]}`),
			"* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.\n", "-"},
		"parts without data": {geminiPath, turns(`{"parts":[{},{}]}`),
			"* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n" +
				"* GenerateContentRequest.contents[0].parts[1].data: required oneof field 'data' must have one initialized field\n",
			"-"},
		"an unknown role": {vertexPath, turns(`{"role":"assistant","parts":[{"text":"Hi"}]}`), "Please use a valid role: user, model.", "-"},
		"a missing signature": {geminiPath, turns(question, call, result),
			"Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. " +
				"Additional data, function call `default_api:get_time` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
			"-"},
		"a missing signature for Vertex": {vertexPath, turns(question, call, result),
			"Unable to submit request because function call `get_time` in the 2. content block is missing a `thought_signature`. Learn more: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures",
			"-"},
		"a call that is not answered": {oldPath,
			turns(question,
				`{"role":"model","parts":[{"functionCall":{"name":"get_time"}},{"functionCall":{"name":"get_date"}}]}`,
				result),
			"Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
			"-"},
		"an answer to nothing":     {oldPath, turns(question, result), "Please ensure that function response turn comes immediately after a function call turn.", "-"},
		"a call at the beginning":  {oldPath, turns(call, result), "Please ensure that function call turn comes immediately after a user turn or after a function response turn.", "-"},
		"a turn of the model last": {"/v1beta/models/gemini-3.6-flash:generateContent", turns(question, `{"role":"model","parts":[{"text":"It"}]}`), "Requests ending with a model turn are not supported unless the last part is a function response.", "-"},
		"a level for an old model": {oldPath, ask(`"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}`), "Thinking level is not supported for this model.", "-"},
		"a budget and a level":     {geminiPath, ask(`"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW","thinkingBudget":5}}`), "You can only set only one of thinking budget and thinking level.", "-"},
		"a budget of 0":            {"/v1beta/models/gemini-2.5-pro:generateContent", ask(`"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`), "Budget 0 is invalid. This model only works in thinking mode.", "-"},
		"a budget out of range": {"/v1beta/models/gemini-2.5-flash-lite:generateContent",
			ask(`"generationConfig":{"thinkingConfig":{"thinkingBudget":5}}`),
			"The thinking budget 5 is invalid. Please choose a value between 512 and 24576.", "-"},
		"a temperature out of range": {geminiPath, ask(`"generationConfig":{"temperature":3}`), "* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].\n", "-"},
		"a number out of range for Vertex": {vertexPath,
			ask(`"generationConfig":{"candidateCount":9}`),
			"Unable to submit request because it has a candidateCount value of 9 but the supported range is from 1 (inclusive) to 9 (exclusive). Update the value and try again.",
			"-"},
		"functions with JSON": {oldPath,
			ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"generationConfig":{"responseMimeType":"application/json"}`),
			"Function calling with a response mime type: 'application/json' is unsupported", "-"},
		"more than the model reads": {geminiPath,
			turns(`{"parts":[{"text":"` + strings.Repeat("a ", 1<<20) + `"}]}`),
			"The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
			"-"},
		"an unknown MIME type": {geminiPath,
			ask(`"generationConfig":{"responseMimeType":"text/html"}`),
			"* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are `text/plain`, `application/json`, `application/xml`, `application/yaml` and `text/x.enum`.\n",
			"-"},
		"a harm of PaLM": {geminiPath,
			ask(`"safetySettings":[{"category":"HARM_CATEGORY_TOXICITY","threshold":"BLOCK_NONE"}]`),
			"* GenerateContentRequest.safety_settings[0].category: element predicate failed: $.category in (HarmCategory.HARM_CATEGORY_HATE_SPEECH, HarmCategory.HARM_CATEGORY_SEXUALLY_EXPLICIT, " +
				"HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT, HarmCategory.HARM_CATEGORY_HARASSMENT, HarmCategory.HARM_CATEGORY_CIVIC_INTEGRITY)\n",
			"-"},
		"a data URL": {geminiPath,
			turns(`{"parts":[{"inlineData":{"mimeType":"image/png","data":"data:image/png;base64,AAAA"}}]}`),
			`Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed for "data:image/png;base64,AAAA"`,
			"contents[0].parts[0].inline_data.data"},
		"arguments that are not an object": {oldPath,
			turns(question, `{"role":"model","parts":[{"functionCall":{"name":"f","args":[1]}}]}`,
				`{"parts":[{"functionResponse":{"name":"f","response":{}}}]}`),
			`Invalid value at 'contents[1].parts[0].function_call.args' (type.googleapis.com/google.protobuf.Struct), [1]`,
			"contents[1].parts[0].function_call.args"},
		"a member of the other service": {geminiPath, ask(`"tools":[{"retrieval":{}}]`), `Invalid JSON payload received. Unknown name "retrieval" at 'tools[0]': Cannot find field.`, "tools[0]"},
		"no parts for Vertex": {vertexPath, turns(`{"role":"user"}`),
			"Unable to submit request because it must include at least one parts field, which describes the prompt input. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini",
			"-"},
		"no data for Vertex": {vertexPath, turns(`{"role":"user","parts":[{}]}`),
			"Unable to submit request because it must have a text parameter. Add a text parameter and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini",
			"-"},
		"a bad name of a function": {geminiPath,
			ask(`"tools":[{"functionDeclarations":[{"name":"get weather"}]}]`),
			"* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), " +
				"dots (.), colons (:), or dashes (-), with a maximum length of 128.\n", "-"},
		"a call without a name":             {geminiPath, turns(question, `{"role":"model","parts":[{"functionCall":{"args":{"a":1}}}]}`), "* GenerateContentRequest.contents[1].parts[0].function_call.name: Name cannot be empty.\n", "-"},
		"an empty tool":                     {geminiPath, ask(`"tools":[{}]`), "* GenerateContentRequest.tools[0].tool_type: required one_of 'tool_type' must have one initialized field\n", "-"},
		"parameters that are not an object": {geminiPath, ask(`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"STRING"}}]}]`), "parameters schema should be of type OBJECT.", "-"},
		"a mode without functions":          {geminiPath, ask(`"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`), "Function calling config is set without function_declarations.", "-"},
		"allowed names without ANY":         {geminiPath, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"allowedFunctionNames":["f"]}}`), "Please set allowed_function_names only when function calling mode is ANY.", "-"},
		"search with functions":             {oldPath, ask(`"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}]`), "Tool use with function calling is unsupported", "-"},
		"search with functions, hidden":     {geminiPath, ask(`"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}]`), "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.", "-"},
		"an instruction with a cache": {geminiPath,
			ask(`"cachedContent":"cachedContents/x","systemInstruction":{"parts":[{"text":"x"}]}`),
			"CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\nProposed fix: move those values to CachedContent from GenerateContent request.",
			"-"},
		"no name of a cache":      {geminiPath, ask(`"cachedContent":"1234567890"`), "Invalid CachedContent name: 1234567890.", "-"},
		"a list without elements": {geminiPath, withSchema(`{"type":"ARRAY"}`), "* GenerateContentRequest.generation_config.response_schema.items: missing field.\n", "-"},
		"an enum of numbers":      {geminiPath, withSchema(`{"type":"OBJECT","properties":{"a":{"type":"INTEGER","enum":["1"]}}}`), "* GenerateContentRequest.generation_config.response_schema.properties[0].value.enum: only allowed for STRING type\n", "-"},
		"properties of a text":    {geminiPath, withSchema(`{"type":"STRING","properties":{"a":{"type":"STRING"}}}`), "* GenerateContentRequest.generation_config.response_schema.properties: only allowed for OBJECT type\n", "-"},
		"a required property that is not there": {geminiPath,
			withSchema(`{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["b"]}`),
			"* GenerateContentRequest.generation_config.response_schema.required[0]: property is not defined\n",
			"-"},
		"a penalty":          {"/v1beta/models/gemini-3.7-flash:generateContent", ask(`"generationConfig":{"frequencyPenalty":1}`), "Penalty is not enabled for this model", "-"},
		"log probabilities":  {"/v1beta/models/gemini-2.5-pro:generateContent", ask(`"generationConfig":{"responseLogprobs":true}`), "Logprobs is not enabled for models/gemini-2.5-pro", "-"},
		"only counted parts": {countPath, `{"contents":[{"parts":[]}]}`, "* CountTokensRequest.contents[0].parts: contents.parts must not be empty.\n", "-"},
		"a request that is counted": {countPath,
			`{"generateContentRequest":{"contents":[{"parts":[{"text":"Hi"}]}],"stream":true}}`,
			`Invalid JSON payload received. Unknown name "stream" at 'generate_content_request': Cannot find field.`,
			"generate_content_request"},
		"two functions of a name": {geminiPath, ask(`"tools":[{"functionDeclarations":[{"name":"f"},{"name":"f"}]}]`), "Duplicate function declaration found: f", "-"},
		"a fault whose words are unknown": {geminiPath,
			ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["g"]}}`),
			"Request contains an invalid argument.", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reply, body := post(t, geminitest.NewServer(t), test.path, test.body)
			got := gemini.DecodeError(reply.StatusCode, reply.Header, []byte(body))
			if got.HTTPStatus != invalidArgument || got.Status != "INVALID_ARGUMENT" {
				t.Fatalf("got %s", body)
			}
			if diff := cmp.Diff(test.message, got.Message); diff != "" {
				t.Error(diff)
			}
			faults := got.FieldViolations()
			switch {
			case test.field == "-" && faults != nil:
				t.Errorf("got the faults of fields %v", faults)
			case test.field == "" && (len(faults) != 1 || faults[0].Field != nil):
				t.Errorf("got the faults of fields %v, want one of the request itself", faults)
			case test.field != "-" && test.field != "" &&
				(len(faults) != 1 || *faults[0].Field != test.field ||
					*faults[0].Description != test.message):
				t.Errorf("got the faults of fields %v", faults)
			}
		})
	}
}

// The JSON reader continues after a value of another type. The refusal lists all such values, and
// the unknown names of the rest.
func TestAllFaultsOfABodyAreReported(t *testing.T) {
	t.Parallel()
	body := `{"contents":[{"parts":[{"text":{}}]}],"stream":true,"generation_config":{"topK":"many","temperature":"hot"},
		"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"a":{"type":["STRING","NULL"]},"b":{"type":["STRING"],"const":1}}}}]}]}`
	reply := do(t, newHandler(t), geminiPath, []byte(body))
	err := gemini.DecodeError(reply.Code, reply.Header(), reply.Body.Bytes())
	var told []string
	for _, detail := range err.Details {
		for _, violation := range detail.FieldViolations {
			told = append(told, *violation.Description)
		}
	}
	slices.Sort(told)
	want := []string{
		`Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[1].value': Cannot find field.`,
		`Invalid JSON payload received. Unknown name "stream": Cannot find field.`,
		`Invalid JSON payload received. Unknown name "text" at 'contents[0].parts[0]': Starting an object on a scalar field.`,
		`Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is not repeating, cannot start list.`,
		`Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[0].parameters.properties[1].value': Proto field is not repeating, cannot start list.`,
		`Invalid value at 'generation_config.temperature' (TYPE_FLOAT), "hot"`,
		`Invalid value at 'generation_config.top_k' (TYPE_INT32), "many"`,
	}
	if diff := cmp.Diff(want, told); diff != "" || reply.Code != http.StatusBadRequest ||
		strings.Count(err.Message, "\n") != len(want)-1 {
		t.Errorf("-want +got\n%s", diff)
	}
}

// An unknown name is also a mistake in a model turn, because this server has not sent it.
func TestATurnOfTheModelHasNoUnknownNames(t *testing.T) {
	t.Parallel()
	body := turns(question,
		`{"role":"model","parts":[{"functionCall":{"name":"get_time","arguments":{}}}]}`, result)
	reply := do(t, newHandler(t), oldPath, []byte(body))
	want := `Unknown name \"arguments\" at 'contents[1].parts[0].function_call': Cannot find field.`
	if reply.Code != http.StatusBadRequest || !strings.Contains(reply.Body.String(), want) {
		t.Errorf("%d %s", reply.Code, reply.Body)
	}
}

// Models for images, videos and embeddings do not generate content. The message is the same as for
// a model that does not exist.
func TestModelsOfOtherKindsGenerateNoContent(t *testing.T) {
	t.Parallel()
	handler := newHandler(t)
	for _, model := range []string{"imagen-4.0-generate-001", "veo-3.0-generate-001",
		"gemini-embedding-001", "text-embedding-004", "aqa"} {
		for _, operation := range []string{"generateContent", "streamGenerateContent?alt=sse"} {
			reply := do(t, handler, "/v1beta/models/"+model+":"+operation, []byte(hello))
			err := gemini.DecodeError(reply.Code, reply.Header(), reply.Body.Bytes())
			want := "models/" + model +
				" is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods."
			if reply.Code != http.StatusNotFound || err.Message != want {
				t.Errorf("%d %s", reply.Code, reply.Body)
			}
		}
	}
}

// Programs for another vendor's API use its model names, which Gemini does not have.
func TestModelsOfOtherMakersAreNotFound(t *testing.T) {
	t.Parallel()
	handler := newHandler(t)
	for _, model := range []string{"text-embedding-3-small", "text-embedding-ada-002",
		"embedding-3", "gpt-4o"} {
		for operation, body := range map[string]string{
			"embedContent": `{"content":{"parts":[{"text":"x"}]}}`,
			"batchEmbedContents": `{"requests":[{"model":"models/` + model +
				`","content":{"parts":[{"text":"x"}]}}]}`,
			"asyncBatchEmbedContent": `{"batch":{"inputConfig":{"requests":{"requests":[{"request":{"content":{"parts":[{"text":"x"}]}}}]}}}}`,
			"generateContent":        hello,
		} {
			reply := do(t, handler, "/v1beta/models/"+model+":"+operation, []byte(body))
			if reply.Code != http.StatusNotFound ||
				!strings.Contains(reply.Body.String(), "models/"+model+" is not found") {
				t.Errorf("%s of %s: %d %s", operation, model, reply.Code, reply.Body)
			}
		}
	}
}
