package request_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
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

// BenchmarkRequestWithImage converts a request with an image of 10 MB. The image must not be
// decoded, and must not be scanned more than once for each copy between the bodies.
func BenchmarkRequestWithImage(b *testing.B) {
	body := []byte(imageRequest(10_000_000))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := requestToRequest(body); err != nil {
			b.Fatal(err)
		}
	}
}

// A body of 10 MB is copied twice: into the decoded request and into the sent request.
func TestALargeImageInARequestIsNotDecoded(t *testing.T) {
	const size = 10_000_000
	body := []byte(imageRequest(size))
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
	in, err := openai.DecodeRequest(body)
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

// agentRequest returns a request of an agent with four tools. Each round has a question, two calls,
// their results and an answer; each counts as a turn.
func agentRequest(turns int) string {
	var tools, messages []string
	for _, name := range []string{"get_weather", "find_trains", "book_seat", "convert_currency"} {
		tools = append(tools,
			fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":"A function of a travel agency that answers one kind of question.",`+
				`"parameters":{"type":"object","properties":{"city":{"type":"string","description":"The name of the city"},"day":{"type":"string","format":"date"},`+
				`"count":{"type":"integer","minimum":1,"maximum":9},"class":{"type":"string","enum":["first","second"]}},"required":["city"],"additionalProperties":false}}}`,
				name))
	}
	messages = append(messages,
		`{"role":"system","content":"You are the assistant of a travel agency. Answer in one sentence."}`)
	for i := range turns / 4 {
		messages = append(messages,
			`{"role":"user","content":"What is the weather in Lisbon on the third of May, and which trains go there from Porto in the morning?"}`,
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_w%d","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lisbon\",\"day\":\"2026-05-03\"}"},`+
				`"extra_content":{"google":{"thought_signature":"CpIBAVSoXO4nPqC0wZJ8vM3cV1tQ2kY7Yb0aU5mC9fQ3zTtXx1Gk"}}},`+
				`{"id":"call_t%d","type":"function","function":{"name":"find_trains","arguments":"{\"city\":\"Lisbon\",\"count\":3}"}}]}`,
				i, i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"call_w%d","content":"{\"sky\":\"clear\",\"temperature\":24.5}"}`,
				i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"call_t%d","content":"{\"trains\":[\"07:10\",\"08:25\",\"09:40\"]}"}`,
				i),
			`{"role":"assistant","content":"It will be clear and 24.5 degrees, and trains leave Porto at 07:10, 08:25 and 09:40."}`)
	}
	messages = append(messages, `{"role":"user","content":"Book the second one."}`)
	return `{"model":"gemini-3.6-flash","messages":[` + strings.Join(messages, ",") +
		`],"tools":[` + strings.Join(tools, ",") +
		`],"tool_choice":"auto","temperature":0.2,"max_completion_tokens":1024,"reasoning_effort":"low"}`
}

func imageRequest(size int) string {
	return `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},` +
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo` +
		strings.Repeat("A", size) + `A"}}]}]}`
}
