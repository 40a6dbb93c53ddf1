package modellist_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/go-json-experiment/json"
)

func TestADescriptionLeavesOutLimitsThatAreNotKnown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limits        models.Limits
		input, output string
	}{
		"none":   {models.Limits{}, "", ""},
		"input":  {models.Limits{Input: 1}, `"max_input_tokens":1`, ""},
		"output": {models.Limits{Output: 1}, "", `"max_tokens":1`},
		"both":   {models.Limits{Input: 7, Output: 2}, `"max_input_tokens":7`, `"max_tokens":2`},
	} {
		described := modellist.Describe("gemini-x", test.limits)
		text, err := json.Marshal(&described)
		if err != nil {
			t.Fatal(err)
		}
		for member, want := range map[string]string{
			`"max_input_tokens"`: test.input, `"max_tokens"`: test.output,
		} {
			if got := strings.Contains(string(text), member); got != (want != "") ||
				!strings.Contains(string(text), want) {
				t.Errorf("%s: %s; want %q", name, text, want)
			}
		}
	}
}
