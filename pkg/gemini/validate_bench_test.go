package gemini_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock/clocktest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// conversation is a request with a number of turns and four tools: questions, calls, answers and
// replies in turn, as an agent sends them.
func conversation(tb testing.TB, count int) *geminiapi.GenerateContentRequest {
	tb.Helper()
	var list []string
	for i := range count {
		switch i % 4 {
		case 0:
			list = append(list,
				`u:{"text":"How is the weather in Bergen, and what time is it there?"}`)
		case 1:
			list = append(list,
				fmt.Sprintf(`m:{"functionCall":{"name":"tool_1","id":"a%d","args":{"city":"Bergen"}},"thoughtSignature":"c2lnbmF0dXJl"},`+
					`{"functionCall":{"name":"tool_2","id":"b%d","args":{"city":"Bergen"}}}`, i, i))
		case 2:
			list = append(list,
				fmt.Sprintf(`u:{"functionResponse":{"name":"tool_1","id":"a%d","response":{"output":"rain"}}},`+
					`{"functionResponse":{"name":"tool_2","id":"b%d","response":{"output":"10:04"}}}`,
					i-1, i-1))
		case 3:
			list = append(list,
				`m:{"text":"It rains, and it is four minutes past ten.","thoughtSignature":"c2lnbmF0dXJl"}`)
		}
	}
	var functions []string
	for i := range 4 {
		functions = append(functions,
			fmt.Sprintf(`{"name":"tool_%d","description":"Tells something.","parameters":{"type":"OBJECT","properties":{`+
				`"city":{"type":"STRING","description":"A city."},"unit":{"type":"STRING","enum":["a","b"]},`+
				`"days":{"type":"ARRAY","items":{"type":"INTEGER"}},"detail":{"type":"OBJECT","properties":{"long":{"type":"BOOLEAN"}}}},"required":["city"]}}`,
				i+1))
	}
	document := strings.TrimSuffix(turns(list...), "}") +
		`,"systemInstruction":{"parts":[{"text":"Be brief."}]},"tools":[{"functionDeclarations":[` +
		strings.Join(functions, ",") +
		`]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},"generationConfig":{"temperature":1,"maxOutputTokens":1024,` +
		`"thinkingConfig":{"thinkingLevel":"LOW"}},"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]}`
	request, err := gemini.DecodeRequest([]byte(document))
	if err != nil {
		tb.Fatal(err)
	}
	return request
}

// conversationOptions apply the rules of one model on one backend, which is the maximum. The model
// continues its own turns.
func conversationOptions() []gemini.ValidateOption {
	return []gemini.ValidateOption{gemini.ForModel("gemini-3.1-flash-lite"), gemini.ForGeminiAPI()}
}

func BenchmarkValidateRequest(b *testing.B) {
	for _, count := range []int{1, 16, 128, 1024} {
		request := conversation(b, count)
		b.Run(fmt.Sprintf("Turns%d", count), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := gemini.ValidateRequest(request, conversationOptions()...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkModelAt(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		models.At("publishers/google/models/gemini-2.5-flash-lite-001", models.VertexAI,
			clocktest.Day)
	}
}

func TestAValidRequestCostsHardlyAnyMemory(t *testing.T) {
	request := conversation(t, 64)
	got := testing.AllocsPerRun(20, func() {
		if err := gemini.ValidateRequest(request, conversationOptions()...); err != nil {
			t.Fatal(err)
		}
	})
	if got > 4 {
		t.Errorf("%v allocations", got)
	}
}
