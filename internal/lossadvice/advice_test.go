package lossadvice

import (
	"os"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
)

func TestEveryPageHasItsHeading(t *testing.T) {
	t.Parallel()
	for direction := range pages {
		for kind := range words {
			path, anchor, _ := strings.Cut(Page(direction, kind), "#")
			text, err := os.ReadFile("../../" + path)
			if err != nil {
				t.Fatal(err)
			}
			heading := strings.ReplaceAll(anchor, "-", " ")
			if !strings.Contains(strings.ToLower(string(text)), "# "+heading+"\n") {
				t.Errorf("%s %s: %s has no heading %q", direction, kind, path, heading)
			}
		}
	}
	if got := Page("ai-requests", report.Lost); got != "" {
		t.Errorf("an unknown direction has the page %s", got)
	}
}

func TestTheMostSpecialAdviceCounts(t *testing.T) {
	t.Parallel()
	for _, test := range [][3]string{
		{"chat-completions-requests", "/messages/*/name", "Write the name into the content."},
		{"chat-completions-requests", "/logit_bias", "Leave it out, or say it in the prompt."},
		{"chat-completions-requests", "/logprobs", "Leave it out. A program"},
		{"chat-completions-requests", "/top_logprobs", "Set `logprobs` to true."},
		{"chat-completions-requests", "/web_search_options/search_context_size", "Leave it out."},
		{"responses-requests", "/tools/*/user_location", "Name the place in the prompt."},
		{"messages-requests", "/container", "Leave it out."},
		{"messages-requests", "/no_such_member", ""},
	} {
		text := ""
		if a := For(test[0], test[1]); a != nil {
			text = a.Text
		}
		if !strings.HasPrefix(text, test[2]) || (text == "") != (test[2] == "") {
			t.Errorf("%s %s: %q", test[0], test[1], text)
		}
	}
	if got := Direction("chat_completions", true); got != "chat-completions-answers" {
		t.Error(got)
	}
}
