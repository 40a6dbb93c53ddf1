package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

const compactPath = responsesPath + "/compact"

// oldItems are a conversation with a turn that the summary replaces.
const oldItems = `{"role":"developer","content":"Be brief."},{"role":"user","content":"The word is blue."},` +
	`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Noted."}]},` +
	`{"role":"user","content":"Look into a.go."}`

// summarising returns a fake server whose model summarises with the given blocks, and answers all
// other requests with an echo.
func summarising(t testing.TB, blocks ...geminitest.Block) *geminitest.Server {
	t.Helper()
	return geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("about to be replaced by a summary")).Reply(blocks...)))
}

var aSummary = geminitest.Text("The user has named a word.")

// compactBody returns the body of a request with items.
func compactBody(items, members string) string {
	return `{"model":"gemini-3.6-flash","input":[` + items + `]` + members + `}`
}

// windowOf returns the output of a response as items of a list.
func windowOf(t testing.TB, answer *httptest.ResponseRecorder) string {
	t.Helper()
	var out struct{ Output json.RawMessage }
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil || answer.Code != 200 {
		t.Fatalf("HTTP %d: %v: %s", answer.Code, err, answer.Body)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(out.Output), "["), "]")
}

func lastAsked(server *geminitest.Server) string {
	all := server.Requests()
	return string(all[len(all)-1].Body)
}

// hasAll checks that a text contains the parts.
func hasAll(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %s", part, text)
		}
	}
}

// compactCases are the cases of Open Responses about compaction, by their names.
var compactCases = map[string]func(t *testing.T, handler *gateway.Handler){
	"compact-response": func(t *testing.T, handler *gateway.Handler) {
		answer := post(handler, compactPath, compactBody(
			`{"type":"message","role":"user","content":"A."},{"type":"message","role":"assistant","content":"B."}`,
			`,"prompt_cache_key":"k"`))
		descriptiontest.OpenAI(t, "CompactedResponse", answer.Body.Bytes())
		openaitest.Subset(t, answer.Body.String(), `{"object":"response.compaction",
			"output":[{"type":"compaction"}],"usage":{"input_tokens_details":{},"output_tokens_details":{}}}`)
	},
	"compact-missing-model": func(t *testing.T, handler *gateway.Handler) {
		if answer := post(handler, compactPath, `{"input":"x"}`); answer.Code != 400 {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	},
	"websocket-compact-new-chain": func(t *testing.T, handler *gateway.Handler) {
		answer := post(handler, compactPath, compactBody(
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"A."}]},`+
				`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"B."}]},`+
				`{"type":"message","role":"user","content":[{"type":"input_text","text":"C."}]}`, ""))
		completes(t, dialSocket(t, handler).last(t, ofInput(
			"["+windowOf(t, answer)+`,{"type":"message","role":"user","content":"D."}]`,
			noStore+`,"tools":[]`)))
	},
}

func TestTheCasesOfOpenResponsesAboutCompactionHold(t *testing.T) {
	t.Parallel()
	for name, run := range compactCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, gatewayOf(t, summarising(t, aSummary)))
		})
		t.Run(name+", with a store", func(t *testing.T) {
			t.Parallel()
			run(t, keeping(t, summarising(t, aSummary)))
		})
	}
}

func TestAShortenedConversationContinues(t *testing.T) {
	t.Parallel()
	server, book := summarising(t, aSummary), &diary{wantsBodies: true}
	handler := gatewayOf(t, server, gateway.WithObserver(book))
	answer := post(handler, compactPath, compactBody(oldItems, ""))
	items := windowOf(t, answer)
	if strings.Contains(items, "blue") || strings.Count(items, `"type"`) != 1 {
		t.Errorf("the output is %s", items)
	}
	end := book.last()
	usage := end.end.Usage
	openaitest.Subset(t, answer.Body.String(), fmt.Sprintf(`{"usage":{"input_tokens":%d,"output_tokens":%d,
		"total_tokens":%d}}`, usage.InputTokens,
		usage.OutputTokens+usage.ThinkingTokens, usage.TotalTokens))
	if end.end.Compacted != 2 || end.end.Usage.TotalTokens == 0 || len(end.attempts) != 1 {
		t.Errorf("observed %+v", end.end)
	}
	for _, pointer := range []string{"/input/1", "/input/2"} {
		if !slices.ContainsFunc(end.reported,
			func(e report.Entry) bool { return e.Pointer == pointer && e.Kind == report.Approximated }) {
			t.Errorf("%s is not in the report %v", pointer, end.reported)
		}
	}
	post(handler, responsesPath, compactBody(items+`,{"role":"user","content":"And now?"}`, ""))
	last := lastAsked(server)
	hasAll(t, last, "Be brief.", "Look into a.go.", "The user has named a word.", "And now?")
	if strings.Contains(last, "blue") {
		t.Errorf("the old turn is in %s", last)
	}
}

func TestAForeignCompactionItemIsRefused(t *testing.T) {
	t.Parallel()
	secret := gateway.WithCompactionKey([]byte("a secret of the replicas"))
	server := summarising(t, aSummary)
	keys, err := clientkey.Read([]byte("keys:\n- {name: a, hash: '" + clientkey.Hash("a's") +
		"'}\n- {name: b, hash: '" + clientkey.Hash("b's") + "'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	handler := gatewayOf(t, server, gateway.WithClientKeys(keys), secret)
	of := func(key string) []string { return []string{"Authorization", "Bearer " + key} }
	a := of("a's")
	item := windowOf(t, post(handler, compactPath, compactBody(oldItems, ""), a...))
	changed := strings.Replace(item, "gemwire-compaction-1.", "gemwire-compaction-1.AAAA", 1)
	replica := gatewayOf(t, server, gateway.WithClientKeys(keys), secret)
	for name, test := range map[string]struct {
		handler *gateway.Handler
		item    string
		key     []string
		want    string // "" for an answer
	}{
		"its own client":   {handler, item, a, ""},
		"another replica":  {replica, item, a, ""},
		"another client":   {handler, item, of("b's"), "another client key"},
		"a changed one":    {handler, changed, a, "it was changed"},
		"another key":      {gatewayOf(t, server, gateway.WithClientKeys(keys)), item, a, "no longer has"},
		"another server's": {handler, `{"type":"compaction","encrypted_content":"gAAAAA"}`, a, "another server"},
	} {
		answer := post(test.handler, responsesPath,
			compactBody(`{"role":"user","content":"x"},`+test.item, ""), test.key...)
		if test.want == "" {
			if answer.Code != 200 {
				t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
			}
			continue
		}
		openaitest.Subset(t, answer.Body.String(),
			`{"error":{"code":"invalid_compaction","param":"input[1].encrypted_content"}}`)
		hasAll(t, answer.Body.String(), test.want)
	}
}

func TestASecretOfTheProcessOutlivesAReload(t *testing.T) {
	t.Parallel()
	server := summarising(t, aSummary)
	handler := gatewayOf(t, server)
	item := windowOf(t, post(handler, compactPath, compactBody(oldItems, "")))
	for _, opts := range [][]gateway.Option{nil, {gateway.WithCompactionKey([]byte("a new secret"))}} {
		if err := handler.Reload(append(opts, gateway.WithAllowedHosts("example.com"))...); err != nil {
			t.Fatal(err)
		}
		if answer := post(handler, responsesPath, compactBody(item, "")); answer.Code != 200 {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	}
}

const trigger = `,{"type":"compaction_trigger"}`

func TestATriggerReturnsOneCompactionItem(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, summarising(t, aSummary))
	answer := post(handler, responsesPath, compactBody(oldItems+trigger, `,"stream":true`))
	events := responseEventsOf(t, answer.Body.Bytes())
	var got []string
	for _, e := range events {
		got = append(got, string(e.Type))
	}
	if want := "response.created response.in_progress response.output_item.added " +
		"response.output_item.done response.completed"; strings.Join(got, " ") != want {
		t.Errorf("events %v", got)
	}
	output := events[len(events)-1].Response.Output
	if len(output) != 1 || output[0].Type != "compaction" || output[0].EncryptedContent == nil ||
		!strings.HasPrefix(output[0].ID, "cmp_") {
		t.Errorf("output %+v", output)
	}
	frame := completes(t, dialSocket(t, handler).last(t, ofInput("["+oldItems+trigger+"]", noStore)))
	if got := frame.Response.Output; len(got) != 1 || got[0].Type != "compaction" {
		t.Errorf("by WebSocket: %s", frame.text)
	}
	early := post(handler, responsesPath, compactBody(`{"type":"compaction_trigger"},`+oldItems, ""))
	if e := errorOf(t, early, 400); *e.Code != "invalid_compaction" || *e.Param != "input[0]" {
		t.Errorf("a trigger that is not last: %+v", e)
	}
}

func TestAnOpenCallSurvivesWithItsSignature(t *testing.T) {
	t.Parallel()
	const signature = "Zmlyc3Q/Pj8+8J+Usv//AAE="
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("about to be replaced by a summary")).Reply(aSummary),
		geminitest.On(geminitest.Prompt("Porto")).Reply(
			geminitest.Signed(signature, geminitest.Call("get_weather", `{"place":"Porto"}`))).Times(1)))
	handler := gatewayOf(t, server)
	question := `{"role":"user","content":"The weather in Porto?"}`
	called := windowOf(t, post(handler, responsesPath, compactBody(question, ","+placeTool)))
	item := windowOf(t, post(handler, compactPath, compactBody(
		`{"role":"user","content":"old"},{"role":"assistant","content":"older"},`+question+","+called, ","+placeTool)))
	if strings.Contains(lastAsked(server), signature) {
		t.Error("the model is asked to summarise an open call")
	}
	var calls []struct {
		CallID string `json:"call_id"`
	}
	if err := json.Unmarshal([]byte("["+called+"]"), &calls); err != nil {
		t.Fatal(err)
	}
	answer := post(handler, responsesPath, compactBody(item+`,{"type":"function_call_output","call_id":"`+
		calls[len(calls)-1].CallID+`","output":"sunny"}`, ","+placeTool))
	if answer.Code != 200 {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	hasAll(t, lastAsked(server), `"thoughtSignature":"`+signature+`"`, "sunny", "The user has named a word.")
}

func TestAConversationAboveItsThresholdIsShortenedInTheTurn(t *testing.T) {
	t.Parallel()
	rule, long := shortRule, longItems
	server := summarising(t, aSummary)
	book := &diary{}
	handler := keeping(t, server, gateway.WithObserver(book))
	answer := post(handler, responsesPath, compactBody(long, rule))
	items := windowOf(t, answer)
	if !strings.HasPrefix(items, `{"id":"cmp_`) || !strings.Contains(items, `,{"id":"msg_`) {
		t.Errorf("the output is %s", items)
	}
	hasAll(t, lastAsked(server), "Go on.", "The user has named a word.")
	if asked := server.Requests(); len(asked) != 2 || strings.Contains(lastAsked(server), "blue") {
		t.Errorf("%d calls, the last is %s", len(asked), lastAsked(server))
	}
	answered := book.last().end
	if answered.Compacted != 2 || answered.Lost != 0 {
		t.Errorf("observed %+v", answered)
	}
	var made struct {
		ID    string
		Usage struct {
			Total int `json:"total_tokens"`
		}
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &made); err != nil ||
		answered.Usage.TotalTokens <= made.Usage.Total {
		t.Errorf("the summary is not counted: %+v, %+v", answered.Usage, made)
	}
	for name, next := range map[string]string{
		"a client that sends everything again": compactBody(long+","+items+`,{"role":"user","content":"More."}`, rule),
		"a stored response":                    `{"model":"gemini-3.6-flash","input":"More.","previous_response_id":"` + made.ID + `"}`,
	} {
		before := len(server.Requests())
		if answer := post(handler, responsesPath, next); answer.Code != 200 {
			t.Fatalf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
		}
		hasAll(t, lastAsked(server), "More.", "Go on.", "The user has named a word.")
		if len(server.Requests()) != before+1 || strings.Contains(lastAsked(server), "blue") {
			t.Errorf("%s: asked %s", name, lastAsked(server))
		}
	}
	events := responseEventsOf(t, post(handler, responsesPath, compactBody(long, rule+`,"stream":true`)).Body.Bytes())
	if output := events[len(events)-1].Response.Output; len(output) < 2 || output[0].Type != "compaction" || output[1].Type != "message" {
		t.Errorf("streamed %d items", len(output))
	}
	below := post(handler, responsesPath, compactBody(oldItems, rule))
	if strings.Contains(windowOf(t, below), "compaction") {
		t.Errorf("shortened below the threshold: %s", below.Body)
	}
	small := post(handler, responsesPath, compactBody(oldItems, strings.Replace(rule, "1000", "999", 1)))
	if small.Code != 400 {
		t.Errorf("HTTP %d: %s", small.Code, small.Body)
	}
}

func TestThePromptForASummaryIsReplaceable(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	post(gatewayOf(t, server, gateway.WithCompactionPrompt("Sum it up.")), compactPath,
		compactBody(oldItems, ""))
	hasAll(t, lastAsked(server), "Sum it up.")
}

func TestARequestToShortenThatIsNoRequestIsRefusedWithItsFault(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for body, want := range map[string]string{
		"":                                       "the body is empty",
		"null":                                   "an object was expected, found null",
		"[]":                                     "an object was expected, found a list",
		`{"model":"gemini-3.6-flash","input":[`:  "/input: the body ends too early",
		`{"input":"hi"}`:                         "/model: must be set",
		`{"model":"gemini-3.6-flash","input":7}`: "/input: a list was expected, found a number",
		`{"model":"gemini-3.6-flash","input":[]}`:   "no conversation to shorten",
		`{"model":"gemini-3.6-flash","input":null}`: "no conversation to shorten",
	} {
		answer := post(handler, compactPath, body)
		if answer.Code != 400 || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: HTTP %d: %s", body, answer.Code, answer.Body)
		}
	}
}
