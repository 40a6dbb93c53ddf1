package normalize_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// fixedIDs makes normalising repeatable.
var fixedIDs = normalize.WithToolCallIDs(func(responseID string, candidate, part int) string {
	return "call-" + responseID + "-" + string(rune('0'+candidate)) + "-" +
		string(rune('0'+part%64))
})

// fromWire decodes a response from Google.
func fromWire(t testing.TB, body string) *geminiapi.GenerateContentResponse {
	t.Helper()
	r, err := gemini.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// normalized decodes and normalises a response, which must be valid.
func normalized(t testing.TB, body string) *normalize.Response {
	t.Helper()
	out, err := normalize.FromResponse(fromWire(t, body), fixedIDs)
	if err != nil {
		t.Fatal(err)
	}
	if err := normalize.Validate(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// withParts is a response with the given parts and nothing else.
func withParts(parts string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `]}}]}`
}

// asJSON writes a value like [normalize.Encode] does.
func asJSON(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value, jsontext.PreserveRawStrings(true), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// equalJSON fails the test if two JSON texts differ in more than white space and order.
func equalJSON(t testing.TB, got, want string) {
	t.Helper()
	if diff := cmp.Diff(readable(t, want), readable(t, got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func readable(t testing.TB, text string) string {
	t.Helper()
	value := jsontext.Value(text).Clone()
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if err := value.Indent(); err != nil {
		t.Fatal(err)
	}
	return string(value)
}
