package request_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// BenchmarkRequestMessages converts decoded conversations in which the model calls two functions
// before it answers. The time must grow linearly with the number of turns.
func BenchmarkRequestMessages(b *testing.B) {
	for _, turns := range []int{16, 128, 1024} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			in, err := openai.DecodeRequest([]byte(longConversation(turns)))
			if err != nil {
				b.Fatal(err)
			}
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

// longConversation returns a request of a number of turns, four to each round.
func longConversation(turns int) string {
	messages := []string{`{"role":"system","content":"You are a helper."}`}
	for i := range turns / 4 {
		x, y := fmt.Sprintf("x%d", i), fmt.Sprintf("y%d", i)
		messages = append(messages, hello,
			strings.Replace(calling(x, y), `"type":"function"`,
				`"type":"function","extra_content":{"google":{"thought_signature":"c2ln"}}`, 1),
			resultOf(y), resultOf(x), `{"role":"assistant","content":"It is sunny."}`)
	}
	messages = append(messages, hello)
	return `{"model":"` + pro3 + `","messages":[` + strings.Join(messages, ",") + `]}`
}
