package openai_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/validation"
)

// editedByHand are parts of the names of recordings that differ from what OpenAI sent, or that are
// from a preview.
var editedByHand = []string{
	// the preview of GPT-4 with vision sent finish_details instead of a finish_reason
	"image_input",
	"azure_chat_completion_streamed_00", // an early Azure, whose first chunk has no delta
}

// OpenAI's own servers and OpenAI's models on Azure confirm each rule. Other servers of this format
// differ.
func TestNoAnswerOfOpenAIsBreaksARule(t *testing.T) {
	t.Parallel()
	for kind, check := range map[corpustest.Kind]func([]byte) []validation.Violation{
		corpustest.Response: openai.CheckResponse,
		corpustest.Stream:   openai.CheckStream,
	} {
		count := 0
		for _, p := range corpustest.ClientPayloads(t, "chat_completions", kind) {
			if !isOfOpenAI(p) {
				continue
			}
			count++
			for _, v := range validation.Errors(check(p.Read(t))) {
				t.Errorf("%s: %v", p.Name, v)
			}
		}
		if count < corpustest.AtLeast(200) {
			t.Errorf("%s: only %d", kind, count)
		}
	}
}

func isOfOpenAI(p corpustest.Payload) bool {
	for _, part := range editedByHand {
		if strings.Contains(p.Name, part) {
			return false
		}
	}
	return p.Host == "api.openai.com" || strings.HasSuffix(p.Host, ".openai.azure.com")
}

// The location of each violation in the original body.
func TestABadCompletionIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	const good = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",` +
		`"content":"Hi","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`
	for name, test := range map[string]struct {
		before, after string
		want          string
	}{
		"nothing":                     {"", "", ""},
		"no choices":                  {good, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}`, "/choices: must hold a choice"},
		"a choice below 0":            {`"index":0`, `"index":-1`, "/choices/0/index: must be at least 0"},
		"tokens below 0":              {`"prompt_tokens":1,"completion_tokens":2`, `"prompt_tokens":-1,"completion_tokens":4`, "/usage/prompt_tokens: must be at least 0"},
		"a total that is not the sum": {`"total_tokens":3`, `"total_tokens":9`, "/usage/total_tokens: must be the sum of prompt_tokens and completion_tokens"},
		"more cached than read":       {`"total_tokens":3`, `"total_tokens":3,"prompt_tokens_details":{"cached_tokens":9}`, "/usage/prompt_tokens_details/cached_tokens: must be at most prompt_tokens, which includes them"},
		"more reasoning than wrote":   {`"total_tokens":3`, `"total_tokens":3,"completion_tokens_details":{"reasoning_tokens":9}`, "/usage/completion_tokens_details/reasoning_tokens: must be at most completion_tokens, which includes them"},
		"more sound than wrote":       {`"total_tokens":3`, `"total_tokens":3,"completion_tokens_details":{"audio_tokens":9}`, "/usage/completion_tokens_details/audio_tokens: must be at most completion_tokens, which includes them"},
		"two calls of one id": {`"content":"Hi"`,
			`"content":"Hi","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"a","type":"function","function":{"name":"g","arguments":"{}"}}]`,
			"/choices/0/message/tool_calls/1/id: must differ from the id of any earlier call"},
		"a call without its function": {`"content":"Hi"`, `"content":"Hi","tool_calls":[{"id":"a","type":"function"}]`, "/choices/0/message/tool_calls/0/function: must be set, as type is function"},
		"an annotation that ends before it begins": {`"content":"Hi"`,
			`"content":"Hi","annotations":[{"type":"url_citation","url_citation":{"start_index":2,"end_index":1,"url":"u","title":"t"}}]`,
			"/choices/0/message/annotations/0/url_citation/end_index: must be at least start_index"},
		"a likelihood above 1":     {`"logprobs":null`, `"logprobs":{"content":[{"token":"Hi","logprob":0.5,"bytes":null,"top_logprobs":[]}],"refusal":null}`, "/choices/0/logprobs/content/0/logprob: must be at most 0, the logarithm of 1"},
		"an alternative above 1":   {`"logprobs":null`, `"logprobs":{"content":[{"token":"Hi","logprob":0,"bytes":null,"top_logprobs":[{"token":"Hi","logprob":3,"bytes":null}]}],"refusal":null}`, "/choices/0/logprobs/content/0/top_logprobs/0/logprob: must be at most 0, the logarithm of 1"},
		"a rounded likelihood":     {`"logprobs":null`, `"logprobs":{"content":[{"token":"Hi","logprob":0.00003,"bytes":null,"top_logprobs":[]}],"refusal":null}`, ""},
		"an unknown object":        {`"object":"chat.completion"`, `"object":"completion"`, "/object"},
		"a text for a number":      {`"created":1`, `"created":"1"`, `/created: must be an integer`},
		"an unknown member":        {`"model":"m"`, `"model":"m","modle":1`, "/modle: is not a known member of CreateChatCompletionResponse"},
		"a misspelt member":        {`"usage"`, `"usgae"`, `/usgae: is not a known member of CreateChatCompletionResponse; did you mean "usage"?`},
		"an unknown reason":        {`"finish_reason":"stop"`, `"finish_reason":"stopped"`, "/choices/0/finish_reason"},
		"a member that is missing": {`"role":"assistant",`, "", "/choices/0/message/role: must be set"},
		"an error":                 {good, `{"error":{"message":"no"}}`, "must be a completion, not an error"},
		"no JSON":                  {good, `{"id":`, "/id: the JSON ends too early"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range openai.CheckResponse(
				[]byte(strings.Replace(good, test.before, test.after, 1))) {
				if v.Position.IsZero() && v.Rule != "error" {
					t.Errorf("%v has no position", v)
				}
				v.Position, v.Value = validation.Position{}, ""
				got = append(got, v.Error())
			}
			if test.want == "" && got == nil {
				return
			}
			if len(got) == 0 || test.want == "" || !strings.HasPrefix(got[0], test.want) {
				t.Errorf("got %q, want %s", got, test.want)
			}
		})
	}
}

func TestABadStreamIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	chunk := func(delta, finish string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` +
			delta +
			`,"logprobs":null,"finish_reason":` + finish + "}]}\n\n"
	}
	const done = "data: [DONE]\n\n"
	begin := chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}`,
		"null")
	for name, test := range map[string]struct{ body, want string }{
		"a good one":                  {chunk(`{"role":"assistant","content":"Hi"}`, "null") + chunk(`{}`, `"stop"`) + done, ""},
		"no chunk":                    {done, "must hold a choice"},
		"no reason":                   {chunk(`{"content":"Hi"}`, "null") + done, "/0/choices/0/finish_reason: must say why the choice ended"},
		"a text after the end":        {chunk(`{"content":"Hi"}`, `"stop"`) + chunk(`{"content":"more"}`, "null") + done, "/1/choices/0: must not follow the finish_reason of its choice"},
		"another completion":          {chunk(`{"content":"Hi"}`, "null") + strings.Replace(chunk(`{}`, `"stop"`), `"id":"c"`, `"id":"d"`, 1) + done, `/1/id: must be "c", as in earlier chunks`},
		"a call without an id":        {chunk(`{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]}`, `"tool_calls"`) + done, "/0/choices/0/delta/tool_calls/0/id: must be set where a call begins"},
		"a call without a name":       {chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}`, `"tool_calls"`) + done, "/0/choices/0/delta/tool_calls/0/function/name: must be set where a call begins"},
		"arguments that are not JSON": {chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}`, `"tool_calls"`) + done, "/0/choices/0/delta/tool_calls/0/function/arguments: must complete the JSON of the earlier pieces"},
		"arguments that are cut":      {chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}`, `"length"`) + done, ""},
		"a call of another id":        {begin + chunk(`{"tool_calls":[{"index":0,"id":"b","function":{"arguments":"{}"}}]}`, `"tool_calls"`) + done, `/1/choices/0/delta/tool_calls/0/id: must be "a", as at the beginning of the call`},
		"a call of another name":      {begin + chunk(`{"tool_calls":[{"index":0,"function":{"name":"g","arguments":"{}"}}]}`, `"tool_calls"`) + done, `/1/choices/0/delta/tool_calls/0/function/name: must be "f", as at the beginning of the call`},
		"two calls of one id":         {begin + chunk(`{"tool_calls":[{"index":1,"id":"a","function":{"name":"g","arguments":"{}"}}]}`, `"tool_calls"`) + done, "/1/choices/0/delta/tool_calls/0/id: must differ from the id of any earlier call"},
		"a call that is left out":     {begin + chunk(`{"tool_calls":[{"index":2,"id":"b","function":{"name":"g","arguments":"{}"}}]}`, `"tool_calls"`) + done, "/1/choices/0/delta/tool_calls/0/index: must be 1, the number of earlier calls"},
		"a refusal after the end":     {chunk(`{"content":"Hi"}`, `"stop"`) + chunk(`{"refusal":"no"}`, "null") + done, "/1/choices/0: must not follow the finish_reason of its choice"},
		"a reason without its call":   {chunk(`{"content":"Hi"}`, `"tool_calls"`) + done, "/0/choices/0/finish_reason: must not be tool_calls, because there is no call"},
		"an index below 0":            {strings.Replace(chunk(`{"content":"Hi"}`, `"stop"`), `"index":0`, `"index":-1`, 1) + done, "/0/choices/0/index: must be at least 0"},
		"two choices of one index":    {strings.Replace(chunk(`{"content":"Hi"}`, `"stop"`), `"choices":[`, `"choices":[{"index":0,"delta":{"content":"Ho"},"logprobs":null,"finish_reason":null},`, 1) + done, "/0/choices/1/index: must differ from the index of any earlier choice in the chunk"},
		"a likelihood above 1":        {strings.Replace(chunk(`{"content":"Hi"}`, `"stop"`), `"logprobs":null`, `"logprobs":{"content":[{"token":"Hi","logprob":0.5,"bytes":null,"top_logprobs":[]}],"refusal":null}`, 1) + done, "/0/choices/0/logprobs/content/0/logprob: must be at most 0, the logarithm of 1"},
		"a stream that is cut":        {chunk(`{"content":"Hi"}`, `"stop"`), "/1: the stream is truncated"},
		"an error":                    {chunk(`{"content":"Hi"}`, "null") + `data: {"error":{"message":"no"}}` + "\n\n", "/1: must be a chunk, not an error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := openai.CheckStream([]byte(test.body))
			var got []string
			for _, v := range found {
				v.Position, v.Value = validation.Position{}, ""
				got = append(got, v.Error())
			}
			if test.want == "" && got == nil {
				return
			}
			if len(got) == 0 || test.want == "" || !strings.HasPrefix(got[0], test.want) {
				t.Errorf("got %q, want %s", got, test.want)
			}
		})
	}
}
