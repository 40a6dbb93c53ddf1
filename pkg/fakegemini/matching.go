package fakegemini

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Matching counts the requests so far that all of the matchers match. Without matchers it counts
// requests to generate content. report describes every request, and says what differs in those that
// do not match. Matching returns an error for an invalid matcher.
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

// Unused describes each fixture with unused answers, and each reply of a cassette that was not
// replayed.
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
