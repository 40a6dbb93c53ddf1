package fakegemini_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/failuretest"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// Paths of the methods of a model that signs nothing, and of a model that signs.
const (
	generate   = "/v1beta/models/gemini-2.5-flash:generateContent"
	stream     = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
	listStream = "/v1beta/models/gemini-2.5-flash:streamGenerateContent"
	generate3  = "/v1beta/models/gemini-3.6-flash:generateContent"
	stream3    = "/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse"
)

// toolTurn is a conversation whose last turn is the result of a call.
const toolTurn = `{"contents":[
	{"role":"user","parts":[{"text":"How is the weather?"}]},
	{"role":"model","parts":[{"functionCall":{"id":"c1","name":"get_weather","args":{}}}]},
	{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"get_weather","response":{"degrees": 21}}}]}],
	"tools":[{"functionDeclarations":[{"name":"get_weather"},{"name":"get_time"}]}]}`

// answerTo sends a request and returns the text of the answer.
func answerTo(t *testing.T, srv *geminitest.Server, path, body string) string {
	t.Helper()
	reply, text := post(t, srv, path, body)
	if reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", reply.Status, text)
	}
	response, err := gemini.DecodeResponse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, part := range response.Candidates[0].Content.Parts {
		if part.Text != nil {
			texts = append(texts, *part.Text)
		}
	}
	return strings.Join(texts, "|")
}

// chunks returns the chunks of an answer that is a stream.
func chunks(t *testing.T, body string) []*geminiapi.GenerateContentResponse {
	t.Helper()
	var all []*geminiapi.GenerateContentResponse
	for chunk, err := range gemini.NewStreamReader(strings.NewReader(body)).All() {
		if err != nil {
			t.Fatalf("%v in %q", err, body)
		}
		all = append(all, chunk)
	}
	return all
}

func TestAFixtureAnswersWhatItsMatcherMatchesAndNothingElse(t *testing.T) {
	t.Parallel()
	const hi = `{"contents":[{"role":"user","parts":[{"text":"Hi there"}]}],"systemInstruction":{"parts":[{"text":"Be kind."}]},
		"tools":[{"functionDeclarations":[{"name":"get_time"}]}]}`
	const second = `{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b","thoughtSignature":"c2lnbmVk"}]},{"role":"user","parts":[{"text":"c"}]}]}`
	for name, test := range map[string]struct {
		matcher          geminitest.Matcher
		path, body       string
		otherPath, other string
	}{
		"the model":                {geminitest.Model("gemini-2.5-flash"), generate, hi, generate3, hi},
		"a pattern of models":      {geminitest.Model("gemini-3*"), generate3, hi, generate, hi},
		"one of several models":    {geminitest.Model("x", "*-3.6-*"), generate3, hi, generate, hi},
		"a part of the prompt":     {geminitest.Prompt("there"), generate, hi, generate, hello},
		"the whole prompt":         {geminitest.PromptExactly("Hello"), generate, hello, generate, strings.Replace(hello, "Hello", "Hello.", 1)},
		"only the last prompt":     {geminitest.PromptExactly("c"), generate, second, generate, strings.Replace(second, `"c"`, `"d"`, 1)},
		"the system instruction":   {geminitest.System("kind"), generate, hi, generate, hello},
		"the first turn":           {geminitest.Turn(0), generate, hi, generate, second},
		"a later turn":             {geminitest.Turn(1), generate, second, generate, hi},
		"a tool that is offered":   {geminitest.Tool("get_time"), generate, hi, generate, hello},
		"all tools":                {geminitest.Tool("get_time", "get_weather"), generate, toolTurn, generate, hi},
		"a tool's result":          {geminitest.ToolResult("get_weather"), generate, toolTurn, generate, hi},
		"any result":               {geminitest.ToolResult(""), generate, toolTurn, generate, hi},
		"a result with a content":  {geminitest.ToolResult("get_weather", `"degrees":21`), generate, toolTurn, generate, strings.Replace(toolTurn, "21", "22", 1)},
		"the result of a call":     {geminitest.ToolResultFor("c1"), generate, toolTurn, generate, strings.ReplaceAll(toolTurn, `"c1"`, `"c2"`)},
		"a signature":              {geminitest.Signature("c2lnbmVk"), generate, second, generate, hi},
		"a header":                 {geminitest.Header("Content-Length", fmt.Sprint(len(hello))), generate, hello, generate, hi},
		"a stream":                 {geminitest.Stream(false), generate, hi, stream, hi},
		"the form":                 {geminitest.ResponseMIMEType("application/json"), generate, `{"contents":[{"role":"user","parts":[{"text":"a"}]}],"generationConfig":{"responseMimeType":"application/json"}}`, generate, hi},
		"no form":                  {geminitest.ResponseMIMEType("text/plain"), generate, hi, generate, `{"contents":[{"role":"user","parts":[{"text":"a"}]}],"generationConfig":{"responseMimeType":"application/json"}}`},
		"a function":               {geminitest.Where(func(r *geminitest.Request) bool { return len(r.Body) == len(hello) }), generate, hello, generate, hi},
		"a prompt but not results": {geminitest.Prompt("weather"), generate, `{"contents":[{"role":"user","parts":[{"text":"weather"}]}]}`, generate, toolTurn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On(test.matcher).Reply(geminitest.Text("scripted"))))
			if _, got := post(t, srv, test.path, test.body); !strings.Contains(got, `"scripted"`) {
				t.Errorf("not matched: %s", got)
			}
			if _, got := post(t, srv, test.otherPath, test.other); strings.Contains(got,
				`"scripted"`) {
				t.Errorf("matched: %s", got)
			}
		})
	}
}

func TestPromptWithATurnMatchesToolResultsToo(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("weather"),
			geminitest.Turn(1)).Reply(geminitest.Text("21 degrees")),
	))
	if got := answerTo(t, srv, generate, toolTurn); got != "21 degrees" {
		t.Error(got)
	}
}

func TestTheFirstFixtureThatMatchesAnswers(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("Hello")).Reply(geminitest.Text("first")),
		geminitest.On().Reply(geminitest.Text("second")),
	))
	if got := answerTo(t, srv, generate, hello); got != "first" {
		t.Error(got)
	}
	if got := answerTo(t, srv, generate,
		strings.Replace(hello, "Hello", "Bye", 1)); got != "second" {
		t.Error(got)
	}
}

func TestSeveralAnswersAreGivenOnceEachAndOneForEver(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.Text("a")).Reply(geminitest.Text("b")),
		geminitest.On().Reply(geminitest.Text("c")).Times(2),
		geminitest.On().Reply(geminitest.Text("d")).Reply(geminitest.Text("e")).Times(3),
		geminitest.On().Reply(geminitest.Text("f")),
	))
	var got []string
	for range 10 {
		got = append(got, answerTo(t, srv, generate, hello))
	}
	if diff := cmp.Diff(strings.Fields("a b c c d e e f f f"), got); diff != "" {
		t.Error(diff)
	}
}

func TestRequestsAtTheSameTimeGetEachAnswerOnce(t *testing.T) {
	t.Parallel()
	fixture, want := geminitest.On(), make(map[string]bool)
	for i := range 20 {
		text := fmt.Sprint("answer ", i)
		want[text], fixture = true, fixture.Reply(geminitest.Text(text))
	}
	srv := geminitest.NewServer(t, geminitest.WithScript(fixture), geminitest.WithAllFixturesUsed())
	answers := make(chan string, 20)
	for range 20 {
		go func() { answers <- answerTo(t, srv, generate, hello) }()
	}
	got := make(map[string]bool)
	for range 20 {
		got[<-answers] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBlocksKeepTheirOrderWholeAndStreamed(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Thought("Let me ", "think."),
		geminitest.Call("get_time", `{"zone": "UTC"}`),
		geminitest.Text("It is ", "late"),
		geminitest.Signed("c2lnbmVk", geminitest.Text(".")),
		geminitest.Image("image/png", []byte("png")),
		geminitest.Grounding(&geminiapi.GroundingMetadata{WebSearchQueries: []string{"time"}}),
		geminitest.Part(geminiapi.Part{ExecutableCode: &geminiapi.ExecutableCode{Code: new("1")}}),
		geminitest.Finish(geminiapi.FinishReasonMaxTokens),
	)))
	want := `[{"text":"Let me think.","thought":true},{"functionCall":{"args":{"zone":"UTC"},"name":"get_time"}},{"text":"It is late"},` +
		`{"text":".","thoughtSignature":"c2lnbmVk"},{"inlineData":{"mimeType":"image/png","data":"cG5n"}},{"executableCode":{"code":"1"}}]`
	_, whole := post(t, srv, generate, hello)
	response, err := gemini.DecodeResponse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	candidate := response.Candidates[0]
	if diff := cmp.Diff(want, compact(t, candidate.Content.Parts)); diff != "" {
		t.Error(diff)
	}
	if *candidate.FinishReason != geminiapi.FinishReasonMaxTokens ||
		candidate.GroundingMetadata == nil {
		t.Error(whole)
	}
	_, streamed := post(t, srv, stream, hello)
	var parts []geminiapi.Part
	all := chunks(t, streamed)
	for _, chunk := range all {
		parts = append(parts, chunk.Candidates[0].Content.Parts...)
	}
	if len(all) != 8 || len(parts) != 8 || *parts[1].Text != "think." || *parts[4].Text != "late" {
		t.Errorf("%d chunks: %s", len(all), streamed)
	}
	if all[6].Candidates[0].GroundingMetadata == nil || all[6].Candidates[0].FinishReason != nil ||
		all[7].Candidates[0].FinishReason == nil {
		t.Error(streamed)
	}
}

func TestJSONIsATextInOnePiece(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.ChunkTokens(100),
			geminitest.JSON(`{"a": 1}`))))
	if got := answerTo(t, srv, generate, hello); got != `{"a": 1}` {
		t.Error(got)
	}
}

func TestReportsGoToAFunctionByOption(t *testing.T) {
	t.Parallel()
	var reported atomic.Value
	srv := geminitest.NewServer(t, geminitest.WithStrict(),
		geminitest.WithReport(func(text string) { reported.Store(text) }))
	post(t, srv, generate, hello)
	if text, _ := reported.Load().(string); !strings.Contains(text,
		"no fixture of the script matches") {
		t.Error(text)
	}
}

func TestAnAnswerMayOnlyFinish(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Finish(geminiapi.FinishReasonSafety))))
	for _, path := range []string{generate, stream, generate3, stream3} {
		_, got := post(t, srv, path, hello)
		candidate := responseOf(t, path, got).Candidates[0]
		if candidate.Content != nil || *candidate.FinishReason != geminiapi.FinishReasonSafety {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestAChunkIsSentAsTheScriptHasIt(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.Chunk(`{"candidates": [], "new": 1}`),
			geminitest.Chunk(`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"x"}]}}]}`)),
		geminitest.On(geminitest.Operation("countTokens")).Reply(
			geminitest.Chunk(`{"totalTokens": 4711}`)),
	))
	if _, got := post(t, srv, stream, hello); !strings.HasPrefix(got,
		"data: {\"candidates\": [],\"new\": 1}\r\n\r\ndata: {") {
		t.Errorf("%q", got)
	}
	if _, got := post(t, srv, "/v1beta/models/gemini-2.5-flash:countTokens",
		hello); got != "{\n  \"totalTokens\": 4711\n}\n" {
		t.Errorf("%q", got)
	}
}

func TestAStreamComesAsAListWithoutSSE(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a", "b"))))
	_, got := post(t, srv, listStream, hello)
	if all := chunks(t, got); len(all) != 2 || !strings.HasPrefix(got, "[{\n") ||
		!strings.HasSuffix(got, "]") {
		t.Errorf("%q", got)
	}
}

func TestAStreamKeepsTheTimesOfTheScript(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		blocks []geminitest.Block
		want   []time.Duration
	}{
		"pauses": {
			[]geminitest.Block{geminitest.TTFT(time.Second), geminitest.Text("a"),
				geminitest.Pause(2 * time.Second), geminitest.Text("b", "c")},
			[]time.Duration{time.Second, 3 * time.Second, 3 * time.Second},
		},
		"tokens a second": {
			[]geminitest.Block{geminitest.Pace(2, 0),
				geminitest.Text("a", strings.Repeat("b", 16), strings.Repeat("c", 8))},
			[]time.Duration{0, 2 * time.Second, 3 * time.Second},
		},
		"chunks of tokens": {
			[]geminitest.Block{geminitest.Pace(1, 0), geminitest.ChunkTokens(2),
				geminitest.Text("one two three four")},
			[]time.Duration{0, 2500 * time.Millisecond},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(test.blocks...)))
				if got := chunkTimes(t, srv); cmp.Diff(test.want, got) != "" {
					t.Errorf("got %v, want %v", got, test.want)
				}
			})
		})
	}
}

// chunkTimes returns the arrival times of the chunks of a stream.
func chunkTimes(t *testing.T, srv *geminitest.Server) []time.Duration {
	t.Helper()
	start := time.Now()
	body := open(t, srv, stream, hello)
	defer body.Close()
	var times []time.Duration
	for _, err := range gemini.NewStreamReader(body).All() {
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	return times
}

// open sends a request and returns the body of the answer.
func open(t *testing.T, srv *geminitest.Server, path, body string) io.ReadCloser {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		"https://gemini.example"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Goog-Api-Key", "secret")
	reply, err := srv.HTTPClient().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Body
}

func TestJitterFollowsFromTheSeed(t *testing.T) {
	t.Parallel()
	times := func(seed uint64) (got []time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			srv := geminitest.NewServer(t, geminitest.WithSeed(seed), geminitest.WithScript(
				geminitest.On().Reply(geminitest.Pace(10, 0.5),
					geminitest.Text("aaaa", "bbbb", "cccc", "dddd"))))
			got = chunkTimes(t, srv)
		})
		return got
	}
	first, again, other := times(1), times(1), times(2)
	if cmp.Diff(first, again) != "" || cmp.Diff(first, other) == "" {
		t.Errorf("%v, %v and with another seed %v", first, again, other)
	}
	for i := range 3 {
		if wait := first[i+1] - first[i]; wait < 50*time.Millisecond ||
			wait > 150*time.Millisecond {
			t.Errorf("wait %d is %v", i, wait)
		}
	}
}

func TestChancesFollowFromTheSeed(t *testing.T) {
	t.Parallel()
	failed := func(seed uint64) string {
		srv := geminitest.NewServer(t, geminitest.WithSeed(seed), geminitest.WithScript(
			geminitest.On(geminitest.Chance(0.3)).Reply(geminitest.Unavailable()),
			geminitest.On().Reply(geminitest.Text("fine")),
		))
		var pattern strings.Builder
		for range 100 {
			reply, _ := post(t, srv, generate, hello)
			pattern.WriteByte("_x"[min(reply.StatusCode/500, 1)])
		}
		return pattern.String()
	}
	first := failed(1)
	if n := strings.Count(first, "x"); n < 15 || n > 45 {
		t.Errorf("%d of 100 failed", n)
	}
	if first != failed(1) || first == failed(2) {
		t.Error("the seed does not decide")
	}
}

func TestStrictRefusesWhatNoFixtureMatchesAndNamesTheNearest(t *testing.T) {
	t.Parallel()
	test := &failuretest.Recorder{TB: t}
	srv := geminitest.NewServer(test, geminitest.WithStrict(), geminitest.WithScript(
		geminitest.On(geminitest.Prompt("snow"), geminitest.Model("gemini-3*"),
			geminitest.Turn(2)).Reply(geminitest.Text("x")),
		geminitest.On(geminitest.Prompt("rain"),
			geminitest.Model("gemini-2.5-flash")).Named("rain").Reply(geminitest.Text("x")),
	))
	defer test.End()
	reply, got := post(t, srv, generate, hello)
	failure := gemini.DecodeError(reply.StatusCode, reply.Header, []byte(got))
	if failure.HTTPStatus != 400 || failure.Status != geminiapi.ErrorStatusFailedPrecondition ||
		failure.Reason() != "NO_FIXTURE_MATCHES" {
		t.Errorf("%#v", failure)
	}
	want := `no fixture of the script matches generateContent of gemini-2.5-flash with the prompt "Hello", turn 0; the nearest is fixture 2 (rain):
  prompt: want a text with "rain", got "Hello"`
	if test.Text() != "geminitest: "+want || failure.Message != "fakegemini: "+want {
		t.Errorf("got\n%s\n%s\nwant\n%s", failure.Message, test.Text(), want)
	}
}

func TestStrictSaysWhenTheAnswersAreUsedUp(t *testing.T) {
	t.Parallel()
	test := &failuretest.Recorder{TB: t}
	srv := geminitest.NewServer(test, geminitest.WithStrict(),
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("x")).Times(1)))
	defer test.End()
	answerTo(t, srv, generate, hello)
	if _, got := post(t, srv, generate, hello); !strings.Contains(got,
		"no answers left (1 given)") || test.Text() == "" {
		t.Error(got, test.Text())
	}
}

func TestStrictSaysWhenAChanceDidNotComeUp(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithStrict(), geminitest.WithReport(func(string) {}),
		geminitest.WithScript(
			geminitest.On(geminitest.Chance(0)).Reply(geminitest.Text("x")).Times(0)))
	if _, got := post(t, srv, generate, hello); !strings.Contains(got,
		"its chance did not match this time") {
		t.Error(got)
	}
}

func TestADifferenceSaysWhatWasWantedAndWhatCame(t *testing.T) {
	t.Parallel()
	for want, matcher := range map[string]geminitest.Matcher{
		`operation: want countTokens, got generateContent`: geminitest.Operation("countTokens"),
		`stream: want true, got false`:                     geminitest.Stream(true),
		`model: want gemini-3* or x, got gemini-2.5-flash`: geminitest.Model("gemini-3*",
			"x"),
		`prompt: want a text with "rain", got "How is the weather?"`:                                      geminitest.Prompt("rain"),
		`prompt: want exactly "weather", got "How is the weather?"`:                                       geminitest.PromptExactly("weather"),
		`prompt: want a turn of the user, got a turn of tool results (toolResult or turn would match it)`: geminitest.Prompt("weather"),
		`system: want a text with "kind", got ""`:                                                         geminitest.System("kind"),
		`turn: want 0, got 1`: geminitest.Turn(0),
		`tool: want get_rain, got get_weather, get_time`: geminitest.Tool("get_rain",
			"get_time"),
		`toolResult: want a result of get_rain, got get_weather "{\"degrees\":21}"`: geminitest.ToolResult("get_rain"),
		`toolResult: want a result of get_weather that is a text with "1" and a text with "2x", got get_weather "{\"degrees\":21}"`: geminitest.ToolResult("get_weather",
			"1", "2x"),
		`toolResult: want a result for the call c2, got get_weather "{\"degrees\":21}"`: geminitest.ToolResultFor("c2"),
		`responseMimeType: want application/json, got text/plain`:                       geminitest.ResponseMIMEType("application/json"),
		`signature: want c2lnbmVk, got none`:                                            geminitest.Signature("c2lnbmVk"),
		`header X-Tenant: want exactly "acme", got none`: geminitest.Header("X-Tenant",
			"acme"),
		`header X-Goog-Api-Key: want exactly "acme", got REDACTED`: geminitest.Header("X-Goog-Api-Key",
			"acme"),
		`func: want true, got false`: geminitest.Where(
			func(*geminitest.Request) bool { return false }),
	} {
		test := &failuretest.Recorder{TB: t}
		srv := geminitest.NewServer(test)
		post(t, srv, generate, toolTurn)
		srv.AssertCalled(matcher)
		test.End()
		if !strings.Contains(test.Text()+"\n", "\n    "+want+"\n") {
			t.Errorf("got %s\nwant %s", test.Text(), want)
		}
	}
}

func TestStrictLeavesOtherMethodsAlone(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithStrict())
	post(t, srv, "/v1beta/models/gemini-2.5-flash:countTokens", hello)
}

func TestAScriptedAnswerComesAfterTheChecksOfTheRealServer(t *testing.T) {
	t.Parallel()
	const wrong = `{"contents":[{"role":"user","parts":[{"text":"Hello"}]}],"temprature":1}`
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Turn(0),
			geminitest.Stream(true)).Unchecked().Reply(geminitest.Text("x")),
		geminitest.On().Reply(geminitest.Text("x")),
	))
	if reply, got := post(t, srv, generate, wrong); reply.StatusCode != 400 ||
		!strings.Contains(got, "Unknown name") {
		t.Error(got)
	}
	if reply, got := post(t, srv, stream, wrong); reply.StatusCode != 200 {
		t.Error(got)
	}
	srv = geminitest.NewServer(t, geminitest.WithoutValidation(),
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("x"))))
	if reply, got := post(t, srv, generate, wrong); reply.StatusCode != 200 {
		t.Error(got)
	}
	srv = geminitest.NewServer(t, geminitest.WithAPIKeys("another"),
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("x"))))
	if _, got := post(t, srv, generate, hello); !strings.Contains(got, "API_KEY_INVALID") {
		t.Error(got)
	}
}

func TestAScriptFileAnswersAsTheSameScriptInGo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "script.yaml")
	write(t, path, "strict: true\nfixtures:\n- match: {prompt: Hello}\n  reply: [{text: [a, b]}, {call: {name: f, args: {x: 1}}}]\n")
	inFile := geminitest.NewServer(t, geminitest.WithScriptFile(path))
	inGo := geminitest.NewServer(t, geminitest.WithStrict(), geminitest.WithScript(
		geminitest.On(geminitest.Prompt("Hello")).Reply(geminitest.Text("a", "b"),
			geminitest.Call("f", `{"x":1}`))))
	for _, path := range []string{generate, stream, generate3, stream3} {
		_, first := post(t, inFile, path, hello)
		_, second := post(t, inGo, path, hello)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAScriptFileMatchesByAnExpression(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "script.yaml")
	write(t, path, "strict: true\nfixtures:\n- match: {prompt: {regexp: '^H\\w{4}$'}}\n  reply: matched\n")
	var reports []string
	srv := geminitest.NewServer(t, geminitest.WithScriptFile(path),
		geminitest.WithReport(func(text string) { reports = append(reports, text) }))
	if got := answerTo(t, srv, generate, hello); got != "matched" || reports != nil {
		t.Error(got, reports)
	}
	post(t, srv, generate, strings.Replace(hello, "Hello", "Hi", 1))
	if len(reports) != 1 ||
		!strings.Contains(reports[0], `prompt: want a text like "^H\\w{4}$", got "Hi"`) {
		t.Error(reports)
	}
}

func TestAScriptThatCannotBeUsedIsAnErrorOfTheHandler(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "script.yaml")
	write(t, path, "fixtures:\n- match: {promt: Hello}\n  reply: x\n")
	for name, test := range map[string]struct {
		option geminitest.Option
		want   string
	}{
		"no file":           {geminitest.WithScriptFile(path + ".none"), "no such file"},
		"a mistake":         {geminitest.WithScriptFile(path), `script.yaml: script: line 2: /fixtures/0/match/promt: match has no "promt"; did you mean "prompt"?`},
		"a nil fixture":     {geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a")), nil), "fakegemini: fixture 1 of WithScript is nil"},
		"no reply":          {geminitest.WithScript(geminitest.On()), "fakegemini: /fixtures/0: the fixture has no reply"},
		"an empty reply":    {geminitest.WithScript(geminitest.On().Reply()), "fakegemini: /fixtures/0/replies/0: the answer is empty"},
		"args that are not": {geminitest.WithScript(geminitest.On().Reply(geminitest.Call("f", "[]"))), "/fixtures/0/replies/0/blocks/0: the args of a call must be an object"},
		"args that break off": {geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a"),
			geminitest.Call("f", "{city"))),
			"fakegemini: /fixtures/0/replies/0/blocks/1/call/args: invalid character 'c' at start of string"},
		"no JSON": {geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a")),
			geminitest.On().Reply(geminitest.JSON(`{"a":`))),
			"fakegemini: /fixtures/1/replies/0/blocks/0/json"},
		"nothing as JSON": {geminitest.WithScript(geminitest.On().Reply(geminitest.JSON(""))), "/blocks/0/json: "},
		"a part whose arguments break off": {geminitest.WithScript(geminitest.On().Reply(geminitest.Part(geminiapi.Part{
			FunctionCall: &geminiapi.FunctionCall{Name: new("f"), Args: []byte("{")}}))),
			"/blocks/0/part/functionCall/args: "},
		"a text of bytes": {geminitest.WithScript(geminitest.On().Reply(geminitest.Text("\xff"))), "/blocks/0/text: invalid UTF-8"},
		"a text as an error": {geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a"),
			geminitest.AsEvent(geminitest.Text("b")))),
			"fakegemini: /fixtures/0/replies/0/blocks/1: only an error of the API can be sent as an event"},
		"an end as an error": {geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a"),
			geminitest.AsEvent(geminitest.Finish("STOP")))),
			"only an error of the API can be sent as an event"},
		"a page as an event": {geminitest.WithScript(geminitest.On().Reply(geminitest.AsEvent(geminitest.HTMLPage(200)))), "the fault html does not accept asEvent"},
		"an end that is signed": {geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a"),
			geminitest.Signed("s", geminitest.Finish("STOP")))),
			"fakegemini: /fixtures/0/replies/0/blocks/1: want one of text"},
		"a negative pace": {geminitest.WithScript(geminitest.On().Reply(geminitest.Pace(-1, 0), geminitest.Text("a"))), "tokensPerSecond must not be negative"},
	} {
		if _, err := fakegemini.NewHandler(test.option); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func compact(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPromptMatchesTheTextsOfEmbeddings(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Operation("embedContent"),
			geminitest.Prompt("cat")).Reply(geminitest.Chunk(`{"embedding": {"values": [1]}}`)),
		geminitest.On(geminitest.Operation("batchEmbedContents"),
			geminitest.Prompt("dog")).Reply(geminitest.Chunk(`{"embeddings": [{"values": [2]}]}`)),
	))
	if _, got := post(t, srv, "/v1beta/models/gemini-embedding-001:embedContent",
		`{"content":{"parts":[{"text":"a cat"}]}}`); !strings.Contains(got, "values") {
		t.Error(got)
	}
	if _, got := post(t, srv, "/v1beta/models/gemini-embedding-001:batchEmbedContents",
		`{"requests":[{"content":{"parts":[{"text":"a cat"}]}},{"content":{"parts":[{"text":"a dog"}]}}]}`); !strings.Contains(got,
		"2") {
		t.Error(got)
	}
}

func TestFaultsOfAListAreNoAnswer(t *testing.T) {
	t.Parallel()
	for name, blocks := range map[string][]geminitest.Block{
		"an error in front":   {geminitest.Unavailable()},
		"an error after":      {geminitest.Text("a"), geminitest.Unavailable()},
		"an error as element": {geminitest.Text("a"), geminitest.AsEvent(geminitest.Unavailable())},
		"a cut":               {geminitest.Text("a"), geminitest.Cut()},
		"an early end":        {geminitest.Text("a"), geminitest.Truncate()},
		"garbage":             {geminitest.Text("a"), geminitest.Garbage()},
		"a page":              {geminitest.HTMLPage(200)},
		"nothing":             {geminitest.EmptyBody(200)},
	} {
		srv := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(blocks...)))
		body := open(t, srv, listStream, hello)
		var failed error
		for _, err := range gemini.NewStreamReader(body).All() {
			if err != nil {
				failed = err
			}
		}
		body.Close()
		if failed == nil {
			t.Errorf("%s is an answer", name)
		}
	}
}
