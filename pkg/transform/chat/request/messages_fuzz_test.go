package request_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// FuzzMessages converts any list of messages. The contents are valid, or the error says where the
// fault is. Converting them again gives the same result.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		hello,
		hello + "," + calling("a", "b") + "," + resultOf("b") + "," + hello + "," + resultOf("a"),
		hello + "," + signed("a__gw1_4_00000000_c2ln",
			`{"vertex":{"thought_signature":"c2ln","thought":true}}`),
		hello + `,{"role":"assistant","function_call":{"name":"f","arguments":"[1]"}},{"role":"function","name":"f","content":null}`,
		restored(`"content":"Say it.","reasoning_content":"Think 灯.","images":[{"type":"image_url","index":0,"image_url":{"url":"data:image/png;base64,AAAA"}}]`,
			`{"index":0,"in":"reasoning_content","length":8},{"index":1,"in":"content","length":3,"part":{"thoughtSignature":"c2ln"}},{"index":2,"in":"images"},{"index":3,"in":"content","length":4},{"index":4,"part":{"functionCall":{"id":"a","name":"f_a"}}}`) +
			"," + resultOf("a"),
		imageAt(" DATA:;base64,data:image/jpg,iVBO%0ARw0KGgo= "),
		imageAt("https://youtu.be/a") + "," + imageAt("files/a") + "," + imageAt("gs://b/c.png"),
		asked(`{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}},{"type":"file","file":{"file_data":"JVBERi0=","filename":"a.pdf"}},{"type":"video_url","video_url":{"url":"gs://b/a.mp4","fps":1,"start_offset":2}}`),
		`{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"1"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"low"}}],"extra_content":{"google":{"parts":[{"inline_data":{"mime_type":"image/png","data":"AAAA"}}]}}}`,
		`{"role":"system","content":"a"},{"role":"developer","content":[{"type":"text","text":"b"}]},{"role":"assistant","content":"c","audio":{"id":"a","transcript":"b"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, messages []byte) {
		for _, model := range []string{flash25, flash36} {
			checkMessages(t, `{"model":"`+model+`","messages":[`+string(messages)+`]}`)
		}
	})
}

// checkMessages checks what must hold for every request, and reports whether it could be converted.
func checkMessages(t *testing.T, document string) bool {
	in, err := openai.DecodeRequest([]byte(document))
	if err != nil {
		return false
	}
	out, report, err := request.ToGemini(in, request.WithoutValidation())
	if err != nil {
		checkRequestError(t, err)
		return false
	}
	wire, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	checkContents(t, out)
	for _, e := range report {
		if e.Detail == "" {
			t.Errorf("%s has no detail", e.Pointer)
		}
	}
	again, _, err := request.ToGemini(in, request.WithoutValidation())
	if err != nil {
		t.Fatal(err)
	}
	if second, err := gemini.EncodeRequest(again); err != nil || string(second) != string(wire) {
		t.Errorf("the request was changed by its conversion: %s, then %s", wire, second)
	}
	return true
}

// Random conversations of messages that belong together and messages that do not.
func TestAnyConversationKeepsTheRules(t *testing.T) {
	t.Parallel()
	kinds := []string{
		hello, hello, hello, `{"role":"user","content":""}`, `{"role":"system","content":"S"}`,
		`{"role":"developer","content":[]}`,
		`{"role":"assistant","content":"a"}`, `{"role":"assistant","content":null}`,
		`{"role":"assistant","content":"","extra_content":{"google":{"thought_signature":"c2ln"}}}`,
		calling("a"), calling("a", "b"), calling("a", "a"), calling("gemini-call-0-0"),
		resultOf("a"), resultOf("a"), resultOf("b"), resultOf("gemini-call-0-0"),
		signed("c", `{"google":{"thought_signature":"c2ln"}}`),
		signed("d__gw1_4_00000000_c2ln", `{"vertex":{}}`),
		`{"role":"assistant","function_call":{"name":"f","arguments":""}}`,
		`{"role":"function","name":"f","content":"1"}`,
		`{"role":"assistant","content":"Say","refusal":"No","extra_content":{"google":{"parts":[{"index":0,"in":"content","length":3},{"index":1,"part":{"executableCode":{"code":"1"}}}]}}}`,
		`{"role":"assistant","content":"Say","extra_content":{"google":{"parts":[{"index":0,"in":"content","length":3},{"index":1,"part":{"functionCall":{"id":"a","name":"f_a"}}}]}}}`,
		imageAt("gs://b/a.png"), asked(`{"type":"text","text":""},{"type":"new"}`),
		`{"role":"narrator"}`,
	}
	random := rand.New(rand.NewPCG(5, 6))
	converted := 0
	rounds := 20_000
	if testing.Short() {
		rounds /= 20
	}
	for range rounds {
		messages := make([]string, 1+random.IntN(7))
		for i := range messages {
			messages[i] = kinds[random.IntN(len(kinds))]
		}
		document := `{"model":"` + []string{flash25, pro3, flash36}[random.IntN(3)] +
			`","messages":[` + strings.Join(messages, ",") + `]}`
		if checkMessages(t, document) {
			converted++
		}
		if t.Failed() {
			t.Fatal(document)
		}
	}
	if converted < rounds/10 {
		t.Errorf("only %d conversations were converted", converted)
	}
}
