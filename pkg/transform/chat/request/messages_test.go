package request_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

// These models have different traits for messages.
const (
	flash25 = "gemini-2.5-flash" // no signatures, no media in results, one resolution for all media
	pro3    = "gemini-3-pro-preview"
	flash36 = "gemini-3.6-flash" // like pro3, and no turn of the model at the end
)

// talk converts a request with only messages, given as the elements of the list.
func talk(t testing.TB, model, messages string,
	opts ...request.Option) (*geminiapi.GenerateContentRequest, report.Report, error) {
	t.Helper()
	in := openaitest.DecodeRequest(t, `{"model":"`+model+`","messages":[`+messages+`]}`)
	out, report, err := request.ToGemini(in,
		append([]request.Option{request.WithoutValidation()}, opts...)...)
	if err != nil {
		checkRequestError(t, err)
	} else {
		checkContents(t, out)
	}
	return out, report, err
}

func checkRequestError(t testing.TB, err error) {
	t.Helper()
	if _, typed := errors.AsType[*request.Error](err); !typed {
		t.Errorf("%T is no *request.Error", err)
	}
}

// checkContents checks what must hold for the contents of every converted request.
func checkContents(t testing.TB, out *geminiapi.GenerateContentRequest) {
	t.Helper()
	if len(out.Contents) == 0 {
		t.Error("there are no contents")
	}
	if s := out.SystemInstruction; s != nil && (len(s.Parts) == 0 || s.Role != nil) {
		t.Errorf("the system instruction is %+v", s)
	}
	for i := range out.Contents {
		c := &out.Contents[i]
		if c.Role == nil || *c.Role != "user" && *c.Role != "model" || len(c.Parts) == 0 {
			t.Fatalf("content %d: %+v", i, c)
		}
		results := 0
		for j := range c.Parts {
			if !hasPayload(&c.Parts[j]) && !isEmptyQuestion(c) {
				t.Errorf("content %d: part %d has no data: %+v", i, j, c.Parts[j])
			}
			if *c.Role == "user" && c.Parts[j].FunctionResponse != nil {
				results++
			}
		}
		if results != 0 && results != len(c.Parts) {
			t.Errorf("content %d: results are next to other parts", i)
		}
		if i > 0 && *out.Contents[i-1].Role == *c.Role && results == 0 &&
			!isResults(&out.Contents[i-1]) {
			t.Errorf("contents %d and %d are both of the %s", i-1, i, *c.Role)
		}
		if calls := callsOf(c); *c.Role == "model" && len(calls) > 0 {
			checkAnswers(t, out.Contents, i, calls)
		}
	}
}

func hasPayload(p *geminiapi.Part) bool {
	signed := p.ThoughtSignature != nil && *p.ThoughtSignature != ""
	return p.Text != nil && (*p.Text != "" || signed) || p.InlineData != nil || p.FileData != nil ||
		p.FunctionCall != nil ||
		p.FunctionResponse != nil || p.ExecutableCode != nil || p.CodeExecutionResult != nil ||
		p.ToolCall != nil ||
		p.ToolResponse != nil || p.AudioTranscription != nil || len(p.Unknown) > 0
}

func isResults(c *geminiapi.Content) bool {
	return *c.Role == "user" && c.Parts[0].FunctionResponse != nil
}

// callsOf returns the calls of a content without results in it.
func callsOf(c *geminiapi.Content) []*geminiapi.FunctionCall {
	var out []*geminiapi.FunctionCall
	for i := range c.Parts {
		if call := c.Parts[i].FunctionCall; call != nil {
			out = append(out, call)
		}
		if result := c.Parts[i].FunctionResponse; result != nil {
			of := func(call *geminiapi.FunctionCall) bool {
				return deref(call.Name) == deref(result.Name) && deref(call.ID) == deref(result.ID)
			}
			if at := slices.IndexFunc(out, of); at >= 0 {
				out = slices.Delete(out, at, at+1)
			}
		}
	}
	return out
}

// checkAnswers checks that the content after calls has their results in order.
func checkAnswers(t testing.TB, contents []geminiapi.Content, at int,
	calls []*geminiapi.FunctionCall) {
	t.Helper()
	if at+1 == len(contents) || !isResults(&contents[at+1]) ||
		len(contents[at+1].Parts) != len(calls) {
		t.Errorf("the %d calls of content %d are not answered after it", len(calls), at)
		return
	}
	for i, call := range calls {
		result := contents[at+1].Parts[i].FunctionResponse
		if deref(result.Name) != deref(call.Name) || (result.ID == nil) != (call.ID == nil) ||
			deref(result.ID) != deref(call.ID) {
			t.Errorf("result %d is of %q %q, its call is %q %q", i, deref(result.Name),
				deref(result.ID), deref(call.Name), deref(call.ID))
		}
	}
}

func deref[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

// conversation is a test case: messages, the expected contents and the expected report.
type conversation struct {
	messages string
	want     string   // the contents, without the brackets of the list; "" for an error
	system   string   // the parts of the system instruction, likewise
	report   []string // lines of kind and pointer
	err      string   // start of the error's text after the name of the package
}

// converse runs the cases of a table.
func converse(t *testing.T, model string, cases map[string]conversation, opts ...request.Option) {
	t.Helper()
	converseBy(t, cases,
		func(t *testing.T, messages string) (*geminiapi.GenerateContentRequest, report.Report,
			error) {
			return talk(t, model, messages, opts...)
		})
}

// converseBy runs the cases of a table with a given conversion.
func converseBy(t *testing.T, cases map[string]conversation,
	convert func(*testing.T, string) (*geminiapi.GenerateContentRequest, report.Report, error)) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, report, err := convert(t, c.messages)
			if c.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), "chat: request: "+c.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			isConversation(t, out, c.want, c.system)
			openaitest.Reports(t, report, c.report...)
		})
	}
}

// isEmptyQuestion reports whether a turn is the user's and has only an empty text.
func isEmptyQuestion(c *geminiapi.Content) bool {
	return *c.Role == "user" && len(c.Parts) == 1 && c.Parts[0].Text != nil
}

// isConversation checks the contents and the parts of the system instruction.
func isConversation(t testing.TB, out *geminiapi.GenerateContentRequest, contents, system string) {
	t.Helper()
	got, err := gemini.EncodeRequest(&geminiapi.GenerateContentRequest{Contents: out.Contents,
		SystemInstruction: out.SystemInstruction})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"contents":[` + contents + `]`
	if system != "" {
		want += `,"systemInstruction":{"parts":[` + system + `]}`
	}
	if diff := cmp.Diff(openaitest.Tree(t, []byte(want+"}")), openaitest.Tree(t, got)); diff != "" {
		t.Errorf("-want +got: %s\nin %s", diff, got)
	}
}

const (
	hello   = `{"role":"user","content":"Hello"}`
	helloIn = `{"role":"user","parts":[{"text":"Hello"}]}`
)

func TestTextsOfAllRolesBecomeTurns(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"a text":               {messages: hello, want: helloIn},
		"parts":                {messages: `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, want: `{"role":"user","parts":[{"text":"a"},{"text":"b"}]}`},
		"a part without type":  {messages: `{"role":"user","content":[{"text":"a"}]}`, want: `{"role":"user","parts":[{"text":"a"}]}`, report: []string{"approximated /messages/0/content/0"}},
		"a part of no type":    {messages: `{"role":"user","content":[{"type":"","text":"a"}]}`, want: `{"role":"user","parts":[{"text":"a"}]}`, report: []string{"approximated /messages/0/content/0"}},
		"a conversation":       {messages: hello + `,{"role":"assistant","content":"Hi"},` + hello, want: helloIn + `,{"role":"model","parts":[{"text":"Hi"}]},` + helloIn},
		"assistant's parts":    {messages: hello + `,{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"refusal","refusal":"b"}]},` + hello, want: helloIn + `,{"role":"model","parts":[{"text":"a"},{"text":"b"}]},` + helloIn, report: []string{"approximated /messages/1/content/1"}},
		"a refusal":            {messages: hello + `,{"role":"assistant","content":null,"refusal":"No."},` + hello, want: helloIn + `,{"role":"model","parts":[{"text":"No."}]},` + helloIn, report: []string{"approximated /messages/1/refusal"}},
		"foreign thoughts":     {messages: hello + `,{"role":"assistant","content":"a","reasoning_content":"Think."},` + hello, want: helloIn + `,{"role":"model","parts":[{"text":"Think.","thought":true},{"text":"a"}]},` + helloIn},
		"nulls":                {messages: `{"role":"user","content":"Hello","name":null,"tool_calls":null,"extra_content":null,"new":null}`, want: helloIn},
		"empty lists":          {messages: `{"role":"user","content":"Hello","tool_calls":[],"annotations":[],"images":[]}`, want: helloIn},
		"system and developer": {messages: `{"role":"system","content":"A"},{"role":"developer","content":[{"type":"text","text":"B"},{"type":"text","text":"C"}]},` + hello, want: helloIn, system: `{"text":"A"},{"text":"B"},{"text":"C"}`},
		"system later": {messages: hello + `,{"role":"system","content":"A"}`, want: helloIn,
			system: `{"text":"A"}`,
			report: []string{"approximated /messages/1"}},
		"an image to the system": {messages: `{"role":"system","content":[{"type":"image_url","image_url":{"url":"gs://b/a.png"}},{"type":"text","text":"A"}]},` +
			hello, want: helloIn, system: `{"text":"A"}`,
			report: []string{"lost /messages/0/content/0"}},
		"a role that is not known": {messages: `{"role":"narrator","content":"a"}`, err: "/messages/0/role: "},
		"no role":                  {messages: `{"content":"a"}`, err: "/messages/0/role: "},
	})
}

func TestNothingEmptyIsSent(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"an empty text among others":  {messages: `{"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"Hello"}]}`, want: helloIn},
		"an empty answer":             {messages: hello + `,{"role":"assistant","content":""},{"role":"user","content":"Well?"}`, want: `{"role":"user","parts":[{"text":"Hello"},{"text":"Well?"}]}`, report: []string{"approximated /messages/1"}},
		"an answer of null":           {messages: hello + `,{"role":"assistant","content":null}`, want: helloIn, report: []string{"approximated /messages/1"}},
		"an answer without content":   {messages: hello + `,{"role":"assistant","reasoning_content":"","refusal":""}`, want: helloIn, report: []string{"approximated /messages/1"}},
		"an answer of no parts":       {messages: hello + `,{"role":"assistant","content":[]}`, want: helloIn, report: []string{"approximated /messages/1"}},
		"an empty question":           {messages: `{"role":"user","content":""},` + hello, want: helloIn, report: []string{"approximated /messages/0"}},
		"an empty question after one": {messages: hello + `,{"role":"user","content":""}`, want: helloIn, report: []string{"approximated /messages/1"}},
		"an empty system message":     {messages: `{"role":"system","content":""},` + hello, want: helloIn, report: []string{"approximated /messages/0"}},
		"a signed empty text":         {messages: hello + `,{"role":"assistant","content":"","extra_content":{"google":{"thought_signature":"c2ln"}}},` + hello, want: helloIn + `,{"role":"model","parts":[{"text":"","thoughtSignature":"c2ln"}]},` + helloIn},
		"no messages":                 {err: "/messages: "},
		"nothing that Gemini takes":   {messages: `{"role":"user","content":[{"type":"new"}]}`, err: "/messages/0/content: "},
		"an unknown part before text": {messages: `{"role":"user","content":[{"type":"new"}]},` + hello, want: helloIn, report: []string{"lost /messages/0/content/0", "approximated /messages/0"}},
		"an unknown part after one":   {messages: hello + `,{"role":"assistant","content":"Hi"},{"role":"user","content":[{"type":"new"}]}`, err: "/messages/2/content: "},
		"a text without its words":    {messages: `{"role":"user","content":[{"type":"text"}]}`, err: "/messages/0/content: "},
		"a question of no parts":      {messages: `{"role":"user","content":[]}`, err: "/messages/0/content: "},
		"a question without content":  {messages: `{"role":"user"}`, err: "/messages/0/content: "},
		"a question of null":          {messages: `{"role":"user","content":null},` + hello, err: "/messages/0/content: "},
	})
}

// Every provider has been seen to answer these messages.
func TestAnEmptyTurnIsSentWhereThereIsNoOther(t *testing.T) {
	t.Parallel()
	const emptyIn = `{"role":"user","parts":[{"text":""}]}`
	const answer, answerIn = `{"role":"assistant","content":"Hi"}`,
		`{"role":"model","parts":[{"text":"Hi"}]}`
	for _, model := range []string{flash25, pro3, flash36} {
		converse(t, model, map[string]conversation{
			"an empty question":               {messages: `{"role":"user","content":""}`, want: emptyIn},
			"an empty text in a list":         {messages: `{"role":"user","content":[{"type":"text","text":""}]}`, want: emptyIn},
			"an empty question to the system": {messages: `{"role":"system","content":"S"},{"role":"user","content":""}`, want: emptyIn, system: `{"text":"S"}`},
			"an empty question at the end":    {messages: hello + "," + answer + `,{"role":"user","content":""}`, want: helloIn + "," + answerIn + "," + emptyIn},
			"an empty answer alone":           {messages: `{"role":"assistant","content":""}`, want: emptyIn, report: []string{"approximated /messages/0"}},
			"an empty question and answer":    {messages: `{"role":"user","content":""},{"role":"assistant","content":null}`, want: emptyIn, report: []string{"approximated /messages/0", "approximated /messages/1"}},
			"instructions alone": {messages: `{"role":"system","content":"A"},{"role":"developer","content":"B"}`,
				want:   `{"role":"user","parts":[{"text":"A"},{"text":"B"}]}`,
				report: []string{"approximated /messages"}},
		})
	}
}

func TestACallAtTheBeginningFollowsAnEmptyTurn(t *testing.T) {
	t.Parallel()
	const emptyIn = `{"role":"user","parts":[{"text":""}]}`
	converse(t, flash25, map[string]conversation{
		"a call": {messages: calling("a") + "," + resultOf("a"), want: emptyIn + "," + callingIn("a") + "," + resultIn("a"), report: []string{"added /messages/0"}},
		"a call after instructions": {messages: `{"role":"system","content":"S"},` + calling("a") +
			"," + resultOf("a") + "," + hello,
			want:   emptyIn + "," + callingIn("a") + "," + resultIn("a") + "," + helloIn,
			system: `{"text":"S"}`, report: []string{"added /messages/1"}},
		"a call after an empty question": {messages: `{"role":"user","content":""},` +
			calling("a") + "," + resultOf("a"),
			want:   emptyIn + "," + callingIn("a") + "," + resultIn("a"),
			report: []string{"approximated /messages/0", "added /messages/1"}},
		"a call after an answer": {messages: `{"role":"assistant","content":"Hi"},` +
			calling("a") + "," + resultOf("a"),
			want: emptyIn +
				`,{"role":"model","parts":[{"text":"Hi"},{"functionCall":{"id":"a","name":"f_a","args":{"a":1}}}]},` +
				resultIn("a"), report: []string{"added /messages/0"}},
	})
}

func TestTurnsOfOneAuthorAreJoinedPartByPart(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"users":      {messages: hello + "," + hello, want: `{"role":"user","parts":[{"text":"Hello"},{"text":"Hello"}]}`},
		"assistants": {messages: hello + `,{"role":"assistant","content":"a"},{"role":"assistant","content":"b","extra_content":{"google":{"thought_signature":"c2ln"}}},` + hello, want: helloIn + `,{"role":"model","parts":[{"text":"a"},{"text":"b","thoughtSignature":"c2ln"}]},` + helloIn},
		"calls of two messages": {messages: hello + "," + calling("c1") + "," + calling("c2") +
			"," + resultOf("c2") + "," + resultOf("c1"),
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f_c1","args":{"a":1}}},{"functionCall":{"id":"c2","name":"f_c2","args":{"a":1}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f_c1","response":{"of":"c1"}}},{"functionResponse":{"id":"c2","name":"f_c2","response":{"of":"c2"}}}]}`},
		"results are alone": {messages: hello + "," + calling("c1") + "," + resultOf("c1") + "," + hello, want: helloIn + "," + callingIn("c1") + "," + resultIn("c1") + "," + helloIn},
		"text after a call": {messages: hello + "," + calling("c1") +
			`,{"role":"assistant","content":"Wait."},` + resultOf("c1"),
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f_c1","args":{"a":1}}},{"text":"Wait."}]},` +
				resultIn("c1")},
	})
}

func TestAModelTurnAtTheEndIsKeptTrimmedOrRefused(t *testing.T) {
	t.Parallel()
	ends := hello + `,{"role":"assistant","content":"Once"},{"role":"system","content":"S"},{"role":"assistant","content":"upon"}`
	endsIn := helloIn + `,{"role":"model","parts":[{"text":"Once"},{"text":"upon"}]}`
	kept := conversation{messages: ends, want: endsIn, system: `{"text":"S"}`,
		report: []string{"approximated /messages/2"}}
	trimmed := conversation{messages: ends, want: helloIn, system: `{"text":"S"}`,
		report: []string{"approximated /messages/2", "lost /messages/1", "lost /messages/3"}}
	refusedAt := conversation{messages: ends, err: "/messages/3: "}
	for _, c := range []struct {
		model string
		opts  []request.Option
		want  conversation
	}{
		{flash25, nil, kept},
		{pro3, nil, kept},
		{flash36, nil, refusedAt},
		{flash36, []request.Option{request.WithTrailingModelTurn(request.TrailingTurnKept)}, refusedAt},
		{flash36, []request.Option{request.WithTrailingModelTurn(request.TrailingTurnTrimmed)}, trimmed},
		{flash25, []request.Option{request.WithTrailingModelTurn(request.TrailingTurnTrimmed)}, trimmed},
		{flash25, []request.Option{request.WithTrailingModelTurn(request.TrailingTurnRefused)}, refusedAt},
	} {
		converse(t, c.model, map[string]conversation{c.model: c.want}, c.opts...)
	}
	converse(t, flash36, map[string]conversation{
		"calls are trimmed too": {messages: hello + "," + calling("c1"), want: helloIn, report: []string{"lost /messages/1"}},
		"nothing is left":       {messages: `{"role":"assistant","content":"a"}`, err: "/messages: "},
	}, request.WithTrailingModelTurn(request.TrailingTurnTrimmed))
}

func TestInstructionsAfterAnAnswerAreAnsweredByModelsThatCannotContinueIt(t *testing.T) {
	t.Parallel()
	const messages = `{"role":"system","content":"A"},` + hello +
		`,{"role":"assistant","content":"Hi"},{"role":"developer","content":"B"}`
	const conversed = helloIn + `,{"role":"model","parts":[{"text":"Hi"}]}`
	late := []string{"approximated /messages/3"}
	converse(t, flash25,
		map[string]conversation{"carried on": {messages: messages, want: conversed,
			system: `{"text":"A"},{"text":"B"}`, report: late}})
	converse(t, flash36,
		map[string]conversation{"the only ones": {messages: strings.TrimPrefix(messages,
			`{"role":"system","content":"A"},`),
			want:   conversed + `,{"role":"user","parts":[{"text":"B"}]}`,
			report: []string{"approximated /messages/2"}}})
	converse(t, flash36,
		map[string]conversation{"answered": {messages: messages,
			want: conversed +
				`,{"role":"user","parts":[{"text":"B"}]}`, system: `{"text":"A"}`, report: late}})
}

func TestTheTypeOfInlineDataStandsBeforeIt(t *testing.T) {
	t.Parallel()
	out, _, err := talk(t, flash25,
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(wire), `"inlineData":{"mimeType":"image/png","data":"AAAA"}`) {
		t.Errorf("got %s", wire)
	}
}

func TestArgumentsAreAlwaysAnObject(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`""`:     `{}`,
		`" \n"`:  `{}`,
		`"null"`: `{}`,
		`null`:   `{}`,
		`"{}"`:   `{}`,
		`"{\"b\":1.50,\"a\":[1e2,\"<\\u00e9>\"]}"`: `{"b":1.50,"a":[1e2,"<\u00e9>"]}`,
		`"{\"n\":12345678901234567890}"`:           `{"n":12345678901234567890}`,
		`"[1]"`:                                    `{"arguments":[1]}`,
		`"\"text\""`:                               `{"arguments":"\"text\""}`,
		`"9007199254740993123"`:                    `{"arguments":"9007199254740993123"}`,
		`"Paris"`:                                  `{"arguments":"Paris"}`,
		`"{\"cut\":"`:                              `{"arguments":"{\"cut\":"}`,
		`"{\"a\":1}{\"a\":2}"`:                     `{"arguments":"{\"a\":1}{\"a\":2}"}`,
	} {
		out, report, err := talk(t, flash25,
			hello+`,{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":`+
				arguments+`}}]},{"role":"tool","tool_call_id":"c","content":""}`)
		if err != nil {
			t.Errorf("%s: %v", arguments, err)
			continue
		}
		if got := string(out.Contents[1].Parts[0].FunctionCall.Args); got != want {
			t.Errorf("%s became %s, not %s", arguments, got, want)
		}
		if wrapped := strings.HasPrefix(want,
			`{"arguments"`); wrapped != report.Covers("/messages/1/tool_calls/0/function/arguments") ||
			len(report) > 1 {
			t.Errorf("%s: %v", arguments, report)
		}
	}
}

// calling returns a model message with calls of the ids. The function names are derived from the
// ids.
func calling(ids ...string) string {
	var calls []string
	for _, id := range ids {
		calls = append(calls,
			`{"id":"`+id+`","type":"function","function":{"name":"f_`+id+
				`","arguments":"{\"a\":1}"}}`)
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(calls, ",") + `]}`
}

// callingIn is the turn of calling's message.
func callingIn(ids ...string) string {
	var parts []string
	for _, id := range ids {
		parts = append(parts, `{"functionCall":{"id":"`+id+`","name":"f_`+id+`","args":{"a":1}}}`)
	}
	return `{"role":"model","parts":[` + strings.Join(parts, ",") + `]}`
}

// resultOf returns a tool message with the result of a call of calling.
func resultOf(id string) string {
	return `{"role":"tool","tool_call_id":"` + id + `","content":"{\"of\":\"` + id + `\"}"}`
}

// resultIn is the turn of the results of calls.
func resultIn(ids ...string) string {
	var parts []string
	for _, id := range ids {
		parts = append(parts,
			`{"functionResponse":{"id":"`+id+`","name":"f_`+id+`","response":{"of":"`+id+`"}}}`)
	}
	return `{"role":"user","parts":[` + strings.Join(parts, ",") + `]}`
}
