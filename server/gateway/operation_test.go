package gateway_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/internal/toyformtest"
)

// A form decides by its Memory, and not by the Go type of its requests, what the gateway adds.
func TestFormsWithoutMemoryGetTheirAnswersUnchanged(t *testing.T) {
	t.Parallel()
	forgetful := chat.Form()
	forgetful.Name, forgetful.Paths = "forgetful", []string{"/forgetful"}
	forgetful.Memory = transform.NoMemory
	const signature = "c2lnbmF0dXJlLXRoYXQtdHJhdmVscw=="
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Signed(signature, geminitest.Call("get_time", `{}`))).Unchecked().Times(2)))
	handler := gatewayOf(t, server, gateway.WithForms(transform.Forms{chat.Form(), forgetful}))
	ids := map[string]string{}
	for _, path := range []string{chatPath, "/forgetful"} {
		answer, err := handler.Answer(t.Context(),
			&gateway.Request{Path: path, Body: []byte(pathBodies[chatPath])})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		_, rest, _ := strings.Cut(string(answer.Body), `"tool_calls":`)
		_, rest, _ = strings.Cut(rest, `"id":"`)
		ids[path], _, _ = strings.Cut(rest, `"`)
	}
	if plain := ids["/forgetful"]; plain == "" || len(ids[chatPath]) <= len(plain) {
		t.Errorf("the ids are %v; want a signature in that of %s only", ids, chatPath)
	}
}

func TestANewFormIsConvertedForBatches(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t),
		gateway.WithForms(transform.Forms{toyformtest.Form()}))
	in := &gateway.Request{Path: "/toy/shout", Body: []byte(`{"model":"gemini-2.5-flash","shout":"hi"}`)}
	converted, err := handler.Convert(t.Context(), in)
	if err != nil || len(converted.Requests) != 1 ||
		!strings.Contains(string(converted.Requests[0]), `"hi"`) {
		t.Fatalf("%v, %+v", err, converted)
	}
	reply := gateway.Reply{Body: []byte(`{"candidates":[{"content":{"parts":[{"text":"fine"}]}}]}`)}
	answer, err := handler.ConvertReplies(t.Context(), in, []gateway.Reply{reply})
	if want := `{"echo":"FINE"}`; err != nil || string(answer.Body) != want {
		t.Errorf("%v: %s, want %s", err, answer.Body, want)
	}
}
