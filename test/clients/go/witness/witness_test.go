package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const (
	chat = "/v1/chat/completions"
	good = `{"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}`

	messages     = "/v1/messages"
	messageStart = "event: message_start\ndata: " +
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}` +
		"\n\n"
	messageEnd = "event: message_delta\ndata: " +
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":1,"output_tokens":1}}` +
		"\n\nevent: message_stop\ndata: " + `{"type":"message_stop"}` + "\n\n"

	interaction        = "/v1beta/interactions"
	interactionCreated = "event: interaction.created\ndata: " +
		`{"interaction":{"id":"v1_a","status":"in_progress"},"event_type":"interaction.created"}` + "\n\n"
	interactionCompleted = "event: interaction.completed\ndata: " +
		`{"interaction":{"id":"v1_a","status":"completed"},"event_type":"interaction.completed"}` + "\n\n"

	delta = `{"type":"response.output_text.delta","sequence_number":0,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"a","logprobs":[]}`
)

func TestFaultsAreNoticed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		path, mediaType, body string
		status                int
		want                  string // "" for no fault
	}{
		"a stream":                  {chat, "text/event-stream", "data: " + good + "\n\n: still here\n\ndata: [DONE]\n\n", 200, ""},
		"a stream that fails":       {chat, "text/event-stream", `data: {"error":{"message":"m","type":"t","param":null,"code":null}}` + "\n\n", 200, ""},
		"no [DONE]":                 {chat, "text/event-stream", "data: " + good + "\n\n", 200, "without [DONE]"},
		"half an event":             {chat, "text/event-stream", "data: " + good + "\n\ndata: {", 200, "within an event"},
		"an event after [DONE]":     {chat, "text/event-stream", "data: [DONE]\n\ndata: " + good + "\n\n", 200, "follows the last"},
		"a name of an event":        {chat, "text/event-stream", "event: a\ndata: [DONE]\n\n", 200, "not one data line"},
		"a chunk without choices":   {chat, "text/event-stream", `data: {"id":"a","object":"chat.completion.chunk","created":1,"model":"m"}` + "\n\ndata: [DONE]\n\n", 200, "choices"},
		"an error that is null":     {chat, "text/event-stream", "data: " + strings.Replace(good, "{", `{"error":null,`, 1) + "\n\ndata: [DONE]\n\n", 200, "error"},
		"a page":                    {chat, "text/html", "<html>", 200, "of the type"},
		"a completion without id":   {chat, "application/json", `{"object":"chat.completion"}`, 200, `"id" is missing`},
		"an error that is a string": {chat, "application/json", `{"error":"no"}`, 400, "ErrorResponse"},
		"models":                    {"/v1/models", "application/json", `{"object":"list","data":[]}`, 200, ""},
		"models without data":       {"/v1/models", "application/json", `{"object":"list"}`, 200, "data"},
		"a message":                 {messages, "text/event-stream", messageStart + messageEnd, 200, ""},
		"a message without an end":  {messages, "text/event-stream", messageStart, 200, "not in order"},
		"an event of another type":  {messages, "text/event-stream", strings.Replace(messageStart, "event: message_start", "event: ping", 1) + messageEnd, 200, "of the type"},
		"no name of an event":       {messages, "text/event-stream", strings.Replace(messageStart, "event: message_start\n", "", 1) + messageEnd, 200, "not a line with its name"},
		"an error of Messages":      {messages, "application/json", `{"type":"error","error":{"type":"api_error","message":"m"},"request_id":"req_1"}`, 500, ""},
		"an error of another API":   {messages, "application/json", `{"error":{"message":"m"}}`, 500, "ErrorResponse"},
		"a response cut off":        {"/v1/responses", "text/event-stream", "event: response.output_text.delta\ndata: " + delta + "\n\n", 200, "not in order"},
		"half a response's event":   {"/v1/responses", "text/event-stream", "event: response.output_text.delta\ndata: {", 200, "within an event"},
		"a resumed response":        {"/v1/responses/resp_1?starting_after=3", "text/event-stream", "event: response.output_text.delta\ndata: " + delta + "\n\n", 200, ""},
		"an event of no type":       {"/v1/responses/resp_1?starting_after=3", "text/event-stream", "event: a\ndata: {}\n\n", 200, "of the type"},
		"a conversation":            {"/v1/conversations", "application/json", `{"id":"conv_1"}`, 200, ""},
		"items without data":        {"/v1/conversations/conv_1/items", "application/json", `{"object":"list"}`, 200, "data"},
		"an error of conversations": {"/v1/conversations/conv_1", "application/json", `{}`, 404, "ErrorResponse"},
		"an interaction":            {interaction, "text/event-stream", interactionCreated + interactionCompleted + doneEvent, 200, ""},
		"an interaction, no [DONE]": {interaction, "text/event-stream", interactionCreated + interactionCompleted, 200, "not end with [DONE]"},
		"an interaction cut off":    {interaction, "text/event-stream", interactionCreated + doneEvent, 200, "not in order"},
		"a resumed interaction":     {interaction + "/v1_a?last_event_id=1", "text/event-stream", interactionCompleted + doneEvent, 200, ""},
		"steps that are a string":   {interaction, "application/json", `{"steps":"none"}`, 200, "Interaction"},
		"an error of interactions":  {"/v1/interactions/v1_a", "application/json", `{"error":{"message":"m","code":"not_found"}}`, 404, ""},
		"Google's own":              {"/v1beta/models", "application/json", `{}`, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults := faultsOf(t, test.path, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("X-Request-Id", "req_1")
				w.Header().Set("Request-Id", "req_1")
				w.Header().Set("Content-Type", test.mediaType)
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			})
			if test.want == "" && faults != "" || !strings.Contains(faults, test.want) {
				t.Errorf("the faults are %q, want %q", faults, test.want)
			}
		})
	}
}

func TestAnswerWithoutTheIDOfItsRequestIsNoticed(t *testing.T) {
	t.Parallel()
	faults := faultsOf(t, "/v1/models", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"object":"list","data":[]}`)
	})
	if !strings.Contains(faults, "no id") {
		t.Errorf("the faults are %q", faults)
	}
}

func TestAnswerThatIsCutOffIsNoticed(t *testing.T) {
	t.Parallel()
	faults := faultsOf(t, chat, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req_1")
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: "+good+"\n\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	if !strings.Contains(faults, "cut off") {
		t.Errorf("the faults are %q", faults)
	}
}

// faultsOf returns what is wrong with an answer, and sees that it is passed on.
func faultsOf(t *testing.T, path string, gateway http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(gateway)
	defer server.Close()
	target, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan []error, 1)
	front := httptest.NewServer(newWitness(target,
		func(_ answer, faults []error) { told <- faults }))
	defer front.Close()
	method := http.MethodPost
	if strings.HasPrefix(path, "/v1/models") {
		method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(t.Context(), method, front.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	_, _ = io.ReadAll(reply.Body) // it may be cut off
	var text strings.Builder
	for _, fault := range <-told {
		text.WriteString(fault.Error() + "\n")
	}
	return text.String()
}
