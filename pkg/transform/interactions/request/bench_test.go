package request_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// conversationOf returns a request with a number of turns of a tool loop, with steps like an
// agent's.
func conversationOf(turns int) string {
	var b strings.Builder
	b.WriteString(`{"model":"gemini-3.6-flash","generation_config":{"max_output_tokens":8000},"system_instruction":"` +
		strings.Repeat("Be careful. ", 40) +
		`","tools":[{"type":"function","name":"read","description":"Reads a file.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}],"input":[{"type":"user_input","content":[{"type":"text","text":"Mend the test."}]}`)
	for i := range turns / 2 {
		id := "call_" + strconv.Itoa(i)
		b.WriteString(`,{"type":"thought","signature":"CiQBAAA="},{"type":"model_output","content":[{"type":"text","text":"I read the next file."}]},{"type":"function_call","id":"` +
			id + `","name":"read","arguments":{"path":"a/b/c.go"},"signature":"CiQBBBB="}`)
		b.WriteString(`,{"type":"function_result","call_id":"` + id + `","name":"read","result":"` +
			strings.Repeat("line of the file\\n", 20) + `"}`)
	}
	b.WriteString(`]}`)
	return b.String()
}

func BenchmarkToGemini(b *testing.B) {
	in := mustDecode(b, conversationOf(16))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := request.ToGemini(in); err != nil {
			b.Fatal(err)
		}
	}
}

// From a client's bytes to bytes for Gemini.
func BenchmarkToGeminiBytes(b *testing.B) {
	document := []byte(conversationOf(16))
	b.SetBytes(int64(len(document)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := geminiRequest(document); err != nil {
			b.Fatal(err)
		}
	}
}
