package gateway_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// failsWith checks that a turn has failed with a code, as an error frame or as a failed response.
// The error frame must have all members that Open Responses requires.
func failsWith(t *testing.T, f *frame, code string) {
	t.Helper()
	if f.Type == "error" {
		var required struct {
			Status *int
			Error  *struct{ Code, Message *string }
		}
		if err := json.Unmarshal([]byte(f.text), &required); err != nil || required.Status == nil ||
			required.Error == nil || required.Error.Code == nil || required.Error.Message == nil {
			t.Errorf("the error frame lacks a member: %s", f.text)
		}
	}
	got := f.Error.Code
	if f.Response.Error != nil {
		got = f.Response.Error.Code
	}
	if f.Type == "response.completed" || code != "" && got != code {
		t.Errorf("%s, want the code %q", f.text, code)
	}
}

// completes checks that a turn has completed.
func completes(t *testing.T, f *frame) *frame {
	t.Helper()
	if f.Type != "response.completed" || f.Response.Status != "completed" {
		t.Errorf("%s", f.text)
	}
	return f
}

const (
	userMessage = `[{"type":"message","role":"user","content":"Count from 1 to 3."}]`
	orphan      = `[{"type":"function_call_output","call_id":"call_openresponses_missing",` +
		`"output":"{}"}]`
)

// ofInput returns a request with the input as JSON.
func ofInput(input, members string) string {
	return `{"type":"response.create","model":"gemini-3.6-flash","input":` + input + members + `}`
}

// socketCases are the cases of Open Responses by WebSocket, by their names, except those about
// compaction. connect opens another connection to the same gateway.
var socketCases = map[string]func(t *testing.T, connect func() *socketClient){
	"websocket-response": func(t *testing.T, connect func() *socketClient) {
		client := connect()
		client.send(t, ofInput(userMessage, ""))
		frames := client.turn(t)
		completes(t, frames[len(frames)-1])
		for _, f := range frames {
			if !slices.Contains(openResponsesEvents, f.Type) {
				t.Errorf("the suite knows no event %s", f.Type)
			}
		}
	},
	"websocket-sequential-responses": func(t *testing.T, connect func() *socketClient) {
		client := connect()
		for range 2 {
			completes(t, client.create(t, "Count.", noStore))
		}
	},
	"websocket-continuation": func(t *testing.T, connect func() *socketClient) {
		client := connect()
		first := completes(t, client.create(t, "The word is blue.", noStore))
		completes(t, client.create(t, "What is the word?", after(first)))
	},
	"websocket-reconnect-store-false-recovery": func(t *testing.T,
		connect func() *socketClient) {
		first := completes(t, connect().create(t, "The word is blue.", noStore))
		client := connect()
		failsWith(t, client.create(t, "What is the word?", after(first)),
			"previous_response_not_found")
		completes(t, client.last(t, ofInput(userMessage, noStore)))
	},
	"websocket-previous-response-not-found": func(t *testing.T, connect func() *socketClient) {
		failsWith(t, connect().create(t, "x", noStore+`,"previous_response_id":"resp_invented"`),
			"previous_response_not_found")
	},
	"websocket-failed-continuation-evicts-cache": func(t *testing.T,
		connect func() *socketClient) {
		client := connect()
		first := completes(t, client.create(t, "x", noStore))
		failsWith(t, client.last(t, ofInput(orphan, after(first))), "")
		failsWith(t, client.create(t, "again", after(first)), "previous_response_not_found")
	},
}

// last sends a message, and returns the last frame of its turn.
func (c *socketClient) last(t testing.TB, message string) *frame {
	t.Helper()
	c.send(t, message)
	frames := c.turn(t)
	return frames[len(frames)-1]
}

// All cases also hold with a store, in which a response that is not stored is not found either.
func TestTheCasesOfOpenResponsesByWebSocketHold(t *testing.T) {
	t.Parallel()
	for name, run := range socketCases {
		for kind, handler := range map[string]func(testing.TB) http.Handler{
			"with a store":    func(t testing.TB) http.Handler { return keeping(t, geminitest.NewServer(t)) },
			"without a store": func(t testing.TB) http.Handler { return newGateway(t, gateway.WithDoneMark()) },
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				gateway := handler(t)
				run(t, func() *socketClient { return dialSocket(t, gateway) })
			})
		}
	}
}

// The other cases of the suite that test more than a whole answer: each is accepted, and the
// answer has the required members.
func TestTheCasesOfOpenResponsesWithPhasesHold(t *testing.T) {
	t.Parallel()
	const input = `[{"type":"message","role":"assistant","phase":"commentary","content":"I look."},` +
		`{"type":"message","role":"assistant","phase":"final_answer","content":"It is blue."},` +
		`{"type":"message","role":"user","content":"Why?"}]`
	answer := post(newGateway(t), responsesPath, `{"model":"gemini-3.6-flash","input":`+input+`}`)
	responseOf(t, answer)
	checkMembers(t, "", bytes.TrimSpace(answer.Body.Bytes()), openResponsesMembers)
}
