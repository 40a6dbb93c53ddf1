package plainjson

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestValuesAreReadAndWrittenAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	many := func(last string) string {
		var names []string
		for i := range 40 {
			names = append(names, strconv.Quote(strconv.Itoa(i))+":"+strconv.Itoa(i))
		}
		return "{" + strings.Join(append(names, last), ",") + "}"
	}
	for _, value := range []string{
		`null`, `true`, `false`, `nul`, `tru`, `falsee`, `0`, `-0`, `-`, `01`, `1.`, `1.5`, `.5`,
		`1e`, `1e+`, `1E-05`, `-1.5e400`, `1x`, `12345678901234567890`,
		`""`, `"a"`, `"\u00e9"`, `"\ud800"`, "\"\xff\"", "\"\n\"", `"a`,
		`[]`, `[ ]`, `[1]`, `[1,]`, `[,1]`, `[1 2]`, `[1`, `[[[]]]`, `[}`,
		`{}`, `{ }`, `{"a":1}`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a" 1}`, `{1:1}`,
		`{"a":1`, `{"a":1]`,
		` { "a" : [ 1 , "b c \" d" , { } ] , "e" : null } `, "\t[\r\n1\n]\n",
		`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"\u0061":1,"\u0062":2}`,
		`{"a":{"b":1},"c":{"b":1}}`, `[{"a":1},{"a":1}]`, `{"a":{"b":1,"b":1}}`,
		many(`"40":40`), many(`"0":40`), many(`"39":40`), many(`"\u0030":1`),
		"\v1", "1\x00", "\ufeff1",
	} {
		checkValue(t, []byte(value))
	}
}

func FuzzValuesAreReadAndWrittenAsTheLibraryDoes(f *testing.F) {
	f.Add([]byte(` { "a" : [ 1.5e3 , "\u00e9" , null ] , "b" : { } } `))
	f.Fuzz(checkValue)
}

func checkValue(t *testing.T, data []byte) {
	t.Helper()
	if levels(data) > maxDepth {
		t.Skip("deeper than the decoder reads")
	}
	valid := jsontext.Value(data).IsValid()
	d := NewDecoder(data)
	got := d.value()
	if d.Done() != valid {
		t.Fatalf("%q: read %v, want %v", data, d.Done(), valid)
	}
	if valid && !bytes.Equal(got, bytes.Trim(data, " \t\r\n")) {
		t.Fatalf("%q: read %q", data, got)
	}
	var e Encoder
	out := e.Value([]byte("before"), data)
	if data == nil {
		return
	}
	if e.Done() != valid {
		t.Fatalf("%q: written %v, want %v", data, e.Done(), valid)
	}
	if want := jsontext.Value(data).Clone(); valid {
		if err := want.Compact(); err != nil || string(out) != "before"+string(want) {
			t.Fatalf("%q: written as %q, want %q, %v", data, out, want, err)
		}
	}
}

// levels counts brackets, which may be more than the levels.
func levels(data []byte) int {
	return bytes.Count(data, []byte{'['}) + bytes.Count(data, []byte{'{'})
}

func TestNullIsNoFreeFormValueToReadButOneToWrite(t *testing.T) {
	t.Parallel()
	d := NewDecoder([]byte(`null`))
	if v := d.Value(); d.Done() || v != nil {
		t.Errorf("null is read as %q", v)
	}
	var e Encoder
	if out := e.Value(nil, nil); string(out) != "null" || !e.Done() {
		t.Errorf("nil is written as %q", out)
	}
}

func TestLevelsAreLimited(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{maxDepth: true, maxDepth + 1: false, 100_000: false} {
		for _, level := range [][2]string{{`[`, `]`}, {`{"a":`, `}`}} {
			data := []byte(strings.Repeat(level[0], n) + "1" + strings.Repeat(level[1], n))
			d := NewDecoder(data)
			if d.Value(); d.Done() != want {
				t.Errorf("a value of %d levels of %s: read %v", n, level, d.Done())
			}
			if d = NewDecoder(data); readAll(&d) != want {
				t.Errorf("%d levels of %s: read %v", n, level, !want)
			}
			if d = NewDecoder(data); readSome(&d) != want {
				t.Errorf("a value within %d levels of %s: read %v", n, level, !want)
			}
		}
	}
	var e Encoder
	n := 0
	for e.Enter() {
		n++
	}
	if n != maxDepth || e.Done() {
		t.Errorf("%d levels can be entered, done %v", n, e.Done())
	}
	if e.Leave(); e.Enter() {
		t.Error("a level can be entered after a failure")
	}
}

// readAll reads lists in lists and objects in objects down to a number.
func readAll(d *Decoder) bool {
	var read func()
	read = func() {
		switch d.at() {
		case '[':
			for more := d.BeginList(); more; more = d.NextElement() {
				read()
			}
		case '{':
			for name := d.BeginObject(); name != nil; name = d.NextMember() {
				read()
			}
		default:
			d.Int()
		}
	}
	read()
	return d.Done()
}

// readSome reads the values of ten lists or objects as single values.
func readSome(d *Decoder) bool {
	list := d.at() == '['
	for range 10 {
		if list {
			d.BeginList()
		} else {
			d.BeginObject()
		}
	}
	d.Value()
	for range 10 {
		if list {
			d.NextElement()
		} else {
			d.NextMember()
		}
	}
	return d.Done()
}
