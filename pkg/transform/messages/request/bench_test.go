package request_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// conversationOf returns a request with a number of turns of a tool loop, with messages like an
// agent's.
func conversationOf(turns int) string {
	var b strings.Builder
	b.WriteString(`{"model":"gemini-3.6-flash","max_tokens":8000,"system":[{"type":"text","text":"` +
		strings.Repeat("Be careful. ", 40) +
		`"}],"tools":[{"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}],"messages":[{"role":"user","content":"Mend the test."}`)
	for i := range turns / 2 {
		id := "toolu_" + strconv.Itoa(i)
		b.WriteString(`,{"role":"assistant","content":[{"type":"text","text":"I read the next file."},{"type":"tool_use","id":"` +
			id + `","name":"read","input":{"path":"a/b/c.go"}}]}`)
		b.WriteString(`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id +
			`","content":"` + strings.Repeat("line of the file\\n", 20) + `"}]}`)
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
