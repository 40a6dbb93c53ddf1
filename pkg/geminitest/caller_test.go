package geminitest_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
)

// failsOnPurpose is set for the process in which [TestFailing] runs.
const failsOnPurpose = "GEMINITEST_FAIL"

// TestFailing fails in every way in which the package fails a test, in the process that the test
// below starts. Each marked line fails once, and no other line fails.
func TestFailing(t *testing.T) {
	t.Parallel()
	if os.Getenv(failsOnPurpose) == "" {
		t.Skip("only for the test below")
	}
	fixture := geminitest.On().Reply(geminitest.Text("x"))
	for name, fail := range map[string]func(*testing.T, *geminitest.Server){
		"CheckRequest": func(t *testing.T,
			_ *geminitest.Server) {
			geminitest.CheckRequest(t, []byte(`{}`), "") // fails
		},
		"CheckRequest, no JSON": func(t *testing.T,
			_ *geminitest.Server) {
			geminitest.CheckRequest(t, []byte(`{`), "") // fails
		},
		"CheckResponse": func(t *testing.T,
			_ *geminitest.Server) {
			geminitest.CheckResponse(t, []byte(`{}`)) // fails
		},
		"CheckStream": func(t *testing.T,
			_ *geminitest.Server) {
			geminitest.CheckStream(t, []byte(`[{}]`)) // fails
		},
		"AssertCalled": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.AssertCalled() // fails
		},
		"AssertCalled, a nil matcher": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.AssertCalled(nil) // fails
		},
		"AssertNotCalled": func(t *testing.T, srv *geminitest.Server) {
			answerTo(t, srv, generate, hello)
			srv.AssertNotCalled() // fails
		},
		"AssertCalls": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.AssertCalls(2) // fails
		},
		"AssertScriptUsed": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.AssertScriptUsed() // fails
		},
		"AddFixtures": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.AddFixtures(nil) // fails
		},
		"Client": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.Close()
			srv.Client() // fails
		},
		"HTTPClient": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.Close()
			srv.HTTPClient() // fails
		},
		"URL": func(_ *testing.T,
			srv *geminitest.Server) {
			srv.Close()
			srv.URL() // fails
		},
		"NewServer, a nil option": func(t *testing.T,
			_ *geminitest.Server) {
			geminitest.NewServer(t, nil) // fails
		},
		"NewServer, no script": func(t *testing.T,
			_ *geminitest.Server) {
			geminitest.NewServer(t, geminitest.WithScriptFile("none")) // fails
		},
		"WithAllFixturesUsed, at the end of the test": func(t *testing.T, _ *geminitest.Server) {
			geminitest.NewServer(t, geminitest.WithAllFixturesUsed(), // fails
				geminitest.WithScript(fixture))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fail(t, geminitest.NewServer(t, geminitest.WithScript(fixture)))
		})
	}
}

func TestAFailurePointsAtTheLineOfTheCaller(t *testing.T) {
	t.Parallel()
	var want []string
	for i, line := range strings.Split(read(t, "caller_test.go"), "\n") {
		if strings.HasSuffix(line, " // fails") {
			want = append(want, fmt.Sprintf("caller_test.go:%d:", i+1))
		}
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFailing$")
	cmd.Env = append(os.Environ(), failsOnPurpose+"=1")
	out, err := cmd.CombinedOutput()
	got := regexp.MustCompile(`(?m)\w+\.go:\d+:`).FindAllString(string(out), -1)
	slices.Sort(want)
	slices.Sort(got)
	if err == nil || !slices.Equal(got, want) {
		t.Errorf("%v: failures at %v, want %v in\n%s", err, got, want, out)
	}
}
