package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// after returns the member that continues a response, which is not stored.
func after(f *frame) string {
	return `,"store":false,"previous_response_id":"` + f.Response.ID + `"`
}

// wantNotFound checks that a turn failed because the response that it continues is not known.
func wantNotFound(t *testing.T, f *frame) {
	t.Helper()
	if f.Type != "error" || f.Error.Code != "previous_response_not_found" ||
		f.Status != http.StatusBadRequest || f.Error.Param == nil ||
		*f.Error.Param != "previous_response_id" {
		t.Errorf("%s", f.text)
	}
}

const noStore = `,"store":false`

func TestAConnectionContinuesResponsesThatAreNotStored(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	client := dialSocket(t, gatewayOf(t, server))
	last := client.create(t, "one", noStore+`,"instructions":"Be brief."`)
	for _, text := range []string{"two", "three"} {
		last = client.create(t, text, after(last))
		if last.Type != "response.completed" || last.Response.PreviousResponseID == nil {
			t.Fatalf("%s", last.text)
		}
	}
	prompt := lastPrompt(t, server)
	wantInOrder(t, prompt, `"one"`, "You said: one", `"two"`, "You said: two", `"three"`)
	if strings.Contains(prompt, "Be brief.") {
		t.Errorf("the instructions are inherited: %s", prompt)
	}
}

func TestAConnectionKeepsTheSignaturesOfCalls(t *testing.T) {
	t.Parallel()
	const signature = "c2lnbmF0dXJlLXRoYXQtdHJhdmVscw=="
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.Signed(signature,
			geminitest.Call("get_weather", `{"city":"Porto"}`)),
			geminitest.Call("get_weather", `{"city":"Faro"}`)).Times(1),
		geminitest.On().Reply(geminitest.Text("Sunny."))))
	client := dialSocket(t, gatewayOf(t, server))
	first := client.create(t, "The weather?", noStore+weatherTool)
	var results []string
	for _, item := range first.Response.Output {
		if item.Type == "function_call" {
			results = append(results, `{"type":"function_call_output","call_id":"`+item.CallID+
				`","output":"sun"}`)
		}
	}
	if len(results) != 2 {
		t.Fatalf("%s", first.text)
	}
	client.send(t, `{"type":"response.create","model":"gemini-3.6-flash","input":[`+
		strings.Join(results, ",")+`]`+after(first)+weatherTool+`}`)
	frames := client.turn(t)
	if end := frames[len(frames)-1]; end.Type != "response.completed" {
		t.Fatalf("%s", end.text)
	}
	prompt := lastPrompt(t, server)
	wantInOrder(t, prompt, "The weather?", "Porto", "Faro", "sun", "sun")
	if !strings.Contains(prompt, `"`+signature+`"`) {
		t.Errorf("the signature is lost: %s", prompt)
	}
}

func TestAnUnknownResponseAndAResponseOfAnotherConnectionAreNotFound(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	client := dialSocket(t, handler)
	wantNotFound(t, client.create(t, "x", noStore+`,"previous_response_id":"resp_1"`))
	first := client.create(t, "one", noStore)
	other := dialSocket(t, handler)
	wantNotFound(t, other.create(t, "two", after(first)))
	if end := other.create(t, "two", noStore); end.Type != "response.completed" {
		t.Errorf("%s", end.text)
	}
}

func TestAStoredResponseIsFoundByTheNextConnection(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	first := dialSocket(t, handler).create(t, "one", "")
	second := dialSocket(t, handler).create(t, "two", after(first))
	if second.Type != "response.completed" {
		t.Fatalf("%s", second.text)
	}
	wantInOrder(t, lastPrompt(t, server), `"one"`, `"two"`)
	responseOf(t, do(handler, "GET", responsesPath+"/"+first.Response.ID))
}

// A stored response may continue one that only the connection has. The store then has all items.
func TestAStoredResponseAfterOneThatIsNotStoredIsComplete(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	client := dialSocket(t, handler)
	first := client.create(t, "one", noStore)
	second := client.create(t, "two", `,"previous_response_id":"`+first.Response.ID+`"`)
	if end := dialSocket(t, handler).create(t, "three", after(second)); end.Type !=
		"response.completed" {
		t.Fatalf("%s", end.text)
	}
	wantInOrder(t, lastPrompt(t, server), `"one"`, "You said: one", `"two"`, `"three"`)
}

func TestAContinuationThatFailsForgetsTheResponse(t *testing.T) {
	t.Parallel()
	const missing = `[{"type":"function_call_output","call_id":"call_openresponses_missing","output":"x"}]`
	for name, fail := range map[string]func(c *socketClient, first *frame){
		"by the client": func(c *socketClient, first *frame) {
			c.send(t, `{"type":"response.create","model":"gemini-3.6-flash","input":`+missing+
				after(first)+`}`)
			if f := c.next(t); f.Status != http.StatusBadRequest ||
				f.Error.Code != "call_not_found" || *f.Error.Param != "input[0].call_id" {
				t.Errorf("%s", f.text)
			}
		},
		"by Gemini": func(c *socketClient, first *frame) {
			if f := c.create(t, "fail", after(first)); f.Status != http.StatusServiceUnavailable {
				t.Errorf("%s", f.text)
			}
		},
		"in the stream": func(c *socketClient, first *frame) {
			if f := c.create(t, "break", after(first)); f.Type != "response.failed" {
				t.Errorf("%s", f.text)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On(geminitest.Prompt("fail")).Reply(geminitest.Unavailable()).Times(9),
				geminitest.On(geminitest.Prompt("break")).
					Reply(geminitest.Text("one ", "two"), geminitest.Unavailable()).Times(9)))
			client := dialSocket(t, gatewayOf(t, server, gateway.WithMaxAttempts(1)))
			first := client.create(t, "one", noStore)
			fail(client, first)
			wantNotFound(t, client.create(t, "two", after(first)))
		})
	}
}

func TestAForkThatFailsKeepsTheResponseOfTheOtherLane(t *testing.T) {
	t.Parallel()
	client := dialSocket(t, newGateway(t))
	first := client.create(t, "one", noStore)
	const lane = `,"stream_id":"fork"`
	if f := client.create(t, "x", lane+`,"tools":[{"type":"function"}]`+after(first)); f.Type !=
		"error" {
		t.Errorf("%s", f.text)
	}
	fork := client.create(t, "two", lane+after(first))
	if fork.Type != "response.completed" || *fork.Lane != "fork" {
		t.Fatalf("%s", fork.text)
	}
	for _, f := range []*frame{first, fork} {
		if end := client.create(t, "three", `,"stream_id":"third"`+after(f)); end.Type !=
			"response.completed" {
			t.Errorf("%s", end.text)
		}
	}
}

func TestALaneHasItsLatestResponseOnly(t *testing.T) {
	t.Parallel()
	client := dialSocket(t, newGateway(t))
	first := client.create(t, "one", noStore)
	client.create(t, "another conversation", noStore)
	wantNotFound(t, client.create(t, "two", after(first)))
}

func TestAResultWithoutItsCallIsA400WhereTheConversationIsKnown(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	first := responseOf(t, post(handler, responsesPath, asked("one", "")))
	body := `{"model":"gemini-3.6-flash","input":[{"type":"function_call_output","call_id":"c",` +
		`"output":"x"}]`
	e := errorOf(t, post(handler, responsesPath,
		body+`,"previous_response_id":"`+first.ID+`"}`), http.StatusBadRequest)
	if *e.Param != "input[0].call_id" {
		t.Errorf("%+v", e)
	}
	// a client that sends the conversation itself may have cut off its beginning
	responseOf(t, post(handler, responsesPath, body+`}`))
}

func TestAKeyDoesNotContinueTheResponsesOfAnotherKey(t *testing.T) {
	t.Parallel()
	store := responsestore.NewMemory(responsestore.Bounds{})
	handler := newGateway(t, gateway.WithResponseStore(store),
		gateway.WithClientKeys(keysOf(t, "ann", "bob")))
	anns := dialSocket(t, handler, "Authorization", "Bearer key-of-ann")
	bobs := dialSocket(t, handler, "Authorization", "Bearer key-of-bob")
	for _, members := range []string{"", noStore} {
		f := anns.create(t, "one", members)
		wantNotFound(t, bobs.create(t, "two", after(f)))
		if end := anns.create(t, "two", after(f)); end.Type != "response.completed" {
			t.Errorf("%s", end.text)
		}
	}
}
