package plainjson

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// bytewise is plainRun, one byte at a time.
func bytewise(s string) (n int, ascii bool) {
	ascii = true
	for n < len(s) && s[n] >= ' ' && s[n] != '"' && s[n] != '\\' {
		ascii = ascii && s[n] < utf8.RuneSelf
		n++
	}
	return n, ascii
}

func checkPlainRun(t *testing.T, s string) {
	t.Helper()
	wantN, wantASCII := bytewise(s)
	if n, ascii := plainRun(s); n != wantN || ascii != wantASCII {
		t.Fatalf("%q: %d, %v; want %d, %v", s, n, ascii, wantN, wantASCII)
	}
	if n, ascii := plainRun([]byte(s)); n != wantN || ascii != wantASCII {
		t.Fatalf("%q as bytes: %d, %v; want %d, %v", s, n, ascii, wantN, wantASCII)
	}
}

// Only two neighbouring bytes can influence each other, at any position of a word.
func TestPlainRunKnowsEveryPairOfBytesAtEveryPlace(t *testing.T) {
	t.Parallel()
	for place := range 10 {
		text := []byte("abcdefghijklmnopqrs")
		for first := range 256 {
			for second := range 256 {
				text[place], text[place+1] = byte(first), byte(second)
				checkPlainRun(t, string(text))
			}
		}
	}
}

func TestPlainRunOfEveryLength(t *testing.T) {
	t.Parallel()
	for length := range 40 {
		for _, end := range []string{"", `"`, "é", "\x1f", "\x7f"} {
			checkPlainRun(t, strings.Repeat("x", length)+end)
			checkPlainRun(t, strings.Repeat("x", length)+end+"yyyyyyyyyyyyyyyyy")
		}
	}
}

func FuzzPlainRun(f *testing.F) {
	f.Add(`plain text"`)
	f.Fuzz(checkPlainRun)
}

func TestStringsAreReadAsTheLibraryReadsThem(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `plain`, `model`, `user`, `12345678`, `\"`, `\\`, `\\\"`, `\/\b\f\n\r\t`,
		`\u0041\u00e9\ud83d\uDE00`, `é – 灯台 🗼`, `long text with an é and \n escapes`,
		`\u4e2d\u6587\u4e2d\u6587`, `\ud800`, `\ud800x`, `\ud800\u0041`, `\ude00`, `\ud83d\ud83d`,
		`\ufffd`, `\u00`, `\u00zz`, `\U0041`, `\x`, `\`, `a\`,
		"tab\t", "\\n\xff", "\\n\x01", "\x00", "\x7f", "\xff", "é\xff", "\xed\xa0\x80", "\xc3",
		"a\\\xff", "\u2028",
	} {
		checkString(t, `"`+text+`"`)
		checkString(t, `"`+text)
	}
}

func FuzzStringsAreReadAsTheLibraryReadsThem(f *testing.F) {
	f.Add(`"a\n\u00e9\ud83d\ude00é"`)
	f.Fuzz(checkString)
}

// checkString also checks textEnd, which does not allocate a string.
func checkString(t *testing.T, quoted string) {
	t.Helper()
	want, err := jsontext.AppendUnquote(nil, quoted)
	d := NewDecoder([]byte(quoted))
	got := d.String()
	isString := jsontext.Value(quoted).IsValid() && jsontext.Value(quoted).Kind() == '"'
	if strings.TrimSpace(quoted) == quoted && isString != (err == nil) {
		t.Fatalf("%q: the library does not agree with itself: %v", quoted, err)
	}
	if d.Done() != isString {
		t.Fatalf("%q: read %v, want %v", quoted, d.Done(), isString)
	}
	if isString && strings.TrimSpace(quoted) == quoted && got != string(want) {
		t.Fatalf("%q: %q, want %q", quoted, got, want)
	}
	if n, ok := valueLen([]byte(strings.TrimLeft(quoted, " \n\r\t")), 0); ok && isString &&
		n != len(strings.Trim(quoted, " \n\r\t")) {
		t.Fatalf("%q: %d bytes", quoted, n)
	}
}

func TestStringsAreWrittenAsTheLibraryWritesThem(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		checkQuote(t, string([]byte{byte(c)}))
		checkQuote(t, "before"+string(rune(c))+"after")
	}
	checkQuote(t, "é – 灯台 🗼 \u2028 <&> \ufffd")
}

func FuzzStringsAreWrittenAsTheLibraryWritesThem(f *testing.F) {
	f.Add("a\n\"é\xff")
	f.Fuzz(checkQuote)
}

func checkQuote(t *testing.T, s string) {
	t.Helper()
	want, err := jsontext.AppendQuote(nil, s)
	var whole, pieces Encoder
	got := whole.String(nil, s)
	if whole.Done() != (err == nil) || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%q: %s, %v; want %s, %v", s, got, whole.Done(), want, err)
	}
	if cut := len(s) / 2; err == nil && utf8.ValidString(s[:cut]) {
		if got := pieces.Strings(nil, s[:cut], s[cut:]); !bytes.Equal(got, want) {
			t.Fatalf("%q in two pieces: %s, want %s", s, got, want)
		}
	}
}

func TestManyEscapesReserveNoExtraMemory(t *testing.T) {
	in := []byte(`"` + strings.Repeat(`\u4e2d`, 1000) + `"`)
	d := NewDecoder(in)
	text := d.String()
	if !d.Done() || len(text) != 3000 {
		t.Fatalf("%d bytes, done %v", len(text), d.Done())
	}
	if n := testing.AllocsPerRun(10, func() { d := NewDecoder(in); _ = d.String() }); n != 2 {
		t.Errorf("%v allocations, want a second one of the right size", n)
	}
}

func TestWordsAreShort(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`"STOP"`: "STOP", `""`: "", ` "A" `: "A",
		`"\u0041"`: "", `"é"`: "", `1`: "", `"A`: ""} {
		d := NewDecoder([]byte(text))
		if got := string(d.Word()); got != want || d.Done() != (want != "" || text == `""`) {
			t.Errorf("%s: %q, %v", text, got, d.Done())
		}
	}
}

func ExampleDecoder() {
	d := NewDecoder([]byte(`{"name":"a","size":[1,2]}`))
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "name":
			fmt.Println(d.String())
		case "size":
			for more := d.BeginList(); more; more = d.NextElement() {
				fmt.Println(d.Int())
			}
		}
	}
	fmt.Println(d.Done())
	// Output:
	// a
	// 1
	// 2
	// true
}
