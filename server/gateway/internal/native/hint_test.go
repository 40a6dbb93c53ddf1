package native_test

import (
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/native"
)

func TestAHintIsAddedToTheMessageOfAnErrorAndNothingElseChanges(t *testing.T) {
	t.Parallel()
	const hint = "; did you mean \"b\"?"
	for body, want := range map[string]string{
		`{ "error" : { "code":404, "message":"no a.", "status":"NOT_FOUND" } }` + "\n":  `{ "error" : { "code":404, "message":"no a; did you mean \"b\"?", "status":"NOT_FOUND" } }` + "\n",
		`[{"error":{"message":"no \u0061"}}]`:                                           `[{"error":{"message":"no a; did you mean \"b\"?"}}]`,
		`{"error":{"message":""}}`:                                                      `{"error":{"message":"; did you mean \"b\"?"}}`,
		`{"other":{"message":"a"},"error":{"details":[{"message":"a"}],"message":"a"}}`: `{"other":{"message":"a"},"error":{"details":[{"message":"a"}],"message":"a; did you mean \"b\"?"}}`,
		// no such message
		`{"error":{"message":4}}`: `{"error":{"message":4}}`, `{"error":"a"}`: `{"error":"a"}`,
		`<html>`: `<html>`, ``: ``, `{"error":{"message":"a`: `{"error":{"message":"a`,
		`{"message":"a"}`: `{"message":"a"}`,
	} {
		if got := string(native.WithHint([]byte(body), hint)); got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
}
