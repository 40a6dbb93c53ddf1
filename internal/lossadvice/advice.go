// Package lossadvice says what to do about a value that a conversion lost, and which page of the
// reference explains it. The reference in docs/reference/losses and the inspector use it.
package lossadvice

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/pkg/report"
)

// Advice says what to do about a lost member.
type Advice struct {
	// In and Member are regular expressions for the direction and the member. The first advice that
	// matches both counts.
	In, Member string
	// Text is the advice, in Markdown.
	Text string
}

// All returns the advice for all members, from the special to the general. It must not be changed.
func All() []Advice { return table }

// compiled returns the regular expressions of the table.
var compiled = sync.OnceValue(func() (out [][2]*regexp.Regexp) {
	for i := range table {
		out = append(out, [2]*regexp.Regexp{whole(table[i].In), whole(table[i].Member)})
	}
	return out
})

// whole returns a regular expression that matches whole texts only.
func whole(expression string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + expression + `)$`)
}

// For returns the advice for a member that a direction lost, or nil for none. Directions are
// "chat-completions-requests", "messages-answers", "bridge-requests" and the like. The member is a
// JSON pointer with "*" in place of numbers.
func For(direction, member string) *Advice {
	for i, expressions := range compiled() {
		if expressions[0].MatchString(direction) && expressions[1].MatchString(member) {
			return &table[i]
		}
	}
	return nil
}

// pages are the page and the heading of each direction. The table is read-only.
var pages = map[string][2]string{
	"chat-completions-requests": {"chat-completions", "requests-to-gemini"},
	"chat-completions-answers":  {"chat-completions", "answers-from-gemini"},
	"responses-requests":        {"responses", "requests-to-gemini"},
	"responses-answers":         {"responses", "answers-from-gemini"},
	"messages-requests":         {"messages", "requests-to-gemini"},
	"messages-answers":          {"messages", "answers-from-gemini"},
	"interactions-requests":     {"interactions", "requests-to-gemini"},
	"interactions-answers":      {"interactions", "answers-from-gemini"},
	"bridge-requests":           {"interactions", "requests-to-the-interactions-api"},
	"bridge-answers":            {"interactions", "answers-of-the-interactions-api"},
	"reverse-requests":          {"gemini-clients", "requests-to-a-server-of-chat_completions"},
	"reverse-answers":           {"gemini-clients", "answers-of-a-server-of-chat_completions"},
}

// words are the words of the headings. The table is read-only.
var words = map[report.Kind]string{
	report.Lost: "lost", report.Approximated: "changed", report.Added: "added",
}

// Page returns the path of the reference of a direction with the anchor of its table, such as
// docs/reference/losses/messages.md#lost-in-requests-to-gemini. It returns "" for a direction that
// has no reference. A direction without a table of the kind has the anchor of its own heading.
func Page(direction string, kind report.Kind) string {
	page, ok := pages[direction]
	if !ok {
		return ""
	}
	anchor := page[1]
	if word := words[kind]; word != "" && !without[direction+" "+word] {
		anchor = word + "-in-" + anchor
	}
	return "docs/reference/losses/" + page[0] + ".md#" + anchor
}

// without are the directions and kinds of which the reference has no entry. The table is read-only.
var without = map[string]bool{
	"chat-completions-answers lost": true, "responses-answers lost": true,
	"interactions-answers lost": true, "reverse-answers added": true,
}

// Direction returns the direction of a conversion of a form: of requests, or of answers.
func Direction(form string, isAnswer bool) string {
	name := strings.ReplaceAll(form, "_", "-")
	if isAnswer {
		return name + "-answers"
	}
	return name + "-requests"
}
