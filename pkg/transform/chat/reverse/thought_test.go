package reverse_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
)

// Mistral's thoughts are a list; other servers send a text.
func TestThoughtsInPartsMayBeATextOrAList(t *testing.T) {
	t.Parallel()
	for thinking, want := range map[string]string{
		`"abc"`:                          `{"text":"abc","thought":true},{"text":"Hi"}`,
		`[{"type":"text","text":"abc"}]`: `{"text":"abc","thought":true},{"text":"Hi"}`,
		`{"text":"abc"}`:                 `{"text":"Hi"}`,
	} {
		out, entries := bothWays(t,
			`"content":[{"type":"thinking","thinking":`+thinking+`},{"type":"text","text":"Hi"}]`,
			`"finish_reason":"stop"`, "")
		checkParts(t, out, want)
		isLost := entries.Of(report.Lost).Covers("/choices/0/message/content/0/thinking")
		if isThought := want != `{"text":"Hi"}`; isLost == isThought {
			t.Errorf("%s: %v", thinking, entries)
		}
	}
}

// If thoughts are not requested, the report names the member that had them.
func TestThoughtsThatAreLeftOutAreReportedWhereTheyWere(t *testing.T) {
	t.Parallel()
	for at, members := range map[string]string{
		"/reasoning_content":         `"reasoning_content":"h"`,
		"/reasoning":                 `"reasoning":"h"`,
		"/reasoning_text":            `"reasoning_text":"h"`,
		"/reasoning_details":         `"reasoning_details":[{"type":"reasoning.text","text":"h"}]`,
		"/thinking_blocks":           `"thinking_blocks":[{"type":"thinking","thinking":"h"}]`,
		"/content/0/thinking":        `"content":[{"type":"thinking","thinking":"h"}]`,
		"/content/0/thinking/1/text": `"content":[{"type":"thinking","thinking":[{"type":"text","text":""},{"type":"text","text":"h"}]}]`,
	} {
		in, _, err := openai.DecodeForeignResponse(
			[]byte(`{"choices":[{"index":0,"message":{"role":"assistant",` + members +
				`},"finish_reason":"stop"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, entries, err := reverse.ToGemini(in, reverse.WithoutThoughts())
		if err != nil {
			t.Fatal(err)
		}
		s := convertStream(asBody([]string{`{"choices":[` + delta(members) + `]}`}),
			reverse.WithoutThoughts())
		for pointer, entries := range map[string]report.Report{"/choices/0/message" + at: entries,
			"/0/choices/0/delta" + at: s.report} {
			if lost := entries.Of(report.Lost); len(lost) != 1 || lost[0].Pointer != pointer {
				t.Errorf("%s: %v", pointer, entries)
			}
		}
	}
}
