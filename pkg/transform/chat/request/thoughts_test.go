package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// OpenRouter, Ollama and others return thoughts in members of their own, and their clients send
// these back.
func TestThoughtsInMembersOfOtherServersAreThoughts(t *testing.T) {
	t.Parallel()
	const question, thought = `{"role":"user","parts":[{"text":"Hello"}]}`,
		`{"text":"Hm, well.","thought":true}`
	const thinking = question + `,{"role":"model","parts":[` + thought + `,{"text":"A"}]},` +
		question
	const detailed = "/messages/1/reasoning_details/"
	calls := func(signatures ...string) string {
		var parts []string
		for i, signature := range signatures {
			if signature != "" {
				signature = `,"thoughtSignature":"` + signature + `"`
			}
			id := string(rune('a' + i))
			parts = append(parts,
				`{"functionCall":{"id":"`+id+`","name":"f_`+id+`","args":{"a":1}}`+signature+`}`)
		}
		return question + `,{"role":"model","parts":[` + strings.Join(parts, ",") + `]},` +
			resultIn("a", "b")
	}
	answer := func(members string) string {
		return hello + `,{"role":"assistant","content":"A",` + members + `},` + hello
	}
	called := func(members string) string {
		return hello + "," + strings.Replace(calling("a", "b"), `"content":null`, members, 1) +
			"," + resultOf("a") + "," + resultOf("b")
	}
	piece := func(members string) string { return `"reasoning_details":[{` + members + `}]` }
	const signature = `"type":"reasoning.encrypted","format":"google-gemini-v1","data":"c2ln"`
	converse(t, flash25, map[string]conversation{
		"reasoning":                {messages: answer(`"reasoning":"Hm, well."`), want: thinking},
		"reasoning, empty":         {messages: answer(`"reasoning":""`), want: question + `,{"role":"model","parts":[{"text":"A"}]},` + question},
		"the same in both":         {messages: answer(`"reasoning":"Hm, well.","reasoning_content":"Hm, well."`), want: thinking},
		"another in reasoning":     {messages: answer(`"reasoning":"Hm?","reasoning_content":"Hm, well."`), want: thinking, report: []string{"lost /messages/1/reasoning"}},
		"pieces":                   {messages: answer(`"reasoning_details":[{"type":"reasoning.text","text":"Hm, ","index":0},{"type":"reasoning.summary","summary":"well.","index":1}]`), want: thinking},
		"pieces next to reasoning": {messages: answer(piece(`"type":"reasoning.text","text":"Hm, well.","format":"unknown","index":0`) + `,"reasoning":"Hm, well."`), want: thinking, report: []string{"approximated " + detailed + "0/format"}},
		"other pieces":             {messages: answer(piece(`"type":"reasoning.text","text":"Hm."`) + `,"reasoning":"Hm, well."`), want: thinking, report: []string{"lost " + detailed + "0/text"}},
		"a piece of a new type":    {messages: answer(piece(`"type":"reasoning.video","text":"Hm, well.","index":3,"more":1`)), want: thinking, report: []string{"approximated " + detailed + "0/type", "approximated " + detailed + "0/index", "lost " + detailed + "0/more"}},
		"pieces of other makers": {
			messages: answer(`"reasoning_details":[{"type":"reasoning.text","text":"Hm, well.","signature":"x","format":"anthropic-claude-v1"},{"type":"reasoning.encrypted","data":"y","id":"rs","format":"openai-responses-v1"}]`),
			want:     thinking,
			report: []string{
				"approximated " + detailed + "0/format", "lost " + detailed + "0/signature",
				"lost " + detailed + "1/data", "approximated " + detailed + "1/format",
				"approximated " + detailed + "1/id",
			},
		},
		"thoughts of the user": {
			messages: `{"role":"user","content":"Hello","reasoning":"Hm","reasoning_details":[{"type":"reasoning.text","text":"Hm"}]}`,
			want:     question,
			report:   []string{"lost /messages/0/reasoning", "lost /messages/0/reasoning_details"},
		},

		"a signature of a call":           {messages: called(piece(signature + `,"id":"b"`)), want: calls("", "c2ln")},
		"a signature of no call's id":     {messages: called(piece(signature + `,"id":"z"`)), want: calls("c2ln", ""), report: []string{"approximated " + detailed + "0/id"}},
		"a signature without an id":       {messages: called(piece(signature)), want: calls("c2ln", "")},
		"a signature of a text":           {messages: answer(piece(signature)), want: question + `,{"role":"model","parts":[{"text":"A","thoughtSignature":"c2ln"}]},` + question},
		"a signature of nothing":          {messages: hello + `,{"role":"assistant","content":"",` + piece(signature) + `},` + hello, want: question + `,{"role":"model","parts":[{"text":"","thoughtSignature":"c2ln"}]},` + question},
		"a signature that is there":       {messages: answer(piece(signature) + `,"extra_content":{"google":{"thought_signature":"c2ln"}}`), want: question + `,{"role":"model","parts":[{"text":"A","thoughtSignature":"c2ln"}]},` + question},
		"a signature next to another one": {messages: answer(piece(signature) + `,"extra_content":{"google":{"thought_signature":"b3Ro"}}`), want: question + `,{"role":"model","parts":[{"text":"A","thoughtSignature":"b3Ro"}]},` + question, report: []string{"lost " + detailed + "0/data"}},
	})
}

// The placeholder for a missing signature is not sent if there is a signature.
func TestASignatureInReasoningDetailsIsThatOfTheCall(t *testing.T) {
	t.Parallel()
	out, report, err := talk(t, pro3,
		hello+`,{"role":"assistant","reasoning_details":[{"type":"reasoning.encrypted","format":"google-gemini-v1","data":"c2ln","id":"a"}],`+
			strings.TrimPrefix(calling("a"), `{"role":"assistant",`)+","+resultOf("a"))
	if err != nil || len(report) > 0 {
		t.Fatalf("%v: %v", report, err)
	}
	if got := *out.Contents[1].Parts[0].ThoughtSignature; got != "c2ln" {
		t.Error(got)
	}
}

// The layout of an answer needs the thoughts, under any of their names.
func TestALayoutIsRestoredWithThoughtsByAnotherName(t *testing.T) {
	t.Parallel()
	in, err := openai.DecodeRequest([]byte(`{"messages":[` + hello +
		`,{"role":"assistant","content":"A","reasoning":"Hm","extra_content":{"google":{"parts":[` +
		`{"index":0,"in":"reasoning_content","length":2},{"index":1,"part":{"executableCode":{"language":"PYTHON","code":"1"}}},{"index":2,"in":"content","length":1}]}}},` +
		hello + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	out, report, err := request.ToGemini(in, request.ForModel(flash25))
	if err != nil || len(report) > 0 {
		t.Fatalf("%v: %v", report, err)
	}
	isConversation(t, out,
		`{"role":"user","parts":[{"text":"Hello"}]},{"role":"model","parts":[{"text":"Hm","thought":true},`+
			`{"executableCode":{"language":"PYTHON","code":"1"}},{"text":"A"}]},{"role":"user","parts":[{"text":"Hello"}]}`,
		"")
}
