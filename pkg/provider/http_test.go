package provider_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// reply is a server's answer to every request.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r reply) Do(*http.Request) (*http.Response, error) {
	if r.status == 0 {
		return nil, errors.New("connection refused")
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for name, values := range r.header {
		header[name] = values
	}
	return &http.Response{StatusCode: r.status, Header: header,
		Body: io.NopCloser(strings.NewReader(r.body)), ContentLength: -1}, nil
}

// overHTTP returns a provider with the real client, which makes one attempt.
func overHTTP(t *testing.T, server gemini.Doer, opts ...provider.Option) *provider.Provider {
	t.Helper()
	client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithHTTPClient(server),
		gemini.WithMaxAttempts(1),
		gemini.WithBaseURL("https://api.test.example"))
	if err != nil {
		t.Fatal(err)
	}
	return provider.New(client, opts...)
}

// completed starts a request and returns its completion.
func completed(t *testing.T, p *provider.Provider) string {
	t.Helper()
	var got calls
	call, err := p.StartRequest(t.Context(), request, got.done)
	if err != nil {
		t.Fatal(err)
	}
	<-call.Done()
	return strings.Join(got.all(), "\n")
}

// streamed starts a stream and returns its callbacks.
func streamed(t *testing.T, p *provider.Provider) []string {
	t.Helper()
	var got calls
	call, err := p.StartStream(t.Context(), request, got.event, got.done)
	if err != nil {
		t.Fatal(err)
	}
	<-call.Done()
	return got.all()
}

func TestAReplyOfFailureIsACompletionByItsStatus(t *testing.T) {
	t.Parallel()
	message := func(text string) string { return fmt.Sprintf(`{"error":{"message":%q}}`, text) }
	tests := []struct {
		name   string
		status int
		body   string
		want   string // category and message
	}{
		{"bad request", 400, message("m"), "invalid_arg 400: m"},
		{"unauthorized", 401, message("m"), "auth 401: m"},
		{"forbidden", 403, message("m"), "auth 403: m"},
		{"not found", 404, message("m"), "not_found 404: m"},
		{"too many", 429, message("m"), "rate_limit 429: m"},
		{"internal", 500, message("m"), "server 500: m"},
		{"bad gateway", 502, message("m"), "server 502: m"},
		{"unavailable", 503, message("m"), "server 503: m"},
		{"gateway timeout", 504, message("m"), "timeout 504: m"},
		{"teapot", 418, message("m"), "unknown 418: m"},
		{"the status decides, not the body's", 403, `{"error":{"code":403,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}`, "auth 403: Quota exceeded"},
		{"a wrong key", 400, `{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`, "auth 400: API key not valid."},
		{"an empty message", 500, message(""), "server 500: "},
		{"no body", 500, "", "server HTTP 500"},
		{"no JSON", 500, "not json", "server HTTP 500"},
		{"a list", 500, `["not an object"]`, "server HTTP 500"},
		{"another object", 500, `{"different_field":"value"}`, "server HTTP 500"},
		{"no message", 500, `{"error":{"code":123}}`, "server HTTP 500"},
		{"a number for a message", 500, `{"error":{"message":123}}`, "server HTTP 500"},
		{"null for a message", 500, `{"error":{"message":null}}`, "server HTTP 500"},
		{"a text for an error", 500, `{"error":"string instead of object"}`, "server HTTP 500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := overHTTP(t, reply{status: test.status, body: test.body})
			want := fmt.Sprintf("failure %d %s retry -1", test.status, test.want)
			if diff := cmp.Diff(want, completed(t, p)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"error " + test.want, want}, streamed(t, p)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheCompletionSaysWhenToTryAgain(t *testing.T) {
	t.Parallel()
	delay := func(value string) string { return `{"error":{"message":"m"},"retryDelay":` + value + `}` }
	tests := map[string]struct {
		body   string
		header string
		want   int64
	}{
		"seconds":       {delay(`"60s"`), "", 60000},
		"other seconds": {delay(`"30s"`), "", 30000},
		"fractions":     {delay(`"45.837906927s"`), "", 45838},
		"in the error":  {`{"error":{"message":"m","retryDelay":"7s"}}`, "", 7000},
		"in RetryInfo":  {`{"error":{"message":"m","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3.5s"}]}}`, "", 3500},
		"in the header": {`{"error":{"message":"m"}}`, "12", 12000},
		"missing":       {`{"error":{"message":"m"}}`, "", -1},
		"no JSON":       {"m", "", -1},
		"no body":       {"", "", -1},
		"a number":      {delay("123"), "", -1},
		"a word":        {delay(`"abc"`), "", -1},
		"below zero":    {delay(`"-10s"`), "", -1},
		"zero":          {delay(`"0s"`), "", -1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := reply{status: 429, body: test.body, header: http.Header{}}
			if test.header != "" {
				server.header.Set("Retry-After", test.header)
			}
			call, err := overHTTP(t, server).StartRequest(t.Context(), request,
				func(_ *provider.Call, c provider.Completion) {
					if c.RetryAfterMS != test.want || c.Category != normalize.CategoryRateLimit {
						t.Errorf("%+v", c)
					}
				})
			if err != nil {
				t.Fatal(err)
			}
			<-call.Done()
		})
	}
}

func TestAnAnswerIsACompletion(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ body, want string }{
		"a text":                     {`{"candidates":[{"content":{"parts":[{"text":"Hello world"}]},"finishReason":"STOP"}]}`, `success 200 "Hello world" stop retry -1`},
		"no candidates":              {`{"candidates":[],"usageMetadata":{"totalTokenCount":0}}`, `success 200 "" unknown retry -1`},
		"a filtered answer":          {`{"candidates":[{"finishReason":"SAFETY"}]}`, `success 200 "" content_filter retry -1`},
		"a call that is malformed":   {`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}`, `success 200 "" error retry -1`},
		"the lowest index first":     {`{"candidates":[{"index":1,"content":{"parts":[{"text":"other"}]}},{"index":0,"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}`, `success 200 "Hi" stop retry -1`},
		"a refused prompt":           {`{"promptFeedback":{"blockReason":"SAFETY"}}`, "failure 200 content_filter Prompt blocked: SAFETY retry -1"},
		"a refusal without one":      {`{"promptFeedback":{"blockReason":null}}`, "failure 200 content_filter Prompt blocked: Unknown reason retry -1"},
		"feedback that is invalid":   {`{"promptFeedback":{"other":"x"},"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}`, `success 200 "Hi" unknown retry -1`},
		"members of other types":     {`{"modelVersion":123,"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}`, `success 200 "Hi" stop retry -1`},
		"candidates of another type": {`{"candidates":"not an array"}`, `success 200 "" unknown retry -1`},
		"parts of another type":      {`{"candidates":[{"content":{"parts":"not an array"},"finishReason":"STOP"}]}`, `success 200 "" stop retry -1`},
		"no content":                 {`{"candidates":[{"finishReason":"STOP"}]}`, `success 200 "" stop retry -1`},
		"no object":                  {`[]`, "failure 200 unknown Root is not an object: offset 0: an object was expected, found a list retry -1"},
		"no JSON":                    {`not valid json`, "failure 200 unknown Invalid JSON response: not valid json retry -1"},
		"no JSON in braces":          {`{invalid json`, "failure 200 unknown Invalid JSON response: offset 1: not JSON retry -1"},
		"a page":                     {`<html><title>Sign in</title></html>`, "failure 200 unknown Invalid JSON response: Sign in retry -1"},
		"an error in its place":      {`{"error":{"code":403,"message":"API key invalid","status":"PERMISSION_DENIED"}}`, "failure 200 auth 403: API key invalid retry -1"},
		"a text that is invalid":     {`{"candidates":[{"content":{"parts":[{"text":42}]}}]}`, "failure 200 unknown /candidates/0/content/parts/0/text: Part 'text' is not a string retry -1"},
		"a call without a name":      {`{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}`, "failure 200 unknown /candidates/0/content/parts/0/functionCall: functionCall missing 'name' field retry -1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want,
				completed(t, overHTTP(t, reply{status: 200, body: test.body}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNoReplyIsAFailureOfTheNetwork(t *testing.T) {
	t.Parallel()
	p := overHTTP(t, reply{})
	for _, line := range append(streamed(t, p), completed(t, p)) {
		if strings.Contains(line, "start") || !strings.Contains(line, "connection refused") {
			t.Error(line)
		}
	}
}

func TestFinishReasonsOfAStream(t *testing.T) {
	t.Parallel()
	for native, want := range map[string]normalize.FinishReason{
		"STOP": "stop", "MAX_TOKENS": "length",
		"SAFETY": "content_filter", "BLOCKLIST": "content_filter",
		"PROHIBITED_CONTENT": "content_filter",
		"IMAGE_SAFETY":       "content_filter", "IMAGE_PROHIBITED_CONTENT": "content_filter",
		"RECITATION":              "content_filter",
		"MALFORMED_FUNCTION_CALL": "error", "UNEXPECTED_TOOL_CALL": "error",
		"UNKNOWN": "unknown", "UNKNOWN_REASON": "unknown", "stop": "stop",
	} {
		body := sse(fmt.Sprintf(`{"candidates":[{"finishReason":%q}]}`, native))
		for event := range overHTTP(t, reply{status: 200, body: body}).Stream(t.Context(),
			request) {
			if event.Type == normalize.EventDone && event.FinishReason != want {
				t.Errorf("%s is %s", native, event.FinishReason)
			}
		}
	}
}

// sse writes chunks as an event stream.
func sse(chunks ...string) string {
	var b strings.Builder
	for _, chunk := range chunks {
		fmt.Fprintf(&b, "data: %s\r\n\r\n", strings.ReplaceAll(chunk, "\n", " "))
	}
	return b.String()
}

// part is a chunk with parts.
func parts(parts string) string { return `{"candidates":[{"content":{"parts":[` + parts + `]}}]}` }

const (
	stop  = `{"candidates":[{"finishReason":"STOP"}]}`
	model = `{"modelVersion":"gemini-2.5-flash"}`
)

func TestTheRowsOfAStream(t *testing.T) {
	t.Parallel()
	const text = `{"candidates":[{"content":{"parts":[{"text":"Hello"}]}}],"modelVersion":"gemini-2.5-flash"}`
	const call = `{"functionCall":{"name":"get_weather","args":{"location":"London"}}}`
	tests := []struct {
		name   string
		chunks []string // a stop follows unless the last one has a finish reason, or is an error
		want   []string // without the completion
	}{
		{"text", []string{text}, []string{"start gemini-2.5-flash", "text_delta Hello", "done stop"}},
		{"two texts in a chunk", []string{parts(`{"text":"Hello"},{"text":" world"}`)}, []string{"start ", "text_delta Hello", "text_delta  world", "done stop"}},
		{"the end", []string{model, `{"candidates":[{"content":{"parts":[{"text":"!"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`},
			[]string{"start gemini-2.5-flash", "text_delta !", "done stop 10/5/0/15"}},
		{"thinking tokens", []string{model, `{"candidates":[{"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":200,"thoughtsTokenCount":50,"totalTokenCount":300}}`},
			[]string{"start gemini-2.5-flash", "done length 100/150/50/300"}},
		{"thinking and text in turn", []string{parts(`{"text":"a","thought":true},{"text":"b"},{"text":"c","thought":true},{"text":"d"}`)},
			[]string{"start ", "thinking_delta a", "text_delta b", "thinking_delta c",
				"text_delta d", "done stop"}},
		{"a call", []string{parts(call)}, []string{"start ", "tool_call_start get_weather, id of 22", `tool_call_delta {"location":"London"}`, `tool_call_done {"location":"London"}`, "done tool_use"}},
		{"a call, then text", []string{parts(call), parts(`{"text":"Done"}`)},
			[]string{"start ", "tool_call_start get_weather, id of 22",
				`tool_call_delta {"location":"London"}`, `tool_call_done {"location":"London"}`,
				"text_delta Done", "done tool_use"}},
		{"a call, then usage", []string{parts(call), `{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":15,"totalTokenCount":25}}`},
			[]string{"start ", "tool_call_start get_weather, id of 22",
				`tool_call_delta {"location":"London"}`, `tool_call_done {"location":"London"}`,
				"done tool_use 10/15/0/25"}},
		{"each call is a separate call", []string{parts(`{"functionCall":{"name":"f","args":{"a":1}}}`), parts(`{"functionCall":{"name":"f","args":{"b":2}}}`)},
			[]string{"start ", "tool_call_start f, id of 22", `tool_call_delta {"a":1}`,
				`tool_call_done {"a":1}`, "tool_call_start f, id of 22", `tool_call_delta {"b":2}`,
				`tool_call_done {"b":2}`, "done tool_use"}},
		{"empty arguments", []string{parts(`{"functionCall":{"name":"f","args":{}}}`)}, []string{"start ", "tool_call_start f, id of 22", "tool_call_delta {}", "tool_call_done {}", "done tool_use"}},
		{"parts that say nothing", []string{parts(`{"thought":false},{"text":""},{"text":null}`)}, []string{"start ", "done stop"}},
		{"a part of a kind that is unknown", []string{parts(`{"someOtherField":1}`)}, []string{"start ", "block", "done stop"}},
		// The original program ignored these faults. Here they never change a text, and no chunk is
		// lost silently.
		{"a text that is invalid", []string{parts(`{"text":123}`)}, []string{"error unknown streamGenerateContent: stream: /0/candidates/0/content/parts/0/text: offset 50: a string was expected, found a number"}},
		{"a chunk that is a list", []string{`[1,2,3]`}, []string{"error unknown Root is not an object: /0: offset 6: an object was expected, found a list"}},
		{"a chunk that is not JSON", []string{`{invalid json}`}, []string{"error unknown Invalid JSON response: /0: offset 7: not JSON"}},
		{"thought that is not a boolean", []string{parts(`{"text":"Hi","thought":"not-a-bool"}`), parts(`{"text":"Ho","thought":null}`)}, []string{"start ", "text_delta Hi", "text_delta Ho", "done stop"}},
		{"usage of nothing", []string{`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{}}`}, []string{"start ", "done stop"}},
		{"no candidates", []string{`{"candidates":[],"modelVersion":"m"}`}, []string{"start m", "done stop"}},
		{"no model", []string{parts(`{"text":"Hi"}`)}, []string{"start ", "text_delta Hi", "done stop"}},
		{"an error", []string{`{"error":{"message":"API key invalid","status":"UNAUTHENTICATED"}}`}, []string{"error auth API key invalid"}},
		{"an error that says nothing", []string{`{"error":{}}`}, []string{"error unknown Unknown error"}},
		{"an exhausted quota", []string{`{"error":{"message":"m","status":"RESOURCE_EXHAUSTED"}}`}, []string{"error rate_limit m"}},
		{"an invalid argument", []string{`{"error":{"message":"m","status":"INVALID_ARGUMENT"}}`}, []string{"error invalid_arg m"}},
		{"an error after a text", []string{text, `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`}, []string{"start gemini-2.5-flash", "text_delta Hello", "error server overloaded"}},
		{"an error whose message is not a text", []string{`{"error":{"message":7,"status":5}}`}, []string{"error unknown Unknown error"}},
		{"an error whose message is null", []string{`{"error":{"message":null,"status":"INTERNAL"}}`}, []string{"error server Unknown error"}},
		{"nothing after an error", []string{text, `{"error":{"message":"m","status":"UNAUTHENTICATED"}}`, text, stop}, []string{"start gemini-2.5-flash", "text_delta Hello", "error auth m"}},
		{"the model of the first chunk", []string{model, `{"modelVersion":"other","candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}`}, []string{"start gemini-2.5-flash", "text_delta Hi", "response_extra", "done stop"}},
		{"a chunk that is a text", []string{`"hello"`}, []string{"error unknown Root is not an object: /0: offset 6: an object was expected, found a string"}},
		{"a chunk of nothing", []string{text, ``}, []string{"start gemini-2.5-flash", "text_delta Hello", "done stop"}},
		{"several candidates", []string{`{"candidates":[{"index":1,"finishReason":"SAFETY"},{"index":0,"finishReason":"STOP","content":{"parts":[{"text":"Hi"}]}}]}`},
			[]string{"start ", "text_delta Hi", "done stop"}},
		{"a refused prompt", []string{`{"promptFeedback":{"blockReason":"SAFETY"}}`}, []string{"start ", "prompt_feedback", "error content_filter Prompt blocked: SAFETY"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			chunks := test.chunks
			if last := chunks[len(chunks)-1]; !strings.Contains(last, "finishReason") &&
				!strings.Contains(last, "error") && !strings.Contains(last, "blockReason") {
				chunks = append(chunks, stop)
			}
			var got []string
			for _, line := range streamed(t,
				overHTTP(t, reply{status: 200, body: sse(chunks...)})) {
				line = strings.TrimSuffix(line, " 0/0/0/0")
				if line != "usage" && line != "finish" && !strings.HasPrefix(line, "success") &&
					!strings.HasPrefix(line, "failure") {
					got = append(got, line)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAStreamThatBreaksOffIsAFailure(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"between events":  sse(parts(`{"text":"Hello"}`)),
		"within an event": sse(parts(`{"text":"Hello"}`)) + `data: {"candidates":`,
	} {
		got := streamed(t, overHTTP(t, reply{status: 200, body: body}))
		end := got[len(got)-1]
		if len(got) != 4 || !strings.HasPrefix(got[2], "error network ") ||
			!strings.HasPrefix(end, "failure 200 network ") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestMadeCallIDsHave22CharactersAndDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	p := overHTTP(t, reply{status: 200,
		body: parts(`{"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}}`)})
	for range 20 {
		response, err := p.Generate(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range response.Blocks() {
			id := block.ToolCall.ID
			if len(id) != 22 || seen[id] ||
				strings.Trim(id,
					"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
				t.Errorf("%q", id)
			}
			seen[id] = true
		}
	}
}

// asked stores the last request.
type asked struct {
	reply
	request *http.Request
	body    string
}

func (a *asked) Do(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	a.request, a.body = request, string(body)
	return a.reply.Do(request)
}

func TestTheRequestIsTheOneOfTheOrigin(t *testing.T) {
	t.Parallel()
	server := &asked{reply: reply{status: 200, body: parts(`{"text":"Hi"}`)}}
	p := overHTTP(t, server)
	completed(t, p)
	wantRequest(t, server, "/v1beta/models/gemini-2.5-flash:generateContent", "application/json")
	server.reply.body = sse(stop)
	streamed(t, p)
	wantRequest(t, server, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
		"text/event-stream")
}

// wantRequest checks a request. The original program sent no member store, because Google stored
// nothing by default at that time.
func wantRequest(t *testing.T, a *asked, uri, accept string) {
	t.Helper()
	if got := a.request.Header.Get("Accept"); got != accept {
		t.Errorf("%s accepts %s", uri, got)
	}
	if a.request.Method != "POST" || a.request.URL.RequestURI() != uri ||
		a.request.Header.Get("Content-Type") != "application/json" ||
		a.body != `{"contents":[],"store":false}` {
		t.Errorf("%s %s %v %s", a.request.Method, a.request.URL.RequestURI(), a.request.Header,
			a.body)
	}
}

func TestARequestWithoutAModelIsRefusedByTheClient(t *testing.T) {
	t.Parallel()
	p := overHTTP(t, reply{status: 200})
	_, err := p.StartRequest(t.Context(), &geminiapi.GenerateContentRequest{}, nil)
	failure, ok := errors.AsType[*normalize.Error](err)
	if !ok || failure.Category != normalize.CategoryInvalidArg ||
		!errors.Is(err, gemini.ErrModelRequired) || failure.Message != "Model is required" ||
		err.Error() != "provider: Model is required: set Model of the request, or use gemini.WithModel" {
		t.Errorf("%+v", err)
	}
}

// Only encoding finds a value that is not JSON, and the caller does not wait for encoding.
func TestStartingDoesNotEncodeTheRequest(t *testing.T) {
	t.Parallel()
	broken := &geminiapi.GenerateContentRequest{
		Model: new("gemini-2.5-flash"), Contents: []geminiapi.Content{gemini.UserText("Hi")},
		Tools: []geminiapi.Tool{{FunctionDeclarations: []geminiapi.FunctionDeclaration{{Name: new("f"),
			ParametersJSONSchema: jsontext.Value("{")}}}},
	}
	sent := false
	p := overHTTP(t, gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		sent = true
		return nil, errors.New("sent")
	}))
	var got calls
	one, err := p.StartRequest(t.Context(), broken, got.done)
	if err != nil {
		t.Fatal(err)
	}
	<-one.Done()
	other, err := p.StartStream(t.Context(), broken, got.event, got.done)
	if err != nil {
		t.Fatal(err)
	}
	<-other.Done()
	for _, line := range got.all() {
		if !strings.Contains(line, "invalid_arg") {
			t.Error(line)
		}
	}
	if sent || len(got.all()) != 3 {
		t.Errorf("sent: %v, callbacks: %q", sent, got.all())
	}
}

// A request is encoded once for each call. The memory for it is a small multiple of its size.
func TestLargeRequestIsEncodedOnce(t *testing.T) {
	const size = 32 << 20
	data := strings.Repeat("A", size)
	large := &geminiapi.GenerateContentRequest{Model: new("gemini-2.5-flash"),
		Contents: []geminiapi.Content{{
			Parts: []geminiapi.Part{{InlineData: &geminiapi.Blob{MIMEType: new("image/png"),
				Data: &data}}},
		}}}
	length := int64(0)
	p := overHTTP(t, gemini.DoerFunc(func(request *http.Request) (*http.Response, error) {
		length = request.ContentLength
		return nil, errors.New("connection refused")
	}))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call, err := p.StartRequest(t.Context(), large, nil)
	if err != nil {
		t.Fatal(err)
	}
	<-call.Done()
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; length < size || taken > size*3/2 {
		t.Errorf("a body of %d MB took %d MB", length>>20, taken>>20)
	}
}
