package request_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// bareSignature looks like a signature of Gemini: base64 as on the wire.
const bareSignature = "CiQBcsjafGm9W2hQx7Zl4kVvYwR8Tt0UuS1oPpNnMmKkJjLl+A=="

// token returns a reasoning item that carries signatures.
func token(entries ...envelope.Entry) string {
	return `{"type":"reasoning","summary":[],"encrypted_content":"` +
		string(envelope.Append(nil, entries...)) + `"}`
}

func signed(part, signature string) string {
	return strings.TrimSuffix(part, "}") + `,"thoughtSignature":"` + signature + `"}`
}

const (
	sigA = "CiQBAAAA+A=="
	sigB = "EjQKMgEB_-w"
	sigC = "opaque text"
)

func TestSignaturesComeBackFromAReplayWithoutIDs(t *testing.T) {
	t.Parallel()
	contents(t, pro3, hello+`,
		{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"`+string(envelope.Append(nil, envelope.Entry{Kind: envelope.Thought, Signature: sigA}, envelope.Entry{Kind: envelope.Text, Ordinal: 1, Signature: sigB}))+`"},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Let me see."}]},`+
		token(envelope.Entry{Kind: envelope.Call, Ordinal: 2, Signature: sigC})+`,`+callA+`,`+
		resultA,
		`[`+helloOut+`,{"role":"model","parts":[
			{"text":"Hm.","thought":true,"thoughtSignature":"`+sigA+`"},{"text":"Let me see.","thoughtSignature":"`+sigB+`"},`+signed(callAOut, sigC)+`]},
		{"role":"user","parts":[`+resAOut+`]}]`)
}

func TestSignaturesComeBackFromReplaysOfOtherClients(t *testing.T) {
	t.Parallel()
	encrypted := string(envelope.Append(nil,
		envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: sigA}))
	want := `[` + helloOut + `,{"role":"model","parts":[` + signed(callAOut, sigA) +
		`]},{"role":"user","parts":[` + resAOut + `]}]`
	// The AI SDK with store false keeps ids of items, but not of calls.
	contents(t, pro3, hello+`,{"type":"reasoning","id":"rs_1","encrypted_content":"`+encrypted+
		`","summary":[]},`+callA+`,`+resultA, want, "approximated /input/1/id")
	// openai-agents sends whole items.
	whole := strings.Replace(callA, `{`, `{"id":"fc_1","status":"completed",`, 1)
	contents(t, pro3, hello+
		`,{"type":"reasoning","id":"rs_1","status":null,"content":[],"encrypted_content":"`+
		encrypted+`","summary":[]},`+whole+`,`+resultA, want,
		"approximated /input/1/id", "approximated /input/2/id", "approximated /input/2/status")
}

func TestOnlyTheFirstOfParallelCallsStaysSigned(t *testing.T) {
	t.Parallel()
	contents(t, pro3, hello+`,`+
		token(envelope.Entry{Kind: envelope.Call, Ordinal: 0, Signature: sigA})+`,`+callA+`,`+callB+
		`,`+resultA+`,`+resultB,
		`[`+helloOut+`,{"role":"model","parts":[`+signed(callAOut, sigA)+`,`+callBOut+
			`]},{"role":"user","parts":[`+resAOut+`,`+resBOut+`]}]`)
}

func TestASignatureAfterTheTextStaysLast(t *testing.T) {
	t.Parallel()
	want := `[` + helloOut +
		`,{"role":"model","parts":[{"text":"Hi."},{"text":"","thoughtSignature":"` + sigA +
		`"}]},` + helloOut + `]`
	message := hello + `,{"role":"assistant","content":"Hi."},`
	contents(t, pro3, message+
		token(envelope.Entry{Kind: envelope.Text, Ordinal: 1, Signature: sigA,
			Part: `{"text":""}`})+`,`+hello, want)
	contents(t, pro3, message+
		token(envelope.Entry{Kind: envelope.Text, Ordinal: 1, Signature: sigA})+`,`+hello, want)
}

func TestADamagedOrForeignTokenIsLeftOut(t *testing.T) {
	t.Parallel()
	whole := string(envelope.Append(nil, envelope.Entry{Kind: envelope.Call, Signature: sigA}))
	for name, encrypted := range map[string]string{
		"cut short": whole[:len(whole)-3], "changed": strings.Replace(whole, "CiQ", "CiR", 1),
		"OpenAI's": "gAAAAABo7wYx4Vp2mN8kQ3rT5uZ7", "another's": "m/Nx6A86sUxTV0dVkyxAGN+v",
		"no base64": "not a signature",
	} {
		items := hello + `,{"type":"reasoning","summary":[],"encrypted_content":"` + encrypted +
			`"},` + callA + `,` + resultA
		got, report := convert(t, input(pro3, items))
		openaitest.Subset(t, got,
			`{"contents":[{},{"parts":[`+signed(callAOut, "skip_thought_signature_validator")+
				`]},{}]}`)
		openaitest.Reports(t, report, "lost /input/1/encrypted_content", "added /input/2")
		got, report = convert(t, input(budgetModel, items))
		openaitest.Reports(t, report, "lost /input/1/encrypted_content")
		if strings.Contains(got, "thoughtSignature") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestEncryptedContentOfOpenAIIsNeverASignature(t *testing.T) {
	t.Parallel()
	got, report := convert(t,
		input(pro3, hello+
			`,{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"gAAAAABo7wYx4Vp2mN8kQ3rT5uZ7"},{"role":"assistant","content":"Hi."},`+
			hello))
	openaitest.Reports(t, report, "lost /input/1/encrypted_content")
	if strings.Contains(got, "thoughtSignature") {
		t.Error(got)
	}
}

func TestEachSignedPartOfATurnGetsItsOwn(t *testing.T) {
	t.Parallel()
	contents(t, imageModel, hello+`,
		{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."},{"type":"summary_text","text":"So."}],"encrypted_content":"`+
		string(envelope.Append(nil, envelope.Entry{Kind: envelope.Thought, Signature: "s0"},
			envelope.Entry{Kind: envelope.Thought, Ordinal: 1, Signature: "s1"}))+`"},`+
		token(envelope.Entry{Kind: envelope.Text, Ordinal: 2, Signature: "s2"})+
		`,{"role":"assistant","content":"Hi."},`+
		token(envelope.Entry{Kind: envelope.Other, Ordinal: 3, Signature: "s3"},
			envelope.Entry{Kind: envelope.Other, Ordinal: 4, Signature: "s4"})+
		`,{"type":"code_interpreter_call","code":"1","status":"completed","outputs":[{"type":"logs","logs":"1"}]},`+
		token(envelope.Entry{Kind: envelope.Other, Ordinal: 5, Signature: "s5"})+
		`,{"type":"image_generation_call","result":"`+pixel+`"},`+
		token(envelope.Entry{Kind: envelope.Other, Ordinal: 6, Signature: "s6",
			Part: `{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["a"]}}}`})+`,`+
		token(envelope.Entry{Kind: envelope.Call, Ordinal: 7, Signature: "s7"})+`,`+callA+`,`+
		resultA,
		`[`+helloOut+`,{"role":"model","parts":[
			{"text":"Hm.","thought":true,"thoughtSignature":"s0"},{"text":"So.","thought":true,"thoughtSignature":"s1"},{"text":"Hi.","thoughtSignature":"s2"},
			{"executableCode":{"code":"1"},"thoughtSignature":"s3"},{"codeExecutionResult":{"output":"1"},"thoughtSignature":"s4"},
			{"inlineData":{"mimeType":"image/png"},"thoughtSignature":"s5"},{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB"},"thoughtSignature":"s6"},`+
			signed(callAOut, "s7")+`]},{"role":"user","parts":[`+resAOut+`]}]`)
}

// A client may keep one reasoning item for several parts and omit others. Positions show which
// parts remain.
func TestSignaturesOfOneTokenFindTheirParts(t *testing.T) {
	t.Parallel()
	both := token(envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: "s1"},
		envelope.Entry{Kind: envelope.Call, Ordinal: 3, Signature: "s3"})
	callC := strings.ReplaceAll(callB, "call_b", "call_c")
	resultC := strings.ReplaceAll(resultB, "call_b", "call_c")
	got, report := convert(t,
		input(pro3, hello+`,`+both+`,`+callA+`,`+callB+`,`+callC+`,`+resultA+`,`+resultB+`,`+
			resultC))
	openaitest.Subset(t, got,
		`{"contents":[{},{"parts":[`+signed(callAOut, "s1")+`,`+callBOut+`,`+
			signed(strings.ReplaceAll(callBOut, "call_b", "call_c"), "s3")+`]},{}]}`)
	openaitest.Reports(t, report)
	texts := token(envelope.Entry{Kind: envelope.Text, Ordinal: 1, Signature: "s1"})
	contents(t, pro3, hello+`,`+texts+
		`,{"role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]},`+
		hello,
		`[{},{"parts":[{"text":"a"},{"text":"b","thoughtSignature":"s1"}]},{}]`)
}

// Clients may move reasoning items together. If all signed parts follow, each gets its own
// signature. If some are omitted, the nearest reasoning item counts, because it was directly before
// its part.
func TestReasoningItemsInARowSignTheirParts(t *testing.T) {
	t.Parallel()
	call := func(ordinal int, signature string) string {
		return token(envelope.Entry{Kind: envelope.Call, Ordinal: ordinal, Signature: signature})
	}
	callC, callCOut := strings.ReplaceAll(callB, "call_b", "call_c"),
		strings.ReplaceAll(callBOut, "call_b", "call_c")
	resultC := strings.ReplaceAll(resultB, "call_b", "call_c")
	both := `[{},{"parts":[` + signed(callAOut, sigA) + `,` + signed(callBOut, sigB) + `]},{}]`
	contents(t, pro3, hello+`,`+call(0, sigA)+`,`+call(1, sigB)+`,`+callA+`,`+callB+`,`+resultA+`,`+
		resultB, both)
	// A text before them was omitted, so no position fits.
	contents(t, pro3, hello+`,`+call(1, sigA)+`,`+call(2, sigB)+`,`+callA+`,`+callB+`,`+resultA+`,`+
		resultB, both)
	// A call without a signature is between the two.
	got, report := convert(t,
		input(pro3, hello+`,`+call(0, sigA)+`,`+call(2, sigB)+`,`+callA+`,`+callC+`,`+callB+`,`+
			resultA+`,`+resultC+`,`+resultB))
	openaitest.Subset(t, got,
		`{"contents":[{},{"parts":[`+signed(callAOut, sigA)+`,`+callCOut+`,`+signed(callBOut, sigB)+
			`]},{}]}`)
	openaitest.Reports(t, report)
	if strings.Count(got, "thoughtSignature") != 2 {
		t.Error(got)
	}
	// A signature of a text among them is ignored: two calls are signed, and two calls follow.
	of := token(envelope.Entry{Kind: envelope.Text, Ordinal: 3, Signature: sigC})
	contents(t, pro3, hello+`,`+call(1, sigA)+`,`+call(2, sigB)+`,`+of+`,`+callA+`,`+callB+
		`,{"role":"assistant","content":"Hi."},`+resultA+`,`+resultB,
		`[{},{"parts":[`+signed(callAOut, sigA)+`,`+signed(callBOut, sigB)+`,`+
			signed(`{"text":"Hi."}`, sigC)+`]},{}]`)
	// The first call was omitted, and its reasoning was not.
	contents(t, pro3, hello+`,`+call(0, sigA)+`,`+call(1, sigB)+`,`+callB+`,`+resultB,
		`[{},{"parts":[`+signed(callBOut, sigB)+`]},{}]`, "lost /input/1/encrypted_content")
	// Another reasoning item ends the row.
	contents(t, pro3, hello+`,`+call(0, sigA)+`,`+call(1, sigB)+`,`+callB+`,`+call(2, sigC)+`,`+
		callC+`,`+resultB+`,`+resultC,
		`[{},{"parts":[`+signed(callBOut, sigB)+`,`+signed(callCOut, sigC)+`]},{}]`,
		"lost /input/1/encrypted_content")
}

func TestSignaturesAreReadWithoutInclude(t *testing.T) {
	t.Parallel()
	got, report := convert(t,
		`{"model":"`+pro3+`","include":[],"store":false,"input":[`+hello+`,`+
			token(envelope.Entry{Kind: envelope.Call, Signature: sigA})+`,`+callA+`,`+resultA+`]}`)
	openaitest.Subset(t, got, `{"contents":[{},{"parts":[{"thoughtSignature":"`+sigA+`"}]},{}]}`)
	openaitest.Reports(t, report)
}

func TestABareSignatureOfGeminisIsTaken(t *testing.T) {
	t.Parallel()
	url := strings.NewReplacer("+", "-", "/", "_").Replace(bareSignature)
	for _, signature := range []string{bareSignature, url, strings.TrimRight(bareSignature, "="),
		strings.TrimRight(url, "=")} {
		bare := `{"type":"reasoning","summary":[],"encrypted_content":"` + signature + `"}`
		contents(t, pro3, hello+`,`+bare+`,`+callA+`,`+callB+`,`+resultA+`,`+resultB,
			`[{},{"parts":[`+signed(callAOut, signature)+`,`+callBOut+`]},{}]`)
		contents(t, pro3, hello+`,`+bare+`,{"role":"assistant","content":"Hi."},`+hello,
			`[{},{"parts":[{"text":"Hi.","thoughtSignature":"`+signature+`"}]},{}]`)
		contents(t, pro3, hello+`,`+bare+`,`+hello, `[{"parts":[{},{}]}]`,
			"lost /input/1/encrypted_content")
	}
}

// Fewer than 16 bytes are not a signature of Gemini, and each signature starts with one of three
// bytes.
func TestABareSignatureHasItsLengthAndItsBeginning(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		length int
		first  byte
		want   bool
	}{{16, 0x01, true}, {16, 0x0a, true}, {16, 0x12, true}, {15, 0x12, false}, {16, 0x13,
		false}, {16, 0x80, false}} {
		data := make([]byte, tt.length)
		data[0] = tt.first
		signature := base64.StdEncoding.EncodeToString(data)
		bare := `{"type":"reasoning","summary":[],"encrypted_content":"` + signature + `"}`
		if tt.want {
			contents(t, pro3, hello+`,`+bare+`,{"role":"assistant","content":"Hi."},`+hello,
				`[{},{"parts":[`+signed(`{"text":"Hi."}`, signature)+`]},{}]`)
			continue
		}
		contents(t, pro3, hello+`,`+bare+`,{"role":"assistant","content":"Hi."},`+hello,
			`[{},{"parts":[{"text":"Hi."}]},{}]`, "lost /input/1/encrypted_content")
	}
}

func TestNoSignatureIsSentForAnotherPart(t *testing.T) {
	t.Parallel()
	tokenA, tokenB := token(envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: sigA}),
		token(envelope.Entry{Kind: envelope.Call, Ordinal: 2, Signature: sigB})
	// The client drops the reasoning and keeps its call.
	contents(t, pro3, hello+`,`+callA+`,`+resultA,
		`[{},{"parts":[`+signed(callAOut, "skip_thought_signature_validator")+`]},{}]`,
		"added /input/1")
	// The client drops the call and keeps its reasoning.
	contents(t, pro3, hello+`,`+tokenA+`,{"role":"assistant","content":"Hi."},`+hello,
		`[{},{"parts":[{"text":"Hi."}]},{}]`, "lost /input/1/encrypted_content")
	contents(t, pro3, hello+`,`+tokenA+`,`+hello,
		`[{"parts":[{"text":"Hello."},{"text":"Hello."}]}]`, "lost /input/1/encrypted_content")
	// The client drops one of two signed calls.
	contents(t, pro3, hello+`,`+tokenA+`,`+tokenB+`,`+callB+`,`+resultB,
		`[{},{"parts":[`+signed(callBOut, sigB)+`]},{}]`, "lost /input/1/encrypted_content")
	// The client drops it with its reasoning, and another call before a message.
	contents(t, pro3, hello+`,`+tokenB+`,{"role":"assistant","content":"Hi."},`+callA+`,`+resultA,
		`[{},{"parts":[{"text":"Hi."},`+signed(callAOut, "skip_thought_signature_validator")+
			`]},{}]`, "lost /input/1/encrypted_content", "added /input/3")
	// A signature never reaches the next turn.
	contents(t, pro3, hello+`,`+tokenA+`,{"role":"assistant","content":"Hi."},`+hello+`,`+callA+`,`+
		resultA,
		`[{},{},{},{"parts":[`+signed(callAOut, "skip_thought_signature_validator")+`]},{}]`,
		"lost /input/1/encrypted_content", "added /input/4")
}

func TestIDsThatWereMadeAreNotSent(t *testing.T) {
	t.Parallel()
	made := strings.NewReplacer("call_a", "call_gemini_0123456789")
	contents(t, budgetModel, hello+`,`+made.Replace(callA)+`,`+made.Replace(resultA),
		`[{},{"parts":[{"functionCall":{"name":"get_weather"}}]},{"parts":[{"functionResponse":{"name":"get_weather"}}]}]`)
	got, _ := convert(t,
		input(budgetModel, hello+`,`+made.Replace(callA)+`,`+made.Replace(resultA)))
	if strings.Contains(got, "call_gemini") {
		t.Error(got)
	}
}
