package fakegemini

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Matching counts the requests so far that all of the matchers match; without any, those to
// generate content. report describes every request, and for those that do not match, what differs.
// Matching fails for a matcher that cannot be used.
func (h *Handler) Matching(matchers ...Matcher) (count int, report string, err error) {
	match := matchOf(matchers)
	if match.Mistake != nil {
		return 0, "", fmt.Errorf("fakegemini: %w", match.Mistake)
	}
	if h == nil {
		return 0, "", nil
	}
	var lines []string
	for i, request := range h.log.all() {
		line := fmt.Sprintf("request %d: %s", i+1, script.Describe(&request))
		differences := match.Differences(&request)
		if len(differences) == 0 {
			count++
			line += ", as expected"
		}
		for _, difference := range differences {
			line += "\n    " + difference.String()
		}
		lines = append(lines, "  "+line)
	}
	return count, strings.Join(lines, "\n"), nil
}

// Unused describes each fixture that has answers left, and each reply of a cassette that was not
// asked for.
func (h *Handler) Unused() []string {
	if h == nil || h.script == nil {
		return nil
	}
	unused := h.script.Unused()
	if h.cassette != nil {
		unused = append(unused, h.cassette.Unused()...)
	}
	return unused
}
