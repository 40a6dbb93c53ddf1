package geminitest

import "strings"

// AssertCalled fails the test unless the server received a request that all of the matchers match.
// Without matchers, it requires a request to generate content.
//
//	srv.AssertCalled(geminitest.Model("gemini-3.6-flash"), geminitest.Prompt("weather"))
//	srv.AssertCalled(geminitest.ToolResult("get_weather", `"degrees":21`))
//	srv.AssertCalled(geminitest.Signature(signature))
func (s *Server) AssertCalled(matchers ...Matcher) {
	s.t.Helper()
	if count, report := s.matching(matchers); count == 0 {
		s.t.Errorf("geminitest: no request matched%s", report)
	}
}

// AssertNotCalled fails the test if the server received a request that all of the matchers match.
func (s *Server) AssertNotCalled(matchers ...Matcher) {
	s.t.Helper()
	if count, report := s.matching(matchers); count > 0 {
		s.t.Errorf("geminitest: unexpected requests: %d%s", count, report)
	}
}

// AssertCalls fails the test unless the server received n requests that all of the matchers match.
// Without matchers, it counts requests to generate content.
func (s *Server) AssertCalls(want int, matchers ...Matcher) {
	s.t.Helper()
	if count, report := s.matching(matchers); count != want {
		s.t.Errorf("geminitest: matching requests: %d, want %d%s", count, want, report)
	}
}

// AssertScriptUsed fails the test unless each fixture has given all of its answers, and each reply
// of a cassette was replayed.
func (s *Server) AssertScriptUsed() {
	s.t.Helper()
	if unused := s.Unused(); len(unused) > 0 {
		s.t.Errorf("geminitest: the script is not used up:\n  %s", strings.Join(unused, "\n  "))
	}
}

// matching is [fakegemini.Handler.Matching] for an assertion.
func (s *Server) matching(matchers []Matcher) (count int, report string) {
	s.t.Helper()
	count, report, err := s.Matching(matchers...)
	switch {
	case err != nil:
		s.t.Fatal(err)
	case report == "":
		return 0, ": no request was received"
	}
	return count, ":\n" + report
}
