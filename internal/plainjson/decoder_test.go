package plainjson_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

// shape is a stand-in for a generated type.
type shape struct {
	name    string
	sizes   []int
	tags    map[string]bool
	unknown jsontext.Value
}

var known = []string{"name", "sizes", "tags"}

func read(data string) (v shape, ok bool) {
	d := plainjson.NewDecoder([]byte(data))
	var seen uint64
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "name":
			seen = d.Once(seen, 1<<0)
			v.name = d.String()
		case "sizes":
			seen = d.Once(seen, 1<<1)
			for more := d.BeginList(); more; more = d.NextElement() {
				v.sizes = append(v.sizes, d.Int())
			}
		case "tags":
			seen = d.Once(seen, 1<<2)
			v.tags = map[string]bool{}
			for more := d.BeginMap(); more; more = d.NextEntry() {
				v.tags[d.Key()] = d.Bool()
			}
		default:
			v.unknown = d.Unknown(v.unknown, name, known)
		}
	}
	d.EndUnknown(v.unknown)
	return v, d.Done()
}

func write(v shape) (out string, ok bool) {
	var e plainjson.Encoder
	dst := []byte("before ")
	begin := len(dst)
	if v.name != "" {
		dst = e.String(append(dst, `,"name":`...), v.name)
	}
	dst = e.EndObject(dst, begin, v.unknown, known)
	return string(dst[begin:]), e.Done()
}

func TestObjectsAreRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in string
		ok bool
	}{
		{`{}`, true},
		{" \n{ \t} \r", true},
		{`{"name":"a","sizes":[1,2],"tags":{"x":true,"y\u0079é":false}}`, true},
		{" {\n                 \"name\"  :  \"a\" ,\r\n\t\"sizes\" : [ 1 , 2 ] , \"tags\":{ \"x\" : true , \"y\" : false } } ", true},
		{`{"sizes":[],"tags":{}}`, true},
		{`{"name":"a","name":"a"}`, false},
		{`{"name":"a",}`, false},
		{`{,"name":"a"}`, false},
		{`{"name" "a"}`, false},
		{`{"name":}`, false},
		{`{"name":"a"`, false},
		{`{"name":"a"]`, false},
		{`{"name":"a"}}`, false},
		{`{"name":"a"} x`, false},
		{`{"name":1}`, false},
		{`{"sizes":[1,]}`, false},
		{`{"sizes":[1}`, false},
		{`{"sizes":{}}`, false},
		{`{"sizes":[1.0]}`, false},
		{`{"tags":{"x":true,}}`, false},
		{`{"tags":{"x"}}`, false},
		{`{"tags":{"x":1}}`, false},
		{`{"tags":{x:true}}`, false},
		{`{"tags":[]}`, false},
		{`{"tags":{"x":tru}}`, false},
		{`{"tags":{"x":falsy}}`, false},
		{`[]`, false},
		{`null`, false},
		{``, false},
		{`{`, false},
		{`{"`, false},
		{`{"name`, false},
		{`{"name"`, false},
		{"{\x00}", false},
	}
	for _, tt := range tests {
		v, ok := read(tt.in)
		if ok != tt.ok {
			t.Errorf("%q: read %v", tt.in, ok)
		}
		if ok && (v.name != "" && v.name != "a" || len(v.sizes)%2 != 0 || len(v.tags)%2 != 0 ||
			v.tags["y"]) {
			t.Errorf("%q: %+v", tt.in, v)
		}
	}
}

func TestUnknownMembersAreKept(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, want string
		ok       bool
	}{
		{`{"a":1,"name":"x","b": [1, 2] }`, `{"a":1,"b":[1, 2]}`, true},
		{`{"a" : null}`, `{"a":null}`, true},
		{`{"names":1,"nam":2,"":3}`, `{"names":1,"nam":2,"":3}`, true},
		{`{"a":1,"a":1}`, ``, false},
		{`{"a":1,"b":{"c":1,"c":2}}`, ``, false},
		{`{"Name":"x"}`, ``, false},
		{`{"na_me":"x"}`, ``, false},
		{`{"_name-":"x"}`, ``, false},
		{`{"\u0061":1}`, ``, false},
		{`{"é":1}`, ``, false},
		{`{"a\"b":1}`, ``, false},
		{`{"a\":1,"b":2}`, ``, false}, // one name, of which the decoder sees two
		{`{"a\\":1}`, ``, false},
		{"{\"a\nb\":1}", ``, false},
		{"{\"a\x00\":1}", ``, false},
		{"{\"a\xff\":1}", ``, false},
		{`{"a":}`, ``, false},
	}
	for _, tt := range tests {
		v, ok := read(tt.in)
		if ok != tt.ok || ok && string(v.unknown) != tt.want {
			t.Errorf("%s: %s, read %v", tt.in, v.unknown, ok)
		}
	}
}

func TestUnknownMembersAreWritten(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, unknown, want string
		ok                  bool
	}{
		{"", ``, `{}`, true},
		{"x", ``, `{"name":"x"}`, true},
		{"x", `{}`, `{"name":"x"}`, true},
		{"", ` { } `, `{}`, true},
		{"x", `{"a":1}`, `{"name":"x","a":1}`, true},
		{"", ` {"a" : [ 1, 2 ], "b":"\u0061"}`, `{"a":[1,2],"b":"\u0061"}`, true},
		{"", `{"Name":1}`, `{"Name":1}`, true},
		{"", `{"name":1}`, ``, false},
		{"x", `{"tags":1}`, ``, false},
		{"", `{"a":1,"a":2}`, ``, false},
		{"", `{"a":1}x`, ``, false},
		{"", `[]`, ``, false},
		{"", `null`, ``, false},
		{"", ` `, ``, false},
		{"", `{"\u006eame":1}`, ``, false},
	}
	for _, tt := range tests {
		out, ok := write(shape{name: tt.name, unknown: jsontext.Value(tt.unknown)})
		if ok != tt.ok || ok && out != tt.want {
			t.Errorf("%q and %s: %s, written %v", tt.name, tt.unknown, out, ok)
		}
	}
}

func TestPointersToStringsAreIndependent(t *testing.T) {
	t.Parallel()
	d := plainjson.NewDecoder([]byte(`["a","b","c","d","e","f","g","h","i"]`))
	var all []*string
	for more := d.BeginList(); more; more = d.NextElement() {
		all = append(all, d.NewString())
	}
	for i, p := range all {
		if want := string(rune('a' + i)); *p != want {
			t.Errorf("string %d is %q", i, *p)
		}
		*p = ""
		if i+1 < len(all) && *all[i+1] == "" {
			t.Errorf("setting string %d changes its neighbour", i)
		}
	}
	if !d.Done() || len(all) != 9 {
		t.Errorf("%d strings, done %v", len(all), d.Done())
	}
}

func TestAfterAFailureNothingIsRead(t *testing.T) {
	t.Parallel()
	d := plainjson.NewDecoder([]byte(`{"a":"text"}`))
	d.BeginObject()
	d.Fail()
	if d.Null() || d.Bool() || d.IsString() || d.String() != "" || d.Word() != nil ||
		d.Int() != 0 || d.Int64() != 0 || *d.NewInt() != 0 ||
		*d.NewString() != "" ||
		d.Float64() != 0 || d.Count() != 1 || d.Value() != nil || d.BeginObject() != nil ||
		d.NextMember() != nil || d.BeginList() ||
		d.NextElement() || d.BeginMap() || d.NextEntry() || d.Key() != "" || d.Done() {
		t.Error("something is read after a failure")
	}
}

func TestRecentStringsAreNotMadeAgain(t *testing.T) {
	var recent plainjson.Recent
	data := []byte(`["gemini-2.5-flash","v0R6abzuG9-Gz7IPkMfQ2Qg","model",""]`)
	var texts [4]string
	decode := func() {
		d := plainjson.NewDecoder(data)
		d.Recent = &recent
		i := 0
		for more := d.BeginList(); more; more = d.NextElement() {
			texts[i] = d.String()
			i++
		}
		if !d.Done() {
			t.Error("not read")
		}
	}
	decode()
	if got := testing.AllocsPerRun(10, decode); got != 0 {
		t.Errorf("%v allocations", got)
	}
	if want := [4]string{"gemini-2.5-flash", "v0R6abzuG9-Gz7IPkMfQ2Qg", "model",
		""}; texts != want {
		t.Errorf("got %q", texts)
	}
}

func TestRecentStringsAreNotMixedUp(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100)
	want := []string{"a", "b", "a", "aaaaaaaaa", "bbbbbbbbb", "a", "", "é", "zz", long, long + "y",
		"a"}
	var recent plainjson.Recent
	for _, text := range append(want, want...) {
		d := plainjson.NewDecoder([]byte(`"` + text + `"`))
		d.Recent = &recent
		if got := d.String(); got != text || !d.Done() {
			t.Errorf("%q was read as %q", text, got)
		}
	}
	for range 2 {
		d := plainjson.NewDecoder([]byte("\"\xff\""))
		d.Recent = &recent
		if got := d.String(); d.Done() {
			t.Errorf("invalid UTF-8 was read as %q", got)
		}
	}
}
