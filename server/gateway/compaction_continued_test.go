package gateway_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// What a client has put before the item of a shortened conversation belongs to its conversation,
// also when the gateway has stored both.
func TestWhatPrecedesAStoredCompactionItemOfTheClientStays(t *testing.T) {
	t.Parallel()
	const next = `{"model":"gemini-3.6-flash","input":"Next.","`
	server := summarising(t, aSummary)
	handler := keeping(t, server)
	item := windowOf(t, post(handler, compactPath, compactBody(oldItems, "")))
	before := `{"type":"message","role":"developer","content":"Speak French."},` +
		`{"type":"message","role":"user","content":"My name is Ann."},`
	first := post(handler, responsesPath, compactBody(
		before+item+`,{"role":"user","content":"First."}`, ""))
	made := post(handler, "/v1/conversations", `{"items":[`+before+item+`]}`)
	for name, member := range map[string]string{
		"previous_response_id": idOf(t, first.Body.String()),
		"conversation":         idOf(t, made.Body.String()),
	} {
		answer := post(handler, responsesPath, next+name+`":"`+member+`"}`)
		if answer.Code != http.StatusOK {
			t.Fatalf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
		}
		hasAll(t, lastAsked(server), "Speak French.", "My name is Ann.",
			"The user has named a word.", "Next.")
	}
	triggered := post(handler, responsesPath, compactBody(before+
		`{"role":"assistant","content":"Hello."},{"role":"user","content":"Go."}`+trigger, ""))
	post(handler, responsesPath, next+`previous_response_id":"`+
		idOf(t, triggered.Body.String())+`"}`)
	if asked := lastAsked(server); strings.Contains(asked, "My name is Ann.") {
		t.Errorf("asked %s", asked)
	}
}

// idOf returns the id of a JSON object.
func idOf(t testing.TB, object string) string {
	t.Helper()
	var out struct{ ID string }
	if err := json.Unmarshal([]byte(object), &out); err != nil || out.ID == "" {
		t.Fatalf("no id: %v: %s", err, object)
	}
	return out.ID
}
