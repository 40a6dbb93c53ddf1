package gateway_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

const (
	omni         = "gemini-omni-1.1-flash"
	deepResearch = "deep-research-preview-04-2026"
)

// observedDoer sends requests to a fake server. It stores the replies.
type observedDoer struct {
	below *http.Client
	mu    sync.Mutex
	calls []string // methods and paths
	came  strings.Builder
	// change changes replies. It may be nil.
	change func(*http.Request, *http.Response)
}

func (d *observedDoer) Do(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	d.calls = append(d.calls, r.Method+" "+idInPath.ReplaceAllString(r.URL.Path, "/ID"))
	d.mu.Unlock()
	reply, err := d.below.Do(r)
	if err != nil {
		return nil, err
	}
	if d.change != nil {
		d.change(r, reply)
	}
	reply.Body = &observedBody{reply.Body, d}
	return reply, nil
}

var idInPath = regexp.MustCompile(`/v1_[^/?]*`)

// list returns the methods and paths of all requests.
func (d *observedDoer) list() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.calls, ", ")
}

// signatures returns the different signatures that clients sent back, sorted.
func (d *observedDoer) signatures() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return signaturesIn(d.came.String())
}

type observedBody struct {
	io.ReadCloser
	doer *observedDoer
}

func (b *observedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.doer.mu.Lock()
	b.doer.came.Write(p[:n])
	b.doer.mu.Unlock()
	return n, err
}

var signatureMember = regexp.MustCompile(`"signature":"([^"]+)"`)

// signaturesIn returns the different signatures of a text of JSON, sorted.
func signaturesIn(text string) (out []string) {
	for _, found := range signatureMember.FindAllStringSubmatch(text, -1) {
		out = append(out, found[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// bridged returns a gateway in front of a fake server, and the doer between them.
func bridged(t testing.TB, server *geminitest.Server, opts ...gateway.Option) (*gateway.Handler,
	*observedDoer) {
	t.Helper()
	d := &observedDoer{below: server.HTTPClient()}
	u := upstreamOf(server)
	u.HTTPClient = d
	return newGateway(t, append([]gateway.Option{gateway.WithUpstream(u)}, opts...)...), d
}

// loopClient is a client of one API that runs the tools of a model.
type loopClient struct {
	path, tools string
	history     []json.RawMessage
	// body returns a request with the history.
	body func(history, tools string) string
	// read returns the calls of an answer, and the messages that the client appends to its history.
	read func(t testing.TB, answer []byte, isStream bool) (turn []json.RawMessage, calls []toolCall)
	// results returns the messages with the results of calls.
	results func(calls []toolCall) []json.RawMessage
}

func raw(t testing.TB, value any) json.RawMessage {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// loopClients returns the clients by the names of their APIs.
func loopClients(t testing.TB) map[string]*loopClient {
	t.Helper()
	const schema = `{"type":"object","properties":{"city":{"type":"string"}}}`
	user := []json.RawMessage{json.RawMessage(`{"role":"user","content":"Weather and time?"}`)}
	return map[string]*loopClient{
		"chat_completions": {path: chatPath, history: user,
			tools: `[{"type":"function","function":{"name":"weather","parameters":` + schema +
				`}},{"type":"function","function":{"name":"time","parameters":` + schema + `}}]`,
			body: func(history, tools string) string {
				return `{"model":"` + omni + `","messages":` + history + `,"tools":` + tools + `}`
			},
			read: readChat, results: func(calls []toolCall) (out []json.RawMessage) {
				for _, call := range calls {
					out = append(out, raw(t, map[string]any{"role": "tool",
						"tool_call_id": call.ID, "content": "ok"}))
				}
				return out
			}},
		"Responses": {path: responsesPath, history: user,
			tools: `[{"type":"function","name":"weather","parameters":` + schema +
				`},{"type":"function","name":"time","parameters":` + schema + `}]`,
			body: func(history, tools string) string {
				return `{"model":"` + omni + `","input":` + history + `,"tools":` + tools +
					`,"store":false,"include":["reasoning.encrypted_content"]}`
			},
			read: readResponse, results: func(calls []toolCall) (out []json.RawMessage) {
				for _, call := range calls {
					out = append(out, raw(t, map[string]any{"type": "function_call_output",
						"call_id": call.ID, "output": "ok"}))
				}
				return out
			}},
		"Messages": {path: messagesPath, history: user,
			tools: `[{"name":"weather","input_schema":` + schema + `},{"name":"time","input_schema":` +
				schema + `}]`,
			body: func(history, tools string) string {
				return `{"model":"` + omni + `","max_tokens":99,"messages":` + history +
					`,"tools":` + tools + `}`
			},
			read: readMessage, results: func(calls []toolCall) []json.RawMessage {
				var blocks []any
				for _, call := range calls {
					blocks = append(blocks, map[string]any{"type": "tool_result",
						"tool_use_id": call.ID, "content": "ok"})
				}
				return []json.RawMessage{raw(t, map[string]any{"role": "user", "content": blocks})}
			}},
	}
}

func readChat(t testing.TB, answer []byte, isStream bool) ([]json.RawMessage, []toolCall) {
	t.Helper()
	message := map[string]any{"role": "assistant", "content": nil}
	var calls []toolCall
	if !isStream {
		var got struct {
			Choices []struct {
				Message struct {
					ToolCalls []toolCall `json:"tool_calls"`
				}
			}
		}
		if err := json.Unmarshal(answer, &got); err != nil || len(got.Choices) != 1 {
			t.Fatalf("%v: %s", err, answer)
		}
		calls = got.Choices[0].Message.ToolCalls
	} else {
		for _, chunk := range chunksOf(t, answer) {
			for i := range chunk.Choices {
				for _, delta := range chunk.Choices[i].Delta.ToolCalls {
					part := toolCall{}
					if err := json.Unmarshal(raw(t, delta), &part); err != nil {
						t.Fatal(err)
					}
					if delta.Index == len(calls) {
						calls = append(calls, part)
					} else {
						calls[delta.Index].Function.Arguments += part.Function.Arguments
					}
				}
			}
		}
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return []json.RawMessage{raw(t, message)}, calls
}

func readResponse(t testing.TB, answer []byte, isStream bool) ([]json.RawMessage, []toolCall) {
	t.Helper()
	if isStream {
		events := namedEvents(t, string(answer))
		var last struct {
			Type     string
			Response json.RawMessage
		}
		if err := json.Unmarshal([]byte(events[len(events)-1]), &last); err != nil ||
			last.Type != "response.completed" {
			t.Fatalf("%v: %s", err, answer)
		}
		answer = last.Response
	}
	var got struct{ Output []json.RawMessage }
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	var calls []toolCall
	for _, item := range got.Output {
		var call struct {
			Type, Name, Arguments string
			CallID                string `json:"call_id"`
		}
		if err := json.Unmarshal(item, &call); err != nil {
			t.Fatal(err)
		}
		if call.Type == "function_call" {
			calls = append(calls, toolCall{ID: call.CallID,
				Function: calledFunction{Name: call.Name, Arguments: call.Arguments}})
		}
	}
	return got.Output, calls
}

func readMessage(t testing.TB, answer []byte, isStream bool) ([]json.RawMessage, []toolCall) {
	t.Helper()
	if isStream {
		answer = raw(t, streamedMessage(t, answer))
	}
	var got struct{ Content []json.RawMessage }
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	var calls []toolCall
	for _, block := range got.Content {
		var call struct {
			Type, ID, Name string
			Input          json.RawMessage
		}
		if err := json.Unmarshal(block, &call); err != nil {
			t.Fatal(err)
		}
		if call.Type == "tool_use" {
			calls = append(calls, toolCall{ID: call.ID,
				Function: calledFunction{Name: call.Name, Arguments: string(call.Input)}})
		}
	}
	return []json.RawMessage{raw(t, map[string]any{"role": "assistant",
		"content": got.Content})}, calls
}

// Each client completes a tool loop on a model that exists only in the Interactions API. The server
// gets its signatures back byte for byte.
func TestEachClientCompletesAToolLoopOnAModelOfTheInteractionsAPI(t *testing.T) {
	t.Parallel()
	for name := range loopClients(t) {
		for _, isStream := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", streamed"}[isStream], func(t *testing.T) {
				t.Parallel()
				completeToolLoop(t, loopClients(t)[name], isStream)
			})
		}
	}
}

func completeToolLoop(t *testing.T, c *loopClient, isStream bool) {
	var script []*geminitest.Fixture
	for turn := range 3 {
		script = append(script, geminitest.On(geminitest.Turn(turn)).Reply(
			geminitest.Signed(base64.StdEncoding.EncodeToString([]byte("signature "+string(rune('A'+turn)))),
				geminitest.Call("weather", `{"city":"Porto `+string(rune('A'+turn))+`"}`)),
			geminitest.Call("time", `{"city":"Faro"}`)))
	}
	script = append(script, geminitest.On(geminitest.Turn(3)).Reply(geminitest.Text("All done.")))
	server := geminitest.NewServer(t, geminitest.WithScript(script...))
	handler, d := bridged(t, server)
	for turn := range 4 {
		body := c.body(string(raw(t, c.history)), c.tools)
		if isStream {
			body = streamed(body)
		}
		answer := post(handler, c.path, body)
		if answer.Code != http.StatusOK {
			t.Fatalf("turn %d: HTTP %d: %s", turn, answer.Code, answer.Body)
		}
		got, calls := c.read(t, answer.Body.Bytes(), isStream)
		if turn == 3 {
			if len(calls) > 0 || !strings.Contains(answer.Body.String(), "All done.") {
				t.Errorf("the last answer is %s", answer.Body)
			}
			break
		}
		if len(calls) != 2 || calls[0].Function.Name != "weather" ||
			calls[0].Function.Arguments != `{"city":"Porto `+string(rune('A'+turn))+`"}` {
			t.Fatalf("turn %d: the calls are %+v of %s", turn, calls, answer.Body)
		}
		c.history = append(append(c.history, got...), c.results(calls)...)
		want := d.signatures()
		if len(want) != turn+1 {
			t.Fatalf("turn %d: the server sent the signatures %q", turn, want)
		}
	}
	requests := server.Requests()
	last := string(requests[len(requests)-1].Body)
	if got, want := signaturesIn(last), d.signatures(); len(got) != 3 ||
		!slices.Equal(got, want) {
		t.Errorf("the signatures came back as\n%q, expected\n%q in %s", got, want, last)
	}
	if got := d.list(); got != strings.Repeat(interactionsCall+", ", 3)+interactionsCall {
		t.Errorf("the server was asked for %s", got)
	}
}

const (
	omniPath         = "/v1beta/models/" + omni + ":generateContent"
	omniHello        = `{"model":"` + omni + `","messages":[{"role":"user","content":"hello"}]}`
	interactionsCall = "POST /v1beta/interactions"
)

func TestTheSettingSelectsTheAPIOfAModel(t *testing.T) {
	t.Parallel()
	const flash = `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hello"}]}`
	for name, tc := range map[string]struct {
		api        gateway.UpstreamAPI
		body, want string
		status     int
	}{
		"by model, only there":  {"", omniHello, interactionsCall, 200},
		"by model, in both":     {gateway.APIByModel, flash, "POST /v1beta/models/gemini-3.6-flash:generateContent", 200},
		"all, in both":          {gateway.APIInteractions, flash, interactionsCall, 200},
		"none, only there":      {gateway.APIGenerateContent, omniHello, "POST /v1beta/models/" + omni + ":generateContent", 404},
		"all, an unknown model": {gateway.APIInteractions, strings.Replace(omniHello, omni, "gemini-x", 1), interactionsCall, 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t)
			d := &observedDoer{below: server.HTTPClient()}
			u := upstreamOf(server)
			u.HTTPClient, u.API = d, tc.api
			answer := post(newGateway(t, gateway.WithUpstream(u)), chatPath, tc.body)
			if answer.Code != tc.status || !strings.HasPrefix(d.list(), tc.want) {
				t.Errorf("HTTP %d, asked for %s: %s", answer.Code, d.list(), answer.Body)
			}
			if tc.status == 404 {
				if e := errorOf(t, answer, 404); jsonx.Deref(e.Code) != "model_not_found" {
					t.Errorf("the error is %+v", e)
				}
			}
		})
	}
	u := upstreamOf(geminitest.NewServer(t))
	u.API = "other"
	if _, err := gateway.New(gateway.WithUpstream(u)); err == nil ||
		!strings.Contains(err.Error(), `unknown upstream API "other"; use auto,`) {
		t.Errorf("another API: %v", err)
	}
}

func TestTheEmbeddedUpstreamAnswersForModelsOfTheInteractionsAPI(t *testing.T) {
	t.Parallel()
	completion := completionOf(t, post(newGateway(t), chatPath, omniHello))
	if got := jsonx.Deref(completion.Choices[0].Message.Content); got != "You said: hello" {
		t.Errorf("answered %q", got)
	}
}

func TestErrorsOfTheInteractionsAPIKeepTheirStatus(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.RateLimited(0)).Times(9)))
	handler, _ := bridged(t, server, gateway.WithMaxAttempts(1))
	for _, body := range []string{omniHello, streamed(omniHello)} {
		errorOf(t, post(handler, chatPath, body), http.StatusTooManyRequests)
	}
	if answer := post(handler, omniPath, nativeHello); answer.Code != 429 ||
		!strings.Contains(answer.Body.String(), "RESOURCE_EXHAUSTED") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}

// A loss on the way from Gemini's form counts like an earlier loss.
func TestLossesOnTheWayToTheInteractionsAPIAreShown(t *testing.T) {
	t.Parallel()
	const native = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}],` +
		`"generationConfig":{"presencePenalty":0.5}}`
	two := strings.Replace(omniHello, "{", `{"presence_penalty":0.5,`, 1)
	for name, tc := range map[string]struct{ path, body string }{
		"chat_completions":           {chatPath, two},
		"chat_completions, streamed": {chatPath, streamed(two)},
		"Gemini's form":              {omniPath, native},
		"Gemini's form, streamed":    {"/v1beta/models/" + omni + ":streamGenerateContent?alt=sse", native},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diary := &diary{}
			handler, d := bridged(t, geminitest.NewServer(t), gateway.WithObserver(diary))
			answer := post(handler, tc.path, tc.body)
			if end := diary.last().end; answer.Code != 200 || end.Lost != 1 ||
				answer.Header().Get("X-Gemwire-Losses") != "1" {
				t.Errorf("HTTP %d, %d lost, the header says %q: %s", answer.Code, end.Lost,
					answer.Header().Get("X-Gemwire-Losses"), answer.Body)
			}
			reported := diary.last().reported.Of(report.Lost)
			if len(reported) != 1 || !strings.Contains(reported[0].Pointer+reported[0].Detail,
				"/generationConfig/presencePenalty") {
				t.Errorf("reported %v", reported)
			}
			before := d.list()
			answer = post(handler, tc.path, tc.body, "X-Gemwire-Strict", "true")
			if answer.Code != 400 || d.list() != before ||
				!strings.Contains(answer.Body.String(), "presencePenalty") {
				t.Errorf("strict: HTTP %d: %s", answer.Code, answer.Body)
			}
		})
	}
}

// doerFunc is a doer of one function.
type doerFunc func(*http.Request) (*http.Response, error)

func (f doerFunc) Do(r *http.Request) (*http.Response, error) { return f(r) }

// upstreamThatAnswers returns an upstream that answers each request with one body.
func upstreamThatAnswers(body string) gateway.Upstream {
	return gateway.Upstream{Service: gateway.GeminiAPI, BaseURL: "https://gemini.example",
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		HTTPClient: doerFunc(func(*http.Request) (*http.Response, error) {
			return chatReply(200, body), nil
		})}
}

func TestLossesOfAnAnswerOfTheInteractionsAPIAreShown(t *testing.T) {
	t.Parallel()
	const interaction = `{"object":"interaction","status":"completed","model":"` + omni +
		`","steps":[{"type":"model_output","content":[{"type":"text","text":"Hi"}],"role":"tool"}]}`
	diary := &diary{wantsBodies: true}
	handler := newGateway(t, gateway.WithUpstream(upstreamThatAnswers(interaction)), gateway.WithObserver(diary))
	for path, body := range map[string]string{chatPath: omniHello, omniPath: nativeHello} {
		answer := post(handler, path, body)
		page := diary.last()
		reported := page.reported.Of(report.Lost)
		if answer.Code != 200 || page.end.Lost != 1 || len(reported) != 1 ||
			!strings.Contains(reported[0].Pointer+reported[0].Detail, "/steps/0/role") {
			t.Errorf("HTTP %d, %v: %s", answer.Code, reported, answer.Body)
		}
		if got := linesOf(page, "upstream", "response"); len(got) != 1 ||
			got[0] != "200 "+interaction {
			t.Errorf("observed %q", got)
		}
	}
}

// Observers get the unchanged requests and answers of the Interactions API, and Gemini's form as
// the intermediate form.
func TestRequestsAndAnswersOfTheInteractionsAPIAreObserved(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		path, body      string
		isStream, isOwn bool // The form is Gemini's own.
	}{
		"Gemini's form":           {omniPath, nativeHello, false, true},
		"Gemini's form, streamed": {"/v1beta/models/" + omni + ":streamGenerateContent?alt=sse", nativeHello, true, true},
		"chat_completions":        {chatPath, omniHello, false, false},
		"Messages, streamed":      {messagesPath, `{"model":"` + omni + `","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hello"}]}`, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diary := &diary{wantsBodies: true}
			handler, _ := bridged(t, geminitest.NewServer(t), gateway.WithObserver(diary))
			answer := post(handler, tc.path, tc.body)
			page := diary.last()
			requests, responses, chunks := linesOf(page, "upstream", "request"),
				linesOf(page, "upstream", "response"), linesOf(page, "upstream", "chunk")
			if answer.Code != 200 || len(requests) != 1 || len(responses) != 1 {
				t.Fatalf("HTTP %d: %q", answer.Code, page.lines)
			}
			if !strings.HasPrefix(requests[0], "POST https://gemini.example/v1beta/interactions") ||
				!strings.Contains(requests[0], `"model":"`+omni+`"`) {
				t.Errorf("sent %s", requests[0])
			}
			if tc.isStream {
				if len(chunks) < 3 || !strings.Contains(chunks[0], `"interaction.created"`) ||
					responses[0] != "200 " {
					t.Errorf("came %s, %q", responses[0], chunks)
				}
			} else if len(chunks) > 0 || !strings.Contains(responses[0], `"object":"interaction"`) {
				t.Errorf("came %s, %q", responses[0], chunks)
			}
			between := len(linesOf(page, "between", "request")) +
				len(linesOf(page, "between", "response"))
			if tc.isOwn && between != 0 || !tc.isOwn && between != 2 {
				t.Errorf("between: %q", page.lines)
			}
			if all := strings.Join(page.lines, "\n"); strings.Contains(all, "key-of-one") {
				t.Errorf("the key is shown: %s", all)
			}
		})
	}
}

// A fallback may use another API than the first model.
func TestAFallbackIsCalledByItsOwnAPI(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Model(omni)).Reply(geminitest.Unavailable()).Times(9)))
	diary := &diary{wantsBodies: true}
	handler, d := bridged(t, server, gateway.WithObserver(diary), gateway.WithMaxAttempts(1),
		gateway.WithFallbacks(map[string][]string{omni: {"gemini-2.5-flash"}}))
	answer := post(handler, chatPath, strings.Replace(omniHello, "{", `{"presence_penalty":0.5,`, 1))
	page := diary.last()
	if got := d.list(); answer.Code != 200 ||
		strings.Contains(fmt.Sprint(page.reported), "Gemini's form") ||
		got != interactionsCall+", POST /v1beta/models/gemini-2.5-flash:generateContent" {
		t.Errorf("HTTP %d, %v, asked for %s: %s", answer.Code, page.reported, got, answer.Body)
	}
	if requests := linesOf(page, "upstream", "request"); len(requests) != 2 ||
		!strings.Contains(requests[1], "gemini-2.5-flash:generateContent") ||
		len(linesOf(page, "between", "request")) != 1 {
		t.Errorf("observed %q", page.lines)
	}
}

func TestModelsAndAgentsOfTheInteractionsAPIAreListed(t *testing.T) {
	t.Parallel()
	handler, _ := bridged(t, geminitest.NewServer(t))
	names := namesOf(t, get(handler, "/v1/models"))
	for _, name := range []string{omni, deepResearch} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing in %q", name, names)
		}
		if answer := get(handler, "/v1/models/"+name); answer.Code != 200 {
			t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
		}
	}
	for api, want := range map[gateway.UpstreamAPI]bool{
		gateway.APIByModel: true, gateway.APIGenerateContent: false} {
		u := upstreamThatAnswers(`{"models":[{"name":"models/gemini-3.6-flash"},{"name":"models/` +
			omni + `","supportedGenerationMethods":["createInteraction"]}]}`)
		u.API = api
		names := namesOf(t, get(newGateway(t, gateway.WithUpstream(u)), "/v1/models"))
		if slices.Contains(names, omni) != want || slices.Contains(names, deepResearch) != want ||
			!slices.Contains(names, "gemini-3.6-flash") {
			t.Errorf("%s lists %q", api, names)
		}
	}
}

// research returns a gateway with a response store, in front of a server with a research agent.
func research(t testing.TB, change func(*http.Request, *http.Response)) (*gateway.Handler,
	*observedDoer) {
	t.Helper()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.Text("A long report")).Times(9)))
	store := responsestore.NewMemory(responsestore.Bounds{})
	handler, d := bridged(t, server, gateway.WithResponseStore(store))
	d.change = change
	return handler, d
}

const researchInBackground = `{"model":"` + deepResearch + `","input":"What is new in Go?","background":true`

func TestDeepResearchRunsInTheBackgroundOfTheResponsesAPI(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, d := research(t, nil)
		queued := responseOf(t, post(handler, responsesPath, researchInBackground+"}"))
		if queued.Status != openaiapi.ResponseStatusQueued {
			t.Errorf("at first it is %s", queued.Status)
		}
		time.Sleep(time.Minute)
		got := found(t, handler, queued.ID)
		if got.Status != openaiapi.ResponseStatusCompleted ||
			responses.Text(got) != "A long report" {
			t.Errorf("at last it is %+v", got)
		}
		events := eventsOf(t, handler, queued.ID, "")
		if last := events[len(events)-1]; last.Type != "response.completed" {
			t.Errorf("the last event is %+v", last)
		}
		if got := d.list(); got != interactionsCall+", DELETE /v1beta/interactions/ID" {
			t.Errorf("the server was asked for %s", got)
		}
		stream := post(handler, responsesPath, researchInBackground+`,"stream":true}`)
		if text := stream.Body.String(); !strings.Contains(text, "A long report") ||
			!strings.Contains(text, "response.completed") {
			t.Errorf("streamed %s", text)
		}
	})
}

// holdAfterFirstEvent makes the body of a stream wait after its first event until the request ends.
func holdAfterFirstEvent(r *http.Request, reply *http.Response) {
	if strings.HasPrefix(reply.Header.Get("Content-Type"), "text/event-stream") {
		reply.Body = &heldBody{ReadCloser: reply.Body, done: r.Context().Done()}
	}
}

type heldBody struct {
	io.ReadCloser
	hasBegun bool
	done     <-chan struct{}
}

func (b *heldBody) Read(p []byte) (int, error) {
	if b.hasBegun {
		<-b.done
		return 0, context.Canceled
	}
	b.hasBegun = true
	var event []byte
	for one := make([]byte, 1); !bytes.HasSuffix(event, []byte("\n\n")); {
		if _, err := io.ReadFull(b.ReadCloser, one); err != nil {
			return 0, err
		}
		event = append(event, one...)
	}
	return copy(p, event), nil
}

func TestCancellingAResponseCancelsItsResearch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, d := research(t, holdAfterFirstEvent)
		queued := responseOf(t, post(handler, responsesPath, researchInBackground+"}"))
		time.Sleep(20 * time.Minute) // longer than other models may be silent
		if got := found(t, handler, queued.ID); got.Status == openaiapi.ResponseStatusFailed {
			t.Errorf("a silent research is %+v", got)
		}
		answer := do(handler, "POST", responsesPath+"/"+queued.ID+"/cancel", "Content-Type",
			"application/json")
		if got := responseOf(t, answer); got.Status != openaiapi.ResponseStatusCancelled {
			t.Errorf("cancelled, it is %s", got.Status)
		}
		synctest.Wait()
		const want = interactionsCall + ", POST /v1beta/interactions/ID/cancel, DELETE /v1beta/interactions/ID"
		if got := d.list(); got != want {
			t.Errorf("the server was asked for %s", got)
		}
	})
}

// A client of deep research that wants a whole answer gets it after the research has ended.
func TestDeepResearchAnswersAWholeRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		diary := &diary{wantsBodies: true}
		handler, d := bridged(t, geminitest.NewServer(t), gateway.WithObserver(diary))
		completion := completionOf(t, post(handler, chatPath,
			strings.Replace(omniHello, omni, deepResearch, 1)))
		if got := jsonx.Deref(completion.Choices[0].Message.Content); got != "You said: hello" {
			t.Errorf("answered %q", got)
		}
		if got := d.list(); !strings.HasPrefix(got, interactionsCall+", GET /v1beta/interactions/ID, ") ||
			!strings.HasSuffix(got, ", DELETE /v1beta/interactions/ID") {
			t.Errorf("the server was asked for %s", got)
		}
		page := diary.last()
		if got := linesOf(page, "upstream", "response"); len(got) != 1 ||
			!strings.Contains(got[0], `"status":"completed"`) ||
			len(linesOf(page, "upstream", "request")) != 1 {
			t.Errorf("observed %q", page.lines)
		}
	})
}
