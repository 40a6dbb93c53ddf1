package search

import (
	"encoding/json"
	"iter"
	"strings"
	"testing"
	"unicode/utf8"
)

// one returns a text as the only one of an exchange.
func one(text string) iter.Seq[Text] {
	return func(yield func(Text) bool) { yield(Text{Where: "text", Text: text, IsJSON: true}) }
}

func TestATextIsFoundWithoutItsEscapes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		needle, text string
		hit          string // "" for none
	}{
		{"porto", `{"a":"To Porto"}`, "Porto"},
		{"PORTO", `{"a":"porto"}`, "porto"},
		{"a b", `{"x":"A   B"}`, "A   B"},
		{"a b", `{"x":"a\nb"}`, `a\nb`},
		{"a b", `{"x":"a\\nb"}`, `a\\nb`},
		{`say "hi"`, `{"x":"say \"hi\""}`, `say \"hi\"`},
		{`"from":"porto"`, `{"arguments":"{\"from\":\"Porto\"}"}`, `\"from\":\"Porto\"`},
		{"é", `{"x":"caf\u00e9"}`, `\u00e9`},
		{"CAFÉ au", `{"x":"caf\u00e9 au"}`, `caf\u00e9 au`},
		{"café", `{"x":"café"}`, "café"},
		{"<b>", `{"x":"\u003cb\u003e"}`, `\u003cb\u003e`},
		{"<>", `{"x":"\u003c\u003e"}`, `\u003c\u003e`},
		{"😀 ok", `{"x":"\ud83d\ude00 ok"}`, `\ud83d\ude00 ok`},
		{"日本", `{"x":"\u65e5\u672c"}`, `\u65e5\u672c`},
		{"日本", `{"x":"日本"}`, "日本"},
		{`c:\new`, `{"x":"C:\\new"}`, `C:\\new`},
		{`a/b`, `{"x":"a\/b"}`, `a\/b`},
		{"cnew", `{"x":"c\\new"}`, ""},
		{"an", `{"x":"a\n"}`, ""},
		{"new", `{"x":"a\new"}`, ""},
		{"3c", `{"x":"\u003c"}`, ""},
		{"porto faro", `{"x":"porto, faro"}`, ""},
		{"x", ``, ""},
		{"straße", `{"x":"STRAßE"}`, "STRAßE"},
	} {
		start, end := newNeedle(test.needle).find(test.text, 0, true)
		got := ""
		if start >= 0 {
			got = test.text[start:end]
		}
		if got != test.hit {
			t.Errorf("%q in %s: got %q, expected %q", test.needle, test.text, got, test.hit)
		}
	}
}

func TestATextThatIsNotJSONHasNoEscapes(t *testing.T) {
	t.Parallel()
	if at, _ := newNeedle("a b").find(`a\nb`, 0, false); at >= 0 {
		t.Error("an escape was read")
	}
	if at, _ := newNeedle(`c:\n`).find(`C:\new`, 0, false); at != 0 {
		t.Errorf("found at %d", at)
	}
}

// FuzzFind compares the search in JSON with the search in the decoded text.
func FuzzFind(f *testing.F) {
	for _, seed := range [][2]string{{"To Porto", "porto"}, {"a \"b\" \\ c", `"b`}, {"<é>\n😀", "<É> 😀"},
		{"ſ", "s"}, {"\\\\n", "n"}, {"\u2028x", "x"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, wanted string) {
		n := newNeedle(wanted)
		// Runs of backslashes are equal to one, and to none before some characters.
		if n == nil || !utf8.ValidString(text) || strings.Contains(text, `\`) ||
			strings.Contains(wanted, `\`) || strings.ContainsAny(text, "\b\f\v\x00") {
			t.Skip()
		}
		for i := range text {
			if text[i] < ' ' && !strings.ContainsRune("\n\t\r", rune(text[i])) || text[i] == 0x7f {
				t.Skip()
			}
		}
		if strings.ContainsAny(text+wanted, "\u0085\u00a0\u2028\u2029") {
			t.Skip() // White space that JSON may escape.
		}
		plain, _ := n.find(text, 0, false)
		data, err := json.Marshal(text)
		if err != nil {
			t.Skip()
		}
		document := string(data[1 : len(data)-1])
		start, end := n.find(document, 0, true)
		if (plain >= 0) != (start >= 0) {
			t.Errorf("%q in %q: at %d, in %s at %d", wanted, text, plain, document, start)
		}
		if start > end || end > len(document) {
			t.Errorf("%q in %s: %d to %d", wanted, document, start, end)
		}
	})
}
