package geminitest

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/geminitest/internal/script"
)

// AssertCalled fails the test unless a request came that all of the matchers match; without any, unless one came to
// generate content. It is called with what a test wants to know:
//
//	srv.AssertCalled(geminitest.Model("gemini-3.6-flash"), geminitest.Prompt("weather"))
//	srv.AssertCalled(geminitest.ToolResult("get_weather", `"degrees":21`))
//	srv.AssertCalled(geminitest.Signature(signature))
func (s *Server) AssertCalled(matchers ...Matcher) {
	s.t.Helper()
	if count, report := s.matching(matchers); count == 0 {
		s.t.Errorf("geminitest: no request was as expected%s", report)
	}
}

// AssertNotCalled fails the test if a request came that all of the matchers match.
func (s *Server) AssertNotCalled(matchers ...Matcher) {
	s.t.Helper()
	if count, report := s.matching(matchers); count > 0 {
		s.t.Errorf("geminitest: requests that were not expected: %d%s", count, report)
	}
}

// AssertCalls fails the test unless so many requests came that all of the matchers match; without any, so many to
// generate content.
func (s *Server) AssertCalls(want int, matchers ...Matcher) {
	s.t.Helper()
	if count, report := s.matching(matchers); count != want {
		s.t.Errorf("geminitest: requests as expected: %d, want %d%s", count, want, report)
	}
}

// AssertScriptUsed fails the test unless each fixture has given all of its answers, and each reply of a cassette was
// asked for.
func (s *Server) AssertScriptUsed() {
	s.t.Helper()
	unused := s.script.Unused()
	if s.cassette != nil {
		unused = append(unused, s.cassette.Unused()...)
	}
	if len(unused) > 0 {
		s.t.Errorf("geminitest: the script is not used up:\n  %s", strings.Join(unused, "\n  "))
	}
}

// matching counts the requests that match, and reports all that came, with what each differs in.
func (s *Server) matching(matchers []Matcher) (count int, report string) {
	s.t.Helper()
	match := matchOf(matchers)
	if match.Mistake != nil {
		s.t.Fatalf("geminitest: %v", match.Mistake)
	}
	lines := []string{":"}
	for i, request := range s.Requests() {
		line := fmt.Sprintf("request %d: %s", i+1, script.Describe(&request))
		differences := match.Differences(&request)
		if len(differences) == 0 {
			count++
			line += ", as expected"
		}
		for _, difference := range differences {
			line += "\n    " + difference.String()
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 {
		return 0, ": none came"
	}
	return count, strings.Join(lines, "\n  ")
}
