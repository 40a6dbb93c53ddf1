package cli_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// brokenInputs are inputs that no format accepts, each wrong in its own way.
var brokenInputs = []string{
	"", "null", "7", `"x"`, "[]", "{}", "[null]", "[{}]", "x", "<html></html>", "\x00",
	`{"candidates":[{"fi`, "data: {}\n\n", "data: null\n\n", "data: [DONE]\n\n",
	`{"error":{}}`, `{"error":{"code":400,"message":"bad"}}`, `{"promptFeedback":{}}`,
	`{"usageMetadata":{}}`, `{"candidates":[]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":7}]}}]}`, `{"contents":[]}`, `{"messages":[]}`,
	`{"model":"m","messages":[{"role":"x"}]}`, `{"choices":[]}`, `{"type":"start"}`,
	`{"type":"error"}`, `{"type":"text-delta"}`, `{"type":"done","usage":{}}`,
}

// beginsWithPackage matches a message that begins with the name of a package of gemwire.
var beginsWithPackage = regexp.MustCompile(
	`(?m)^(?:gemwire: )?-: (?:/[^:]*: )?(?:offset \d+: )?(agent|aisdk|eventstream|gemini|normalize|openai|request|schema|structured|transform|validation|wire): `)

func TestNoMessageBeginsWithTheNameOfAPackage(t *testing.T) {
	t.Parallel()
	var formats []struct {
		Name string   `json:"name"`
		To   []string `json:"converted_to"`
	}
	if err := json.Unmarshal([]byte(gemwire(t, "", "formats", "--output", "json").stdout),
		&formats); err != nil {
		t.Fatal(err)
	}
	messages := 0
	check := func(body string, args ...string) {
		got := gemwire(t, body, args...)
		messages += strings.Count(got.stderr, "\n")
		if beginsWithPackage.MatchString(got.stderr) {
			t.Errorf("%q %q: %s", args, body, got.stderr)
		}
	}
	for _, from := range formats {
		for _, body := range brokenInputs {
			check(body, "validate", "--as", from.Name)
			for _, to := range from.To {
				check(body, "convert", "--from", from.Name, "--to", to)
			}
		}
	}
	if messages < 500 {
		t.Errorf("only %d messages", messages)
	}
}

func TestAValueThatIsNoObjectIsNoErrorOfTheAPI(t *testing.T) {
	t.Parallel()
	for body, found := range map[string]string{"null": "null", " 7 ": "a number", `"x"`: "a string",
		"true": "a boolean"} {
		want := "gemwire: -: /0: offset 0: an object was expected, found " + found + "\n"
		if got := convert(t, body, "gemini-stream", "openai-response"); got.code != 1 ||
			got.stderr != want {
			t.Errorf("%s: %+v, want %s", body, got, want)
		}
	}
}
