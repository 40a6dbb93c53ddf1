package request_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// BenchmarkRequest converts conversations with four tools from bytes to validated requests for
// Gemini. The time must grow linearly with the number of turns.
func BenchmarkRequest(b *testing.B) {
	for _, turns := range []int{16, 128, 1024} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			body := []byte(agentRequest(turns))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := requestToRequest(body); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(turns),
				"ns/turn")
		})
	}
}

// BenchmarkRequestInput converts decoded conversations.
func BenchmarkRequestInput(b *testing.B) {
	for _, turns := range []int{16, 128, 1024} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			in := decode(b, agentRequest(turns))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := request.ToGemini(in, request.WithoutValidation()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(turns),
				"ns/turn")
		})
	}
}

// A body of 10 MB is copied twice: into the decoded request and into the sent one.
func TestALargeImageInARequestIsNotDecoded(t *testing.T) {
	const size = 10_000_000
	body := []byte(`{"model":"` + levelModel +
		`","input":[{"role":"user","content":[{"type":"input_text","text":"What is it?"},` +
		`{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo` +
		strings.Repeat("A", size) + `A"}]}]}`)
	before := openaitest.Allocated()
	if err := requestToRequest(body); err != nil {
		t.Fatal(err)
	}
	ratio := float64(openaitest.Allocated()-before) / size
	t.Logf("%.2f times the image", ratio)
	if ratio > 2.2 {
		t.Errorf("%.2f times the image were allocated", ratio)
	}
}

func requestToRequest(body []byte) error {
	in, err := responses.DecodeRequest(body)
	if err != nil {
		return err
	}
	out, _, err := request.ToGemini(in)
	if err != nil {
		return err
	}
	_, err = gemini.EncodeRequest(out)
	return err
}

// agentRequest returns a request of an agent with four tools. Each round has a question, two calls
// with their signatures, their results and an answer; each counts as a turn.
func agentRequest(turns int) string {
	var tools, items []string
	for _, name := range []string{"get_weather", "find_trains", "book_seat", "convert_currency"} {
		tools = append(tools,
			fmt.Sprintf(`{"type":"function","name":%q,"description":"A function of a travel agency that answers one kind of question.","strict":false,`+
				`"parameters":{"type":"object","properties":{"city":{"type":"string","description":"The name of the city"},"day":{"type":"string","format":"date"},`+
				`"count":{"type":"integer","minimum":1,"maximum":9},"class":{"type":"string","enum":["first","second"]}},"required":["city"],"additionalProperties":false}}`,
				name))
	}
	encrypted := envelope.Append(nil,
		envelope.Entry{Kind: envelope.Call,
			Signature: "CpIBAVSoXO4nPqC0wZJ8vM3cV1tQ2kY7Yb0aU5mC9fQ3zTtXx1Gk"})
	for i := range turns / 4 {
		items = append(items,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"What is the weather in Lisbon on the third of May, and which trains go there from Porto in the morning?"}]}`,
			fmt.Sprintf(`{"type":"reasoning","summary":[],"encrypted_content":"%s"}`, encrypted),
			fmt.Sprintf(`{"type":"function_call","call_id":"call_w%d","name":"get_weather","arguments":"{\"city\":\"Lisbon\",\"day\":\"2026-05-03\"}"}`,
				i),
			fmt.Sprintf(`{"type":"function_call","call_id":"call_t%d","name":"find_trains","arguments":"{\"city\":\"Lisbon\",\"count\":3}"}`,
				i),
			fmt.Sprintf(`{"type":"function_call_output","call_id":"call_w%d","output":"{\"sky\":\"clear\",\"temperature\":24.5}"}`,
				i),
			fmt.Sprintf(`{"type":"function_call_output","call_id":"call_t%d","output":"{\"trains\":[\"07:10\",\"08:25\",\"09:40\"]}"}`,
				i),
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It will be clear and 24.5 degrees, and trains leave Porto at 07:10, 08:25 and 09:40."}]}`)
	}
	items = append(items,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Book the second one."}]}`)
	return `{"model":"` + levelModel +
		`","instructions":"You are the assistant of a travel agency. Answer in one sentence.","input":[` +
		strings.Join(items, ",") + `],"tools":[` + strings.Join(tools, ",") +
		`],"tool_choice":"auto","parallel_tool_calls":true,"store":false,"stream":false,"include":["reasoning.encrypted_content"],"max_output_tokens":1024,"reasoning":{"effort":"low","summary":"auto"}}`
}
