package anthropic_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/validation"
)

func TestNoAnswerOfAnthropicsBreaksARule(t *testing.T) {
	t.Parallel()
	count := 0
	check := func(p corpustest.Payload, found []validation.Violation) {
		count++
		for _, v := range validation.Errors(found) {
			t.Errorf("%s: %v", p.Name, v)
		}
	}
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Response) {
		if body := p.Read(t); !strings.Contains(string(body), `"content"`) {
			continue // an answer of count_tokens
		} else {
			check(p, anthropic.CheckResponse(body))
		}
	}
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Stream) {
		if strings.Contains(p.Name, "duplicate-message-start") ||
			strings.Contains(p.Name, "spliced-message-start") {
			continue // made to be wrong, as proxies were seen to send
		}
		for _, body := range separated(p.Read(t)) {
			check(p, anthropic.CheckStream(body))
		}
	}
	checkCount(t, count, 350)
}

func TestABadMessageIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	const good = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi"}],` +
		`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}`
	for name, test := range map[string]struct{ before, after, want string }{
		"nothing":                    {"", "", ""},
		"tokens below 0":             {`"input_tokens":1`, `"input_tokens":-1`, "/usage/input_tokens: must be at least 0"},
		"cached tokens below 0":      {`"input_tokens":1`, `"input_tokens":1,"cache_read_input_tokens":-1`, "/usage/cache_read_input_tokens: must be at least 0"},
		"another speaker":            {`"role":"assistant"`, `"role":"user"`, "/role: must be assistant"},
		"a block of an unknown type": {`"type":"text"`, `"type":"txt"`, "/content/0/type: is not a known value"},
		"a block without its text":   {`,"text":"Hi"`, "", "/content/0/text: must be set"},
		"a misspelt member":          {`"text":"Hi"`, `"txt":"Hi"`, "/content/0/text: must be set"},
		"an input that is a list":    {`{"type":"text","text":"Hi"}`, `{"type":"tool_use","id":"a","name":"f","input":[]}`, "/content/0/input: must be an object"},
		"a reason without its text":  {`"end_turn"`, `"stop_sequence"`, "/stop_sequence: must be set, because stop_reason is stop_sequence"},
		"a text without its reason":  {`"stop_sequence":null`, `"stop_sequence":"x"`, "/stop_sequence: must be null, because stop_reason is not stop_sequence"},
		"a result of the caller":     {`"type":"text","text":"Hi"`, `"type":"tool_result","tool_use_id":"a","content":"Hi"`, "/content/0/type: must be a block that the model writes, such as text; this one is for requests"},
		"thinking without a mark":    {`{"type":"text"`, `{"type":"thinking","thinking":"Hm"},{"type":"text"`, "/content/0/signature: must be set"},
		"more written than in all":   {`"input_tokens":1`, `"input_tokens":1,"cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":2}`, "/usage/cache_creation: must be at most cache_creation_input_tokens, which includes it"},
		"more thinking than wrote":   {`"output_tokens":2`, `"output_tokens":2,"output_tokens_details":{"thinking_tokens":9}`, "/usage/output_tokens_details/thinking_tokens: must be at most output_tokens, which includes it"},
		"a citation from 5 to 1":     {`"text":"Hi"`, `"text":"Hi","citations":[` + cited(`"start_char_index":5,"end_char_index":1`) + `]`, "/content/0/citations/0/end_char_index: must be at least 6, after start_char_index"},
		"a citation of page 0":       {`"text":"Hi"`, `"text":"Hi","citations":[` + cited(`"start_page_number":0,"end_page_number":1`) + `]`, "/content/0/citations/0/start_page_number: must be at least 1"},
		"a citation of no block":     {`"text":"Hi"`, `"text":"Hi","citations":[` + cited(`"start_block_index":1,"end_block_index":1`) + `]`, "/content/0/citations/0/end_block_index: must be at least 2, after start_block_index"},
		"a document below 0":         {`"text":"Hi"`, `"text":"Hi","citations":[` + cited(`"document_index":-1`) + `]`, "/content/0/citations/0/document_index: must be at least 0"},
		"a search result below 0":    {`"text":"Hi"`, `"text":"Hi","citations":[` + cited(`"search_result_index":-1`) + `]`, "/content/0/citations/0/search_result_index: must be at least 0"},
		"a good citation":            {`"text":"Hi"`, `"text":"Hi","citations":[` + cited(`"document_index":0,"start_page_number":1,"end_page_number":2`) + `]`, ""},
		"no reason":                  {`"stop_reason":"end_turn"`, `"stop_reason":null`, "/stop_reason: must be set"},
		"an error":                   {good, `{"type":"error","error":{"type":"api_error","message":"no"}}`, "must be a message, not an error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range anthropic.CheckResponse(
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

// cited returns a citation with members.
func cited(members string) string { return `{"type":"char_location","cited_text":"x",` + members + `}` }

// A missing member of a complete message is reported with the other violations.
func TestAMissingEndIsReportedWithOtherFaults(t *testing.T) {
	t.Parallel()
	const body = `{"id":"msg_1","type":"message","role":"user","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"output_tokens":2}}`
	var got []string
	for _, v := range anthropic.CheckResponse([]byte(body)) {
		got = append(got, v.Pointer)
	}
	if want := "/role /stop_reason /usage/input_tokens"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

func TestABadStreamIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	event := func(kind, members string) string {
		return "event: " + kind + "\ndata: {\"type\":\"" + kind + "\"" + members + "}\n\n"
	}
	block := func(begin, delta string) string {
		return event("content_block_start", `,"index":0,"content_block":`+begin) +
			event("content_block_delta", `,"index":0,"delta":`+delta) +
			event("content_block_stop", `,"index":0`)
	}
	end := func(reason string) string {
		return event("message_delta",
			`,"delta":{"stop_reason":"`+reason+
				`","stop_sequence":null},"usage":{"output_tokens":2}`) + event("message_stop", "")
	}
	begin := event("message_start",
		`,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],`+
			`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	const text, call = `{"type":"text","text":""}`,
		`{"type":"tool_use","id":"a","name":"f","input":{}}`
	good := block(text, `{"type":"text_delta","text":"Hi"}`)
	for name, test := range map[string]struct{ body, want string }{
		"a good one":                  {begin + good + end("end_turn"), ""},
		"a good call":                 {begin + block(call, `{"type":"input_json_delta","partial_json":"{}"}`) + end("tool_use"), ""},
		"a reason without its call":   {begin + good + end("tool_use"), "/4/delta/stop_reason: must not be tool_use, because there is no call"},
		"a reason without its text":   {begin + good + end("stop_sequence"), "/4/delta/stop_sequence: must be set, because stop_reason is stop_sequence"},
		"a piece without its text":    {begin + block(text, `{"type":"text_delta"}`) + end("end_turn"), "/2/delta/text: must be set"},
		"a piece without its JSON":    {begin + block(call, `{"type":"input_json_delta"}`) + end("tool_use"), "/2/delta/partial_json: must be set"},
		"an input that is cut":        {begin + block(call, `{"type":"input_json_delta","partial_json":"{"}`) + end("tool_use"), "/3: must follow deltas that are one JSON object"},
		"a block of the caller":       {begin + block(`{"type":"tool_result","tool_use_id":"a"}`, `{"type":"text_delta","text":"Hi"}`) + end("end_turn"), "/1/content_block/type: must be a block that the model writes"},
		"a citation from 5 to 1":      {begin + block(text, `{"type":"citations_delta","citation":`+cited(`"start_char_index":5,"end_char_index":1`)+`}`) + end("end_turn"), "/2/delta/citation/end_char_index: must be at least 6, after start_char_index"},
		"a good citation":             {begin + block(text, `{"type":"citations_delta","citation":`+cited(`"start_char_index":5,"end_char_index":6`)+`}`) + end("end_turn"), ""},
		"tokens below 0":              {begin + good + strings.Replace(end("end_turn"), `"output_tokens":2`, `"output_tokens":-2`, 1), "/4/usage/output_tokens: must be at least 0"},
		"tokens that become fewer":    {strings.Replace(begin, `"output_tokens":1`, `"output_tokens":9`, 1) + good + end("end_turn"), "/4/usage/output_tokens: must be at least 9, as in earlier events"},
		"a stream without its end":    {begin + good, "/4: the stream is truncated: neither message_stop nor an error"},
		"an event of an unknown type": {begin + event("news", "") + good + end("end_turn"), "/1/type: is not a known value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range anthropic.CheckStream([]byte(test.body)) {
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
