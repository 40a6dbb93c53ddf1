package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestEveryToolYieldsTheSameText(t *testing.T) {
	t.Parallel()
	for _, shape := range shapes {
		body, want := shape.geminiStream()
		for _, tool := range tools {
			t.Run(shape.name+"/"+tool.name, func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				check(t, tool.prepare(t, body)(t.Context(), &out))
				got := out.String()
				if tool.writes == events {
					got = textOfEvents(t, got)
				}
				if got != want {
					t.Errorf("%d bytes of text, want %d", len(got), len(want))
				}
			})
		}
	}
}

func TestEveryCallerHasTheSameAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range calls {
		var want string
		for _, caller := range callers {
			var out bytes.Buffer
			check(t, caller.prepare(t, c)(t.Context(), &out))
			if want == "" {
				want = out.String()
			}
			if got := out.String(); got != want || got == "" {
				t.Errorf("%s by %s: %d bytes, want %d", c.name, caller.name, len(got), len(want))
			}
		}
	}
}

func TestEventsHaveTheSizeThatIsClaimed(t *testing.T) {
	t.Parallel()
	for _, shape := range shapes {
		body, _ := shape.geminiStream()
		if want := shape.events * (eventSize + len("\r\n\r\n")); len(body) != want {
			t.Errorf("%s: %d bytes, want %d", shape.name, len(body), want)
		}
	}
}

// textOfEvents returns the text in the body of a streamed completion, which must be whole.
func textOfEvents(t *testing.T, body string) string {
	t.Helper()
	rest, whole := strings.CutSuffix(body, "data: [DONE]\n\n")
	if !whole {
		t.Fatal("the stream has no end")
	}
	var said strings.Builder
	for event := range strings.SplitSeq(strings.TrimSuffix(rest, "\n\n"), "\n\n") {
		content, err := contentOf(event)
		check(t, err)
		said.WriteString(content)
	}
	return said.String()
}

func contentOf(event string) (string, error) {
	data, ok := strings.CutPrefix(event, "data: ")
	if !ok {
		return "", fmt.Errorf("not an event of data: %d bytes", len(event))
	}
	var chunk struct {
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if err := json.Unmarshal([]byte(data), &chunk); err != nil {
		return "", err
	}
	content := ""
	for _, choice := range chunk.Choices {
		content += choice.Delta.Content
	}
	return content, nil
}
