package responses_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/validation"
)

func TestNoAnswerOfOpenAIsBreaksARule(t *testing.T) {
	t.Parallel()
	for kind, check := range map[corpustest.Kind]func([]byte) []validation.Violation{
		corpustest.Response: responses.CheckResponse,
		corpustest.Stream:   responses.CheckStream,
	} {
		count := 0
		for _, p := range recorded(t, kind) {
			if !isOfOpenAI(p) {
				continue
			}
			count++
			for _, v := range validation.Errors(check(p.Read(t))) {
				t.Errorf("%s: %v", p.Name, v)
			}
		}
		if count < corpustest.AtLeast(150) {
			t.Errorf("%s: only %d", kind, count)
		}
	}
}

func TestABadResponseIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	const good = `{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"model":"m",` +
		`"output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}],` +
		`"usage":{"input_tokens":1,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":3}}`
	for name, test := range map[string]struct{ before, after, want string }{
		"nothing":                     {"", "", ""},
		"tokens below 0":              {`"input_tokens":1`, `"input_tokens":-1`, "/usage/input_tokens: must be at least 0"},
		"a total that is not the sum": {`"total_tokens":3`, `"total_tokens":9`, "/usage/total_tokens: must be the sum of input_tokens and output_tokens"},
		"more cached than read":       {`"cached_tokens":0`, `"cached_tokens":9`, "/usage/input_tokens_details/cached_tokens: must be at most input_tokens, which includes them"},
		"an unknown member":           {`"model":"m"`, `"model":"m","modle":1`, "/modle: is not a known member of Response"},
		"an unknown status":           {`"status":"completed","error"`, `"status":"complete","error"`, "/status"},
		"a text for a list":           {`"output":[`, `"outputs":[`, "/output: must be set"},
		"a member of another type":    {`"annotations":[]`, `"annotations":{}`, "/output/0/content/0/annotations: must be a list"},
		"a text of the user":          {`"role":"assistant"`, `"role":"user"`, "/output/0/role: must be assistant; the answer is the model's"},
		"a part of a request":         {`"type":"output_text"`, `"type":"input_text"`, "/output/0/content/0/type: must be output_text or refusal; the answer is the model's"},
		"arguments that are cut":      {`"output":[`, `"output":[{"id":"fc_1","type":"function_call","call_id":"c","name":"f","arguments":"{","status":"completed"},`, "/output/0/arguments: must be a text that is JSON"},
		"two calls of one id": {`"output":[`,
			`"output":[{"id":"fc_1","type":"function_call","call_id":"c","name":"f","arguments":"{}","status":"completed"},` +
				`{"id":"fc_2","type":"function_call","call_id":"c","name":"f","arguments":"{}","status":"completed"},`,
			"/output/1/call_id: must differ from the call_id of any earlier call"},
		"another object":         {`"object":"response"`, `"object":"resp"`, "/object: must be response"},
		"arguments in an object": {`"output":[`, `"output":[{"id":"fc_1","type":"function_call","call_id":"c","name":"f","arguments":{},"status":"completed"},`, "/output/0/arguments: must be a string that holds JSON"},
		"arguments of MCP":       {`"output":[`, `"output":[{"id":"mcp_1","type":"mcp_call","server_label":"s","name":"f","arguments":{},"status":"completed"},`, "/output/0/arguments: must be a string that holds JSON"},
		"arguments of a search":  {`"output":[`, `"output":[{"id":"tsc_1","type":"tool_search_call","call_id":"c","execution":"client","arguments":{"goal":"x"},"status":"completed"},`, ""},
		"a likelihood above 1":   {`"annotations":[]`, `"annotations":[],"logprobs":[{"token":"Hi","logprob":0.5,"bytes":[],"top_logprobs":[]}]`, "/output/0/content/0/logprobs/0/logprob: must be at most 0, the logarithm of 1"},
		"an alternative above 1": {`"annotations":[]`, `"annotations":[],"logprobs":[{"token":"Hi","logprob":0.00003,"bytes":[],"top_logprobs":[{"token":"Hi","logprob":3,"bytes":[]}]}]`, "/output/0/content/0/logprobs/0/top_logprobs/0/logprob: must be at most 0, the logarithm of 1"},
		"an error":               {good, `{"error":{"message":"no"}}`, "must be a response, not an error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range responses.CheckResponse(
				[]byte(strings.Replace(good, test.before, test.after, 1))) {
				v.Position = validation.Position{}
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

// Items of streams are checked like items of whole responses.
func TestABadItemOfAStreamIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	const begun = `"id":"resp_1","object":"response","created_at":1,"error":null,"incomplete_details":null,"model":"m"`
	const usage = `"usage":{"input_tokens":1,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":3}`
	const call = `"id":"fc_1","type":"function_call","call_id":"c","name":"f"`
	stream := func(added, arguments, done, output string) string {
		var out strings.Builder
		number := 0
		for _, event := range []string{
			`{"type":"response.created","response":{` + begun +
				`,"status":"in_progress","output":[],"usage":null}`,
			`{"type":"response.output_item.added","output_index":0,"item":{` + added +
				`,"status":"in_progress"}`,
			arguments,
			`{"type":"response.output_item.done","output_index":0,"item":{` + done +
				`,"status":"completed"}`,
			`{"type":"response.completed","response":{` + begun +
				`,"status":"completed","output":[{` + output + `,"status":"completed"}],` + usage +
				`}`,
		} {
			number += strings.Count(event, "\n\n")
			out.WriteString("data: " + event + `,"sequence_number":` + strconv.Itoa(number) +
				"}\n\n")
			number++
		}
		return out.String()
	}
	arguments := func(text string) string {
		return `{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":0,"delta":"` +
			text + `","sequence_number":2}` + "\n\n" +
			`data: {"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":0,"name":"f","arguments":"` +
			text + `"`
	}
	const empty, whole = call + `,"arguments":""`, call + `,"arguments":"{}"`
	for name, test := range map[string]struct{ body, want string }{
		"nothing":                {stream(empty, arguments("{}"), whole, whole), ""},
		"arguments in an object": {stream(empty, arguments("{}"), call+`,"arguments":{}`, whole), "/4/item/arguments: must be a string that holds JSON"},
		"arguments that are cut": {stream(empty, arguments("{"), call+`,"arguments":"{"`, whole), "/4/item/arguments: must be a text that is JSON"},
		"a likelihood above 1": {
			stream(`"id":"msg_1","type":"message","role":"assistant","content":[]`,
				`{"type":"response.in_progress","response":{`+begun+
					`,"status":"in_progress","output":[],"usage":null}`,
				`"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"a","annotations":[],"logprobs":[{"token":"a","logprob":2,"bytes":[],"top_logprobs":[]}]}]`,
				`"id":"msg_1","type":"message","role":"assistant","content":[]`),
			"/3/item/content/0/logprobs/0/logprob: must be at most 0, the logarithm of 1"},
		"an item of the user": {
			stream(`"id":"msg_1","type":"message","role":"user","content":[]`,
				`{"type":"response.in_progress","response":{`+begun+
					`,"status":"in_progress","output":[],"usage":null}`,
				`"id":"msg_1","type":"message","role":"user","content":[]`,
				`"id":"msg_1","type":"message","role":"assistant","content":[]`),
			"/1/item/role: must be assistant; the answer is the model's"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range responses.CheckStream([]byte(test.body)) {
				v.Position = validation.Position{}
				got = append(got, v.Error())
			}
			if test.want == "" && got == nil {
				return
			}
			isWanted := func(line string) bool { return strings.HasPrefix(line, test.want) }
			if test.want == "" || !slices.ContainsFunc(got, isWanted) {
				t.Errorf("got %q, want %s", got, test.want)
			}
		})
	}
}
