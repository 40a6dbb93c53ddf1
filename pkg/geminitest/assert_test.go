package geminitest_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/failuretest"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// asked returns a server that received two requests, one of them with a tool's result.
func asked(t *testing.T) (*geminitest.Server, *failuretest.Recorder) {
	t.Helper()
	test := &failuretest.Recorder{TB: t}
	srv := geminitest.NewServer(test,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("x")).Reply(geminitest.Text("y")).Reply(geminitest.Text("z"))))
	t.Cleanup(test.End)
	answerTo(t, srv, generate, hello)
	answerTo(t, srv, generate, toolTurn)
	return srv, test
}

func TestAssertionsHoldForWhatCame(t *testing.T) {
	t.Parallel()
	srv, test := asked(t)
	srv.AssertCalled()
	srv.AssertCalled(geminitest.Prompt("Hello"), geminitest.Model("gemini-2.5-flash"))
	srv.AssertCalled(geminitest.ToolResult("get_weather", "21"))
	srv.AssertCalls(2)
	srv.AssertCalls(1, geminitest.Turn(1))
	srv.AssertNotCalled(geminitest.Signature("c2lnbmVk"))
	srv.AssertNotCalled(geminitest.Stream(true))
	if test.Text() != "" {
		t.Error(test.Text())
	}
}

func TestAssertionsThatFailShowWhatCame(t *testing.T) {
	t.Parallel()
	const both = `:
  request 1: generateContent of gemini-2.5-flash with the prompt "Hello", turn 0, as expected
  request 2: generateContent of gemini-2.5-flash with the prompt "How is the weather?", turn 1 and the result of get_weather "{\"degrees\":21}"
    turn: want 0, got 1`
	for name, test := range map[string]struct {
		assert func(*geminitest.Server)
		want   string
	}{
		"none": {
			func(srv *geminitest.Server) { srv.AssertCalled(geminitest.Tool("get_rain")) },
			`geminitest: no request matched:
  request 1: generateContent of gemini-2.5-flash with the prompt "Hello", turn 0
    tool: want get_rain, got none
  request 2: generateContent of gemini-2.5-flash with the prompt "How is the weather?", turn 1 and the result of get_weather "{\"degrees\":21}"
    tool: want get_rain, got get_weather, get_time`,
		},
		"one too many": {
			func(srv *geminitest.Server) { srv.AssertNotCalled(geminitest.Turn(0)) },
			"geminitest: unexpected requests: 1" + both,
		},
		"another number": {
			func(srv *geminitest.Server) { srv.AssertCalls(3, geminitest.Turn(0)) },
			"geminitest: matching requests: 1, want 3" + both,
		},
		"a script that is left": {
			(*geminitest.Server).AssertScriptUsed,
			"geminitest: the script is not used up:\n  fixture 1 answered 2 of 3 requests",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, failed := asked(t)
			test.assert(srv)
			if failed.Text() != test.want {
				t.Errorf("got\n%s\nwant\n%s", failed.Text(), test.want)
			}
		})
	}
}

func TestAssertionsSayThatNothingCame(t *testing.T) {
	t.Parallel()
	test := &failuretest.Recorder{TB: t}
	srv := geminitest.NewServer(test)
	srv.AssertCalled()
	test.End()
	if test.Text() != "geminitest: no request matched: no request was received" {
		t.Error(test.Text())
	}
}

func TestRequestsHoldNoKey(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	post(t, srv, generate+"?key=s3cretInTheQuery", hello)
	request := srv.Requests()[0]
	for _, text := range []string{request.URL.String(),
		strings.Join(request.Header.Values("X-Goog-Api-Key"), "")} {
		if strings.Contains(text, "secret") || strings.Contains(text, "s3cret") ||
			!strings.Contains(text, "REDACTED") {
			t.Error(text)
		}
	}
	if request.Model != "gemini-2.5-flash" || request.Operation != "generateContent" ||
		request.Stream || string(request.Body) != hello ||
		*request.Content.Contents[0].Parts[0].Text != "Hello" || request.Time.IsZero() {
		t.Errorf("%+v", request)
	}
}
