package signature_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/signature"
	"github.com/go-json-experiment/json/jsontext"
)

func call(name, args, sig string) *geminiapi.Part {
	return &geminiapi.Part{
		FunctionCall:     &geminiapi.FunctionCall{Name: &name, Args: jsontext.Value(args)},
		ThoughtSignature: &sig,
	}
}

func TestSignaturesComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	made := signature.Make(call("f", `{"a":1,"b":[2.50]}`, ""), []byte("turn"), true)
	text := signature.Make(&geminiapi.Part{Text: new("Hi")}, []byte("turn"), true)
	for name, test := range map[string]struct {
		part *geminiapi.Part
		want bool
	}{
		"as it was made":                      {call("f", `{"a":1,"b":[2.50]}`, made), true},
		"arguments written again":             {call("f", `{ "b": [2.5], "a": 1.0 }`, made), true},
		"in the alphabet of addresses":        {call("f", `{"a":1,"b":[2.5]}`, strings.TrimRight(strings.NewReplacer("+", "-", "/", "_").Replace(made), "=")), true},
		"on another call":                     {call("g", `{"a":1,"b":[2.5]}`, made), false},
		"on other arguments":                  {call("f", `{"a":2,"b":[2.5]}`, made), false},
		"of a text on a call":                 {call("f", `{}`, text), false},
		"of a text on another text":           {&geminiapi.Part{Text: new(""), ThoughtSignature: &text}, true},
		"of a call on a text":                 {&geminiapi.Part{Text: new(""), ThoughtSignature: &made}, false},
		"cut":                                 {call("f", `{"a":1,"b":[2.5]}`, made[:len(made)-8]), false},
		"not base64":                          {call("f", `{}`, "not base64!"), false},
		"the documented dummy":                {call("f", `{}`, "skip_thought_signature_validator"), true},
		"the dummy in base64":                 {call("f", `{}`, "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="), true},
		"of the real server":                  {call("f", `{}`, base64.StdEncoding.EncodeToString(append([]byte{0x12, 0x20}, make([]byte, 32)...))), true},
		"of the real server, as long as ours": {call("f", `{}`, base64.StdEncoding.EncodeToString(make([]byte, 64))), true},
		"none":                                {&geminiapi.Part{Text: new("")}, true},
		"absent and empty arguments":          {call("f", "", signature.Make(call("f", "{}", ""), nil, true)), true},
		"made before Gemini 3":                {call("f", "", signature.Make(call("f", "{}", ""), nil, false)), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := signature.IsIntact(test.part); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// Every change of a single character is detected.
func TestAnyChangeIsSeen(t *testing.T) {
	t.Parallel()
	made := signature.Make(call("f", `{}`, ""), []byte("turn"), true)
	// the last character has unused bits
	for i := range len(strings.TrimRight(made, "=")) - 1 {
		changed := []byte(made)
		changed[i] = 'A'
		if made[i] == 'A' {
			changed[i] = 'B'
		}
		if signature.IsIntact(call("f", `{}`, string(changed))) {
			t.Errorf("character %d may be changed", i)
		}
	}
}
