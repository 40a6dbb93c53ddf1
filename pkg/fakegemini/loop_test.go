package fakegemini_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// conversation is the state of an agent between its requests.
type conversation struct {
	t       *testing.T
	srv     *geminitest.Server
	path    string
	request geminiapi.GenerateContentRequest
}

// next sends the conversation, streamed or whole, and appends the model's turn.
func (c *conversation) next() geminiapi.Content {
	c.t.Helper()
	body, err := gemini.EncodeRequest(&c.request)
	if err != nil {
		c.t.Fatal(err)
	}
	reply, text := post(c.t, c.srv, c.path, string(body))
	if reply.StatusCode != http.StatusOK {
		c.t.Fatalf("%s", text)
	}
	response := whole(c.t, text)
	c.request.Contents = append(c.request.Contents, *response.Candidates[0].Content)
	return *response.Candidates[0].Content
}

// whole reads an answer, in chunks or not.
func whole(t *testing.T, body string) *geminiapi.GenerateContentResponse {
	t.Helper()
	var chunks []*geminiapi.GenerateContentResponse
	for chunk, err := range gemini.NewStreamReader(strings.NewReader(body)).All() {
		if err != nil {
			t.Fatal(err)
		}
		chunks = append(chunks, chunk)
	}
	merged, _ := normalize.MergeChunks(chunks...)
	return merged
}

// answer answers all calls of a turn.
func (c *conversation) answer(turn geminiapi.Content) {
	c.t.Helper()
	var results []*geminiapi.FunctionResponse
	for i := range turn.Parts {
		if call := turn.Parts[i].FunctionCall; call != nil {
			result, err := gemini.FunctionResult(call, "done with "+*call.Name)
			if err != nil {
				c.t.Fatal(err)
			}
			results = append(results, result)
		}
	}
	c.request.Contents = append(c.request.Contents, gemini.UserResults(results...))
}

// A loop of three steps, the first with parallel calls, works as an agent drives it: turns are sent
// back unchanged, with their signatures.
func TestToolLoopOfThreeSteps(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		oldPath, geminiPath, vertexPath,
		"/v1beta/models/gemini-3.7-flash:generateContent",
		"/v1beta/models/gemini-3.7-flash:streamGenerateContent?alt=sse",
		"/v1beta/models/gemini-3.6-flash:streamGenerateContent",
		"/v1/publishers/google/models/gemini-3.1-pro-preview:streamGenerateContent?alt=sse",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			c := &conversation{t: t, srv: geminitest.NewServer(t), path: path}
			c.request.Tools = []geminiapi.Tool{gemini.FunctionTool(
				gemini.FunctionDeclaration("read_file", "Reads.",
					[]byte(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)),
				gemini.FunctionDeclaration("write_file", "Writes.", nil),
			)}
			c.request.Contents = []geminiapi.Content{gemini.UserText(`read_file {"path":"a"} and read_file {"path":"b"}, then write_file, and then read_file {"path":"c"}`)}
			for step, calls := range []int{2, 1, 1} {
				turn := c.next()
				if len(turn.Parts) != calls {
					t.Fatalf("step %d has %d calls", step, len(turn.Parts))
				}
				if turn.Parts[0].ThoughtSignature == nil {
					t.Errorf("step %d is not signed", step)
				}
				c.answer(turn)
			}
			if turn := c.next(); !strings.Contains(*turn.Parts[0].Text,
				`read_file returned {"output":"done with read_file"}.`) {
				t.Errorf("the end is %s", *turn.Parts[0].Text)
			}
			c.request.Contents = append(c.request.Contents, gemini.UserText("Thanks"))
			if turn := c.next(); *turn.Parts[0].Text != "You said: Thanks" {
				t.Errorf("the next turn is %s", *turn.Parts[0].Text)
			}
		})
	}
}

// Models that check signatures refuse a signature that is changed or on another call.
func TestChangedSignaturesAreRefused(t *testing.T) {
	t.Parallel()
	const corrupted = "Corrupted thought signature."
	for _, test := range []struct{ path, want string }{
		{oldPath, ""},
		{geminiPath, corrupted},
		{vertexPath, "Unable to submit request because Thought signature is not valid. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini"},
	} {
		srv := geminitest.NewServer(t)
		c := &conversation{t: t, srv: srv, path: test.path}
		c.request.Tools = []geminiapi.Tool{gemini.FunctionTool(gemini.FunctionDeclaration("f", "",
			nil))}
		c.request.Contents = []geminiapi.Content{gemini.UserText("f")}
		turn := c.next()
		c.answer(turn)
		call := &c.request.Contents[1].Parts[0]
		changed := strings.Replace(*call.ThoughtSignature, (*call.ThoughtSignature)[20:24], "AAAA",
			1)
		call.ThoughtSignature = &changed
		body, err := gemini.EncodeRequest(&c.request)
		if err != nil {
			t.Fatal(err)
		}
		reply, text := post(t, srv, test.path, string(body))
		got := gemini.DecodeError(reply.StatusCode, reply.Header, []byte(text))
		if test.want == "" && reply.StatusCode != http.StatusOK ||
			test.want != "" &&
				(reply.StatusCode != http.StatusBadRequest || got.Message != test.want) {
			t.Errorf("%s: got %s", test.path, text)
		}
	}
}

func TestTheDocumentedDummySignatureIsTaken(t *testing.T) {
	t.Parallel()
	signed := strings.Replace(call, `"args":{}}}`,
		`"args":{}},"thoughtSignature":"skip_thought_signature_validator"}`, 1)
	for _, path := range []string{geminiPath, vertexPath} {
		if reply, body := post(t, geminitest.NewServer(t), path,
			turns(question, signed, result)); reply.StatusCode != http.StatusOK {
			t.Errorf("%s: got %s", path, body)
		}
	}
}

// One server answers many requests at once, and stores all of them.
func TestManyCallersAtOnce(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	var callers sync.WaitGroup
	for i := range 50 {
		callers.Go(func() {
			body := turns(fmt.Sprintf(`{"parts":[{"text":"Hello %d"}]}`, i))
			_, text := post(t, srv, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
				body)
			geminitest.CheckStream(t, []byte(text))
		})
	}
	callers.Wait()
	if got := len(srv.Requests()); got != 50 {
		t.Errorf("got %d requests", got)
	}
}
