package clients_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// form is one way to convert the streams, with flags that hold for the whole completion too.
type form struct {
	name  string
	flags []string
}

// openaiForms are the forms of chat_completions that clients are given.
var openaiForms = []form{
	{name: "openai"},
	{name: "openai-plain", flags: []string{"--no-extensions"}},
}

func TestClientsAcceptConvertedStreams(t *testing.T) {
	w := newWork(t)
	t.Cleanup(func() { w.writeManifest(t) })
	t.Run("accumulated", w.testAccumulated)
	if w.responses == nil {
		t.Skip("nothing to compare streams with")
	}
	for _, form := range openaiForms {
		t.Run(form.name, func(t *testing.T) { w.testOpenAI(t, form) })
	}
	t.Run("without-usage", w.testWithoutUsage)
	t.Run("aisdk", w.testAISDK)
	t.Run("responses", w.testResponses)
}

// testAccumulated makes the responses that all forms are compared with.
func (w *work) testAccumulated(t *testing.T) {
	responses := w.convertStreams(t, "gemini-response", "gemini-response")
	for _, s := range w.streams {
		w.checkOutcome(t, s, responses[s.name])
	}
	w.responses = responses
}

// checkOutcome checks that a stream became a whole document, unless it ends in an error.
func (w *work) checkOutcome(t *testing.T, s stream, out output) {
	t.Helper()
	if failure := w.plain[s.name].Failure; (failure == "") != (out.failure == "") {
		t.Errorf("%s: the recording fails with %q, its conversion with %q", s.name, failure,
			out.failure)
	}
}

// testOpenAI lets all clients read all streams in one form.
func (w *work) testOpenAI(t *testing.T, f form) {
	streams := w.convertStreams(t, f.name+"-stream", "openai-stream", f.flags...)
	wholes := w.convertResponses(t, f.name+"-whole", "openai-response", f.flags...)
	w.list(t, f.name, streams, wholes)
	direct := w.convertStreams(t, f.name+"-direct", "openai-response", f.flags...)
	server := newServer(t)
	whole, failing := 0, 0
	for _, s := range w.streams {
		t.Run(s.name, func(t *testing.T) {
			w.checkOutcome(t, s, direct[s.name])
			if w.plain[s.name].Failure != "" {
				failing++
				checkFailingStream(t, server, streams[s.name])
				return
			}
			whole++
			completion := wholes[s.name].read(t)
			w.plain[s.name].check(t, completion)
			if diff := cmp.Diff(parse(t, completion),
				parse(t, direct[s.name].read(t))); diff != "" {
				t.Errorf("the whole completion (- by way of the response, + directly):\n%s", diff)
			}
			checkStream(t, server, recorded{streams[s.name].read(t), completion})
		})
	}
	w.report(t, "%s: %d streams read by %d clients, %d with an error in them", f.name, whole,
		len(goClients), failing)
}

// checkStream checks a stream by the rules, and lets every client read it.
func checkStream(t *testing.T, server *server, r recorded) {
	t.Helper()
	findings, failed := checkWire(r.stream)
	for _, f := range findings {
		t.Error(f)
	}
	if failed {
		t.Error("it reports an error that the recording does not have")
	}
	baseURL := server.play(t.Name(), r)
	for _, client := range goClients {
		if verdict, why := client.judge(t, baseURL); verdict != accepts {
			t.Errorf("%s: %s: %s", client.name, verdict, why)
		}
	}
}

// checkFailingStream checks what came of a stream that ends in an error: an error for every client.
// The command may also have written nothing.
func checkFailingStream(t *testing.T, server *server, out output) {
	t.Helper()
	if out.path == "" {
		return
	}
	body := out.read(t)
	findings, failed := checkWire(body)
	for _, f := range findings {
		t.Error(f)
	}
	if !failed {
		t.Errorf("the recording's error is not in the stream, which ends with %q",
			body[max(0, len(body)-200):])
	}
	baseURL := server.play(t.Name(), recorded{stream: body})
	for _, client := range goClients {
		if _, err := client.stream(t.Context(), baseURL); err == nil {
			t.Errorf("%s takes the stream for a complete one", client.name)
		}
	}
}

// testWithoutUsage checks streams for clients that did not ask for usage.
func (w *work) testWithoutUsage(t *testing.T) {
	streams := w.convertStreams(t, "without-usage-stream", "openai-stream", "--include-usage=false")
	checked := 0
	for _, s := range w.streams {
		if w.plain[s.name].Failure != "" {
			continue
		}
		checked++
		body := streams[s.name].read(t)
		findings, _ := checkWire(body)
		for _, f := range findings {
			t.Errorf("%s: %s", s.name, f)
		}
		if bytes.Contains(body, []byte(`"prompt_tokens"`)) {
			t.Errorf("%s: usage in a stream whose client did not ask for it", s.name)
		}
	}
	w.report(t, "without usage: %d streams checked by the rules", checked)
}

// testAISDK converts the streams for the tests in ../node.
func (w *work) testAISDK(t *testing.T) {
	streams := w.convertStreams(t, "aisdk-stream", "aisdk-stream")
	w.list(t, "aisdk", streams, w.convertResponses(t, "aisdk-whole", "openai-response"))
}

// parse returns a JSON document with its numbers as they are written.
func parse(t *testing.T, document []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
