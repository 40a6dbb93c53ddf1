package shape_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/tools/codecgen/internal/shape"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// shapes have all members, or only the required ones, and the JSON of each.
var shapes = []struct {
	shape shape.Shape
	json  string
}{
	{shape.Circle{}, `{"kind":"circle","radius":0}`},
	{shape.Circle{Radius: 1.5, Color: "blue", Unknown: jsontext.Value(`{"x":[1]}`)}, `{"kind":"circle","radius":1.5,"color":"blue","x":[1]}`},
	{
		shape.Triangle{Color: shape.ColorRed, Extra: jsontext.Value(`1.0`)},
		`{"corners":"three","kind":"polygon","color":"red","names":[],"extra":1.0,"anything":null}`,
	},
	{
		shape.Triangle{
			Color: shape.ColorGreen, Names: []string{"a", ""}, Extra: jsontext.Value(`{}`),
			Notes:    shape.Notes{"b": jsontext.Value(`{}`), "a": jsontext.Value(`{"c":[]}`)},
			Anything: jsontext.Value(`"x"`),
		},
		`{"corners":"three","kind":"polygon","color":"green","names":["a",""],"extra":{},"notes":{"a":{"c":[]},"b":{}},"anything":"x"}`,
	},
	{shape.Square{}, `{"kind":"polygon","corners":"four"}`},
	{
		shape.Square{Drawn: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Tilted: new(false),
			Owner: jsontext.Value(`{"a":1}`)},
		`{"kind":"polygon","corners":"four","drawn":"2026-01-02T03:04:05Z","tilted":false,"owner":{"a":1}}`,
	},
	{shape.Point{}, `{"kind":"point"}`},
	{shape.Group{}, `{"kind":"group","shapes":[]}`},
	{
		shape.Group{Shapes: []shape.Shape{shape.Point{}, shape.Group{}}, Cover: shape.Square{}},
		`{"kind":"group","shapes":[{"kind":"point"},{"kind":"group","shapes":[]}],"cover":{"kind":"polygon","corners":"four"}}`,
	},
}

func TestEveryVariantHasItsJSONAndComesBackFromIt(t *testing.T) {
	t.Parallel()
	for _, s := range shapes {
		for _, lenient := range []bool{false, true} {
			e := plainjson.Encoder{Lenient: lenient}
			if got := string(shape.EncodeShape(&e, nil, s.shape)); !e.Done() || got != s.json {
				t.Errorf("lenient %t: got %s, want %s", lenient, got, s.json)
			}
		}
		for name, d := range map[string]plainjson.Decoder{
			"plain":   plainjson.NewDecoder([]byte(s.json)),
			"lenient": plainjson.NewLenientDecoder([]byte(s.json)),
		} {
			got := shape.DecodeShape(&d)
			if diff := cmp.Diff(s.shape, got); !d.Done() || diff != "" {
				t.Errorf("%s, %s: %+v\n%s", s.json, name, d.Fault(), diff)
			}
		}
		if kind, _, _ := strings.Cut(s.json, `",`); !s.shape.ShapeType().Valid() ||
			!strings.Contains(s.json, `"kind":"`+string(s.shape.ShapeType())+`"`) {
			t.Errorf("%s: %s", kind, s.shape.ShapeType())
		}
	}
}

func TestLibrariesWriteAndReadTheSame(t *testing.T) {
	t.Parallel()
	for _, s := range shapes {
		for name, marshal := range map[string]func(any) ([]byte, error){
			"encoding/json": stdjson.Marshal,
			"v2":            func(v any) ([]byte, error) { return json.Marshal(v) },
		} {
			if got, err := marshal(s.shape); err != nil || string(got) != s.json {
				t.Errorf("%s: got %s, %v, want %s", name, got, err, s.json)
			}
		}
	}
	for name, unmarshal := range map[string]func([]byte, any) error{
		"encoding/json": stdjson.Unmarshal,
		"v2":            func(data []byte, v any) error { return json.Unmarshal(data, v) },
	} {
		group := shapes[len(shapes)-1]
		var got shape.Group
		err := unmarshal([]byte(group.json), &got)
		if diff := cmp.Diff(group.shape, shape.Shape(got)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
		var circle shape.Circle // names that are not plain, and lone surrogates
		err = unmarshal([]byte(`{"\u006bind":"circle","radius":2,"Radius":3,"a\"b":"\ud800"}`),
			&circle)
		if want := `{"Radius":3,"a\"b":"\ud800"}`; name == "encoding/json" &&
			(err != nil || circle.Radius != 2 || string(circle.Unknown) != want) {
			t.Errorf("%s: %v, %+v", name, err, circle)
		}
	}
}

func TestFaultsHaveTheirLocation(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`7`:                                   ": an object was expected",
		`{}`:                                  "/kind: a required member is missing",
		`{"a":1,"kind":null}`:                 "/kind: a required member is missing",
		`{"kind":1}`:                          "/kind: a string was expected",
		`{"a":{"kind":"x"},"kind":"x" }`:      "/kind: not a known value",
		`{"kind":"polygon","corners":"five"}`: "/corners: not a known value",
		`{"kind":"point","x/y":1,"z":2}`:      "/x~1y: not a member of this object, or a duplicate",
		`{"kind":"point","kind":"point"}`:     "/kind: not a member of this object, or a duplicate",
		`{"kind":"circle","radius":"1"}`:      "/radius: a number was expected",
		`{"kind":"group","shapes":{}}`:        "/shapes: a list was expected",
		`{"kind":"group","shapes":null}`:      "/shapes: a required member is missing",
		`{"kind":"group","shapes":[{"kind":"point"},{"kind":"line"}]}`:                            "/shapes/1/kind: not a known value",
		`{"kind":"group","shapes":[{"kind":"point"},7]}`:                                          "/shapes/1: an object was expected",
		`{"kind":"group","shapes":[{"kind":"group","a":[{}]}]}`:                                   "/shapes/0/shapes: a required member is missing",
		`{"kind":"polygon","corners":"three","color":"blue","names":[],"extra":1}`:                "/color: not a known value",
		`{"kind":"polygon","corners":"three","color":"red","names":["a",1],"extra":1}`:            "/names/1: a string was expected",
		`{"kind":"polygon","corners":"three","color":"red","names":[],"extra":null}`:              "/extra: a required member is missing",
		`{"kind":"polygon","corners":"three","color":"red","names":[],"extra":1,"notes":{"a":1}}`: "/notes/a: an object was expected",
		`{"kind":"polygon","corners":"four","owner":[]}`:                                          "/owner: an object was expected",
		`{"kind":"polygon","corners":"four","drawn":"today"}`:                                     "/drawn: a time by RFC 3339 was expected",
		`{"kind":"polygon","corners":"four","tilted":0}`:                                          "/tilted: a boolean was expected",
	} {
		d := plainjson.NewDecoder([]byte(in))
		shape.DecodeShape(&d)
		if d.Done() {
			t.Errorf("%s is plain", in)
		}
		d = plainjson.NewLenientDecoder([]byte(in))
		shape.DecodeShape(&d)
		fault := d.Fault()
		if got := string(fault.Pointer([]byte(in))) + ": " + fault.Reason; d.Done() || got != want {
			t.Errorf("%s:\n\t%s, want\n\t%s", in, got, want)
		}
	}
}

func TestAValueThatCannotBeWrittenHasItsLocation(t *testing.T) {
	t.Parallel()
	deep := shape.Group{}
	for range 300 {
		deep = shape.Group{Cover: deep}
	}
	for name, c := range map[string]struct {
		shape         shape.Shape
		version, want string
	}{
		"nothing":                    {nil, "", ": not one of the variants, as a plain value"},
		"an empty element in a list": {shape.Group{Shapes: []shape.Shape{shape.Point{}, nil}}, "", "/shapes/1: not one of the variants, as a plain value"},
		"an unknown value":           {shape.Triangle{Extra: jsontext.Value(`1`)}, "", "/color: not a known value"},
		"null":                       {shape.Triangle{Color: "red", Extra: jsontext.Value(`null`)}, "", "/extra: a value other than null was expected"},
		"not JSON":                   {shape.Triangle{Color: "red", Extra: jsontext.Value(`{`)}, "", "/extra: not JSON"},
		"no object in a map":         {shape.Triangle{Color: "red", Extra: jsontext.Value(`1`), Notes: shape.Notes{"~": nil}}, "", "/notes/~0: an object was expected"},
		"no object":                  {shape.Square{Owner: jsontext.Value(`[]`)}, "", "/owner: an object was expected"},
		"a long year":                {shape.Square{Drawn: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, "", "/drawn: a year of four digits was expected"},
		"a later type":               {shape.Group{Cover: shape.Square{}}, "v1", "/cover: only a later version has this"},
		"a later member":             {shape.Square{Tilted: new(true)}, "v2", "/tilted: only a later version has this"},
		"a later value":              {shape.Triangle{Color: "green", Extra: jsontext.Value(`1`)}, "v1", "/color: only a later version has this"},
		"an old, open one":           {shape.Circle{Color: "green"}, "v1", ""},
		"a shape without end":        {deep, "", strings.Repeat("/cover", 200) + ": it is nested too deeply"},
		"a fault after others":       {shape.Group{Shapes: []shape.Shape{shape.Triangle{}}}, "", "/shapes/0/color: not a known value"},
	} {
		e := plainjson.Encoder{Version: c.version, Lenient: true}
		out := shape.EncodeShape(&e, nil, c.shape)
		fault := e.Fault()
		if got := string(fault.Pointer(out)) + ": " + fault.Reason; e.Done() != (c.want == "") ||
			!e.Done() && got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// FuzzDecodeShape: what is plain is read leniently with the same result, and what was read is
// written so that it comes back.
func FuzzDecodeShape(f *testing.F) {
	for _, s := range shapes {
		f.Add([]byte(s.json))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = plainjson.ValidUTF8(data)
		if !jsontext.Value(data).IsValid(plainjson.Lenient) {
			return
		}
		plain, lenient := plainjson.NewDecoder(data), plainjson.NewLenientDecoder(data)
		got, want := shape.DecodeShape(&plain), shape.DecodeShape(&lenient)
		if plain.Done() && (!lenient.Done() || !cmp.Equal(got, want)) {
			t.Fatalf("%s: plain %#v, leniently %#v, %v", data, got, want, lenient.Fault())
		}
		if !lenient.Done() {
			fault := lenient.Fault()
			if fault.Pointer(data); fault.Reason == "" {
				t.Fatalf("%s: %+v", data, fault)
			}
			return
		}
		e := plainjson.Encoder{Lenient: true}
		out := shape.EncodeShape(&e, nil, want)
		again := plainjson.NewLenientDecoder(out)
		if back := shape.DecodeShape(&again); !e.Done() || !again.Done() ||
			back.ShapeType() != want.ShapeType() {
			t.Fatalf("%s: written as %s, %v, read as %#v, %v", data, out, e.Fault(), back,
				again.Fault())
		}
	})
}
