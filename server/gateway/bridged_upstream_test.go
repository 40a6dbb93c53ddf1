package gateway_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

const (
	omni         = "gemini-omni-1.1-flash"
	deepResearch = "deep-research-preview-04-2026"
)

// observedDoer sends requests to a fake server. It keeps what came back.
type observedDoer struct {
	below *http.Client
	mu    sync.Mutex
	calls []string // methods and paths
	came  strings.Builder
}

func (d *observedDoer) Do(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	d.calls = append(d.calls, r.Method+" "+idInPath.ReplaceAllString(r.URL.Path, "/ID"))
	d.mu.Unlock()
	reply, err := d.below.Do(r)
	if err != nil {
		return nil, err
	}
	reply.Body = &observedBody{reply.Body, d}
	return reply, nil
}

var idInPath = regexp.MustCompile(`/v1_[^/]*`)

// list returns the methods and paths of all requests.
func (d *observedDoer) list() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.calls, ", ")
}

// signatures returns the different signatures that came back, sorted.
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

// bridged returns a gateway before a fake server, and the doer between them.
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
	// read returns what the client appends to its history, and the calls, of an answer.
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

// Each client completes a tool loop on a model that exists only in the Interactions API. The
// signatures come back to the server byte for byte.
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
		!slices.Equal(got, want[:len(want)]) {
		t.Errorf("the signatures came back as\n%q, expected\n%q in %s", got, want, last)
	}
	const path = "POST /v1beta/interactions"
	if got := d.list(); got != strings.Repeat(path+", ", 3)+path {
		t.Errorf("the server was asked for %s", got)
	}
}

var _ = fakegemini.Text
