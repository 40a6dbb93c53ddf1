package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// linked returns the packages that are linked into a program which imports the packages of
// patterns.
func linked(t *testing.T, patterns ...string) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go",
		append([]string{"list", "-deps"}, patterns...)...)
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", patterns, err)
	}
	return strings.Fields(string(out))
}

// ofNATS returns the packages that are of NATS: its server, its client, and what only they need.
func ofNATS(packages []string) (out []string) {
	for _, pkg := range packages {
		if strings.HasPrefix(pkg, "github.com/nats-io/") {
			out = append(out, pkg)
		}
	}
	return out
}

// TestOnlyJobsLinkNATS keeps the server and the client of NATS, 10 MB of a program, out of those
// that have no bulk jobs.
func TestOnlyJobsLinkNATS(t *testing.T) {
	t.Parallel()
	if len(ofNATS(linked(t, "./server/bulk"))) == 0 {
		t.Fatal("server/bulk links no NATS: this test sees nothing")
	}
	without := []string{
		"./gen/...", "./pkg/gemini/...", "./pkg/openai/...", "./pkg/anthropic/...",
		"./pkg/aisdk/...", "./pkg/normalize/...",
		"./pkg/transform/...", "./pkg/provider/...", "./pkg/toolloop/...", "./pkg/structured/...",
		"./pkg/fakegemini/...", "./pkg/geminitest/...",
		"./pkg/telemetry/...", "./server/ratecard/...", "./server/gateway/...",
	}
	for _, pattern := range without {
		if found := ofNATS(linked(t, pattern)); len(found) > 0 {
			t.Errorf("a program that imports %s links %v", pattern, found)
		}
	}
}

// forTests are the packages that only tests need, and all below them.
var forTests = []string{"testing", "net/http/httptest", "github.com/google/go-cmp"}

// ofTests returns the packages that are among forTests.
func ofTests(packages []string) (out []string) {
	for _, pkg := range packages {
		if slices.ContainsFunc(forTests,
			func(room string) bool { return pkg == room || strings.HasPrefix(pkg, room+"/") }) {
			out = append(out, pkg)
		}
	}
	return out
}

// TestProgramsLinkNoPackageForTests keeps the fake server free of package testing, which adds flags
// to a program, and of what compares values for tests.
func TestProgramsLinkNoPackageForTests(t *testing.T) {
	t.Parallel()
	if !slices.Contains(ofTests(linked(t, "./pkg/geminitest")), "testing") {
		t.Fatal("pkg/geminitest links no package for tests: this test sees nothing")
	}
	for _, program := range []string{"./server/cmd/gemwire", "./pkg/fakegemini"} {
		if found := ofTests(linked(t, program)); len(found) > 0 {
			t.Errorf("%s links %v", program, found)
		}
	}
}
