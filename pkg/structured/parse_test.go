package structured_test

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// order is the type that most tests read.
type order struct {
	ID    string  `json:"id" validate:"required"`
	Lines []line  `json:"lines,omitempty" validate:"max=3,dive"`
	Note  *string `json:"note,omitempty" validate:"omitnil,max=20"`
}

type line struct {
	SKU   string `json:"sku" validate:"required"`
	Count int    `json:"count" validate:"gt=0,lte=100"`
}

func TestParseTakesTheFirstCandidateThatFits(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"the only one":                {`{"id":"a"}`, "a"},
		"in prose":                    {`Sure! {"id":"a"} Anything else?`, "a"},
		"the front before a fence":    {`{"id":"a"}` + "\n" + fence + "json\n{\"id\":\"b\"}\n" + fence, "a"},
		"a fence before prose":        {`Not {"id":"a"} but` + "\n" + fence + "json\n{\"id\":\"b\"}\n" + fence, "b"},
		"json before another fence":   {fence + "\n{\"x\":1}\n" + fence + "\n" + fence + "json\n{\"id\":\"b\"}\n" + fence, "b"},
		"the first of two fences":     {fence + "json\n{\"id\":\"a\"}\n" + fence + "\n" + fence + "json\n{\"id\":\"b\"}\n" + fence, "a"},
		"the first that decodes":      {fence + "json\n{\"id\":1}\n" + fence + "\n" + fence + "json\n{\"id\":\"b\"}\n" + fence, "b"},
		"a fence that is broken":      {fence + "json\n{\"id\":\"a\",}\n" + fence + "\n" + fence + "json\n{\"id\":\"b\"}\n" + fence, "b"},
		"a fence that is not JSON":    {fence + "json\n{id: a}\n" + fence + "\n{\"id\":\"b\"}", "b"},
		"a fence of shell":            {fence + "sh\nls {a,b} [c]\n" + fence + "\n{\"id\":\"b\"}", "b"},
		"the first that is valid":     {`{"id":""} {"id":"b"}`, "b"},
		"the first that is known":     {`{"x":1} {"id":"b"}`, "b"},
		"signs before it":             {`Use {} or [] or [1] or {x}: {"id":"b"}`, "b"},
		"lists before it":             {`["a"] [{"id":"a"}] {"id":"b"}`, "b"},
		"a bracket before it":         {`Use [ {"id":"b"} now`, "b"},
		"a bracket and a quote":       {`Use [" {"id":"b"}`, "b"},
		"a truncated one at the end":  {`{"id":"a"} {"id":"b`, "a"},
		"unknown members":             {`{"id":"a","more":{"id":"b"}}`, "a"},
		"a byte order mark and CR LF": {"\uFEFF{\r\n\"id\":\"a\"\r\n}\r\n", "a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := structured.Parse[order](test.text)
			if err != nil || got.ID != test.want {
				t.Errorf("%q: got %+v, %v", test.text, got, err)
			}
		})
	}
}

func TestParseDecodesRootsOfAnyKind(t *testing.T) {
	t.Parallel()
	parsesTo(t, "So: [1, 2, 3].", []int{1, 2, 3})
	parsesTo(t, "None: [].", []int{})
	parsesTo(t, `It is {"a": [1.5]}`, map[string][]float64{"a": {1.5}})
	parsesTo(t, ` "a \u00e9" `, "a é")
	parsesTo(t, fence+"json\n42\n"+fence, 42)
	parsesTo(t, "true", true)
	parsesTo(t, "null", (*order)(nil))
	parsesTo(t, `{"id":"a"}`, &order{ID: "a"})
	parsesTo(t, `[[{"sku":"a","count":1}]]`, [][]line{{{"a", 1}}})
	parsesTo[any](t, `Use {}: {"a":[1,"b"]}`, map[string]any{"a": []any{1.0, "b"}})
	parsesTo(t, `As in [1]: {"b" : 12345678901234567890, "a":1.0}`,
		jsontext.Value(`{"b" : 12345678901234567890, "a":1.0}`))
	parsesTo(t, `"2026-01-31T12:00:00Z"`, time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	parsesTo(t, "Nothing: {}", order{}, structured.WithoutValidation())
}

func parsesTo[T any](t *testing.T, text string, want T, opts ...structured.Option) {
	t.Helper()
	got, err := structured.Parse[T](text, opts...)
	if err != nil {
		t.Errorf("%q: %v", text, err)
	} else if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-want +got):\n%s", text, diff)
	}
}

func TestErrorsSayWhereWhatAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"nothing":        {"", `the text is empty`},
		"prose":          {"I cannot say {that}.", `no JSON value in a text of 20 bytes`},
		"another kind":   {"[1]", `line 1, column 1 (offset 0): expected an object, found a list`},
		"a wrong member": {"é\n {\"id\": 17}", `/id: line 2, column 9 (offset 11): expected a string, found 17`},
		"a wrong member within": {
			`{"id":"a","lines":[{"sku":"a","count":1},{"count":"many"}]}`,
			`/lines/1/count: line 1, column 51 (offset 50): expected a whole number, found "many"`,
		},
		"a list for a scalar":    {`{"id":["a"]}`, `/id: line 1, column 7 (offset 6): expected a string, found a list`},
		"an object for a scalar": {`{"id":{}}`, `/id: line 1, column 7 (offset 6): expected a string, found an object`},
		"a scalar for a list":    {`{"lines":true}`, `/lines: line 1, column 10 (offset 9): expected a list, found true`},
		"a fraction":             {`{"lines":[{"count":1.5 }]}`, `/lines/0/count: line 1, column 20 (offset 19): expected a whole number, found 1.5`},
		"too large a number": {
			`{"lines":[{"count":1e99}]}`,
			`/lines/0/count: line 1, column 20 (offset 19): expected a whole number, found 1e99`,
		},
		"out of range": {
			`{"lines":[{"count":99999999999999999999}]}`,
			`/lines/0/count: line 1, column 20 (offset 19): expected a whole number within the range of int, found 99999999999999999999`,
		},
		"a member twice": {
			`{"id":"a","note":"b","id":"c"}`,
			`/id: line 1, column 22 (offset 21): expected each member once, found another "id"`,
		},
		"no UTF-8": {"{\"id\":\"a\xff\"}", `/id: line 1, column 9 (offset 8): expected valid UTF-8, found "\xff"`},
		"half a surrogate pair": {
			`{"id":"\ud800"}`,
			`/id: line 1, column 8 (offset 7): expected valid UTF-8, found \ud800`,
		},
		"half a pair and a cut": {
			`{"id":"\ud83dx`,
			`/id: line 1, column 8 (offset 7): expected valid UTF-8, found \ud83d`,
		},
		"an escaped quote": {`{"lines":"a\"b"}`, `/lines: line 1, column 10 (offset 9): expected a list, found "a\"b"`},
		"a long value": {
			`{"lines":"` + strings.Repeat("é", 50) + `"}`,
			`/lines: line 1, column 10 (offset 9): expected a list, found "` +
				strings.Repeat("é", 39) + `...`,
		},
		"a comma too many":        {`{"id":"a",}`, `line 1, column 11 (offset 10): expected a member name in double quotes, found "}"`},
		"a comma too few":         {`{"id":"a" "note":1}`, `line 1, column 11 (offset 10): expected a comma or }, found "\""`},
		"in a list":               {`{"lines":[1 2]}`, `/lines: line 1, column 13 (offset 12): expected a comma or ], found "2"`},
		"no colon":                {`{"id" "a"}`, `/id: line 1, column 7 (offset 6): expected a colon, found "\""`},
		"no value":                {`{"id":}`, `/id: line 1, column 7 (offset 6): expected a value, found "}"`},
		"single quotes":           {`{'id':'a'}`, `line 1, column 2 (offset 1): expected a member name in double quotes or }, found "'"`},
		"typographic quotes":      {`{“id”:1}`, `line 1, column 2 (offset 1): expected a member name in double quotes or }, found "“"`},
		"a comment":               {"{\"lines\":[ // none\n]}", `/lines/0: line 1, column 12 (offset 11): expected a value or ], found "/"`},
		"an old break in one":     {"{\"id\":\"a\rb\"}", `/id: line 1, column 9 (offset 8): expected a closing quote on the same line, found the end of the line`},
		"a break in a string":     {"{\"id\":\"a\nb\"}", `/id: line 1, column 9 (offset 8): expected a closing quote on the same line, found the end of the line`},
		"an escape":               {`{"id":"\x"}`, `/id: line 1, column 9 (offset 8): expected an escape such as \n or \", found "x"`},
		"a short escape":          {`{"id":"\u00g"}`, `/id: line 1, column 12 (offset 11): expected four hexadecimal digits, found "g"`},
		"a word":                  {`{"id":nil}`, `/id: line 1, column 7 (offset 6): expected a number, true, false or null, found nil`},
		"another word":            {`{"id":None}`, `/id: line 1, column 7 (offset 6): expected a value, found "N"`},
		"a minus":                 {`{"id":-a}`, `/id: line 1, column 7 (offset 6): expected a number, true, false or null, found -a`},
		"a point":                 {`{"id":1.}`, `/id: line 1, column 7 (offset 6): expected a number, true, false or null, found 1.`},
		"a zero in front":         {`{"id":01}`, `line 1, column 7 (offset 6): expected a number, true, false or null, found 01`},
		"another bracket":         {`{"lines":[1}`, `/lines: line 1, column 12 (offset 11): expected a comma or ], found "}"`},
		"a semicolon":             {`{"id":1;"note":2}`, `line 1, column 8 (offset 7): expected a comma or }, found ";"`},
		"a fence that is invalid": {"{\"x\n" + fence + "json\n{id:1}\n" + fence, `line 3, column 2 (offset 13): expected a member name in double quotes or }, found "i"`},
		"a fence of another language": {
			fence + "js\n{id:1}\n" + fence,
			`line 2, column 2 (offset 7): expected a member name in double quotes or }, found "i"`,
		},
		"the longest": {
			`No: ["a" "b"] {"id":"a" "note":"b"} {"x" 1}`,
			`line 1, column 25 (offset 24): expected a comma or }, found "\""`,
		},
		"a rule":          {`{"id":""}`, `invalid: /id: line 1, column 7 (offset 6): must be set, found ""`},
		"a rule, missing": {` {"lines":[]}`, `invalid: /id: line 1, column 2 (offset 1): must be set`},
		"rules": {
			"{\"id\":\"a\",\n\"lines\":[{\"sku\":\"a\",\"count\":0},{\"sku\":\"b\",\"count\":101},{}],\n\"note\":\"" +
				strings.Repeat("n", 50) + "\"}",
			"invalid: /lines/0/count: line 2, column 29 (offset 39): must be greater than 0, found 0; " +
				"/lines/1/count: line 2, column 51 (offset 61): must be at most 100, found 101; " +
				"/lines/2/sku: line 2, column 56 (offset 66): must be set; " +
				"/lines/2/count: line 2, column 56 (offset 66): must be greater than 0; " +
				"/note: line 3, column 8 (offset 78): must have at most 20 characters, found \"" +
				strings.Repeat("n", 39) + "...",
		},
		"cut off": {
			`So: {"id":"a","lines":[{"sku":"b`,
			"/lines/0/sku: the value that begins at line 1, column 5 (offset 4) is cut off at line 1, column 33 (offset 32)",
		},
		"cut off in a fence": {
			"So:\n" + fence + "json\n{\"id\":\"a\",\"lines\":[\n",
			"/lines: the value that begins at line 3, column 1 (offset 12) is cut off at line 3, column 20 (offset 31)",
		},
		"not closed in a fence": {
			fence + "json\n{\"id\":\"a\",\"lines\":[\n" + fence + "\nThere you go.",
			"/lines/0: line 3, column 1 (offset 28): expected a value or ], found \"`\"",
		},
		"cut off and wrong": {`{"id":1,"lines":[`, `/id: line 1, column 7 (offset 6): expected a string, found 1`},
		"of several, the closest": {
			`["a"] {"x":1} {"id":2} {"id":""} {"id":3}`,
			`invalid: /id: line 1, column 30 (offset 29): must be set, found "" (the closest of 5 values)`,
		},
		"of several alike, the first by preference": {
			`Not {"id":1} but` + "\n" + fence + "json\n{\"id\":2}\n" + fence,
			`/id: line 3, column 7 (offset 31): expected a string, found 2 (the closest of 2 values)`,
		},
		"one of several is not JSON": {
			`[1] {"id":"a",}`,
			`line 1, column 15 (offset 14): expected a member name in double quotes, found "}" (the closest of 2 values)`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := structured.Parse[order](test.text)
			if diff := cmp.Diff(order{}, got); err == nil || diff != "" {
				t.Fatalf("got %+v, %v", got, err)
			}
			if want := "structured: " + test.want; err.Error() != want {
				t.Errorf("%q:\ngot  %v\nwant %s", test.text, err, want)
			}
		})
	}
}

// formless has no JSON.
type formless struct {
	C chan int `json:"c"`
}

func TestErrorsNameWhatEachGoTypeTakes(t *testing.T) {
	t.Parallel()
	wants[bool](t, `1`, "true or false")
	wants[uint](t, `-1`, "a whole number that is not negative")
	wants[uint8](t, `256`, "a whole number that is not negative within the range of uint8")
	wants[int8](t, `"1"`, "a whole number")
	wants[float64](t, `"1"`, "a number")
	wants[float32](t, `1e99`, "a number within the range of float32")
	wants[string](t, `1`, "a string")
	wants[map[string]int](t, `[]`, "an object")
	wants[map[int]string](t, `{"a":"b"}`, "a whole number")
	wants[[]byte](t, `"*"`, "a string in base64")
	wants[[2]int](t, `[1]`, "a list of 2")
	wants[time.Time](t, `"soon"`, "a time such as 2026-01-31T12:00:00Z")
	wants[netip.Addr](t, `"here"`, "a value of the Go type netip.Addr")
	wants[struct{ A struct{ B int } }](t, `{"A":1}`, "an object")
	wants[fmt.Stringer](t, `1`, "a Go type other than fmt.Stringer")
	wants[formless](t, `{"c":1}`, "a Go type other than chan")
}

func wants[T any](t *testing.T, text, want string) {
	t.Helper()
	_, err := structured.Parse[T](text)
	e, ok := errors.AsType[*structured.DecodeError](err)
	if !ok || e.Want != want {
		t.Errorf("%q: %v; want %s", text, err, want)
	}
}

func TestErrorsCanBeTakenApart(t *testing.T) {
	t.Parallel()
	_, err := structured.Parse[order]("none")
	if e, ok := errors.AsType[*structured.NotFoundError](err); !ok || e.Length != 4 {
		t.Errorf("%#v", err)
	}

	_, err = structured.Parse[order]("\n{\"id\": [7]}")
	decode, ok := errors.AsType[*structured.DecodeError](err)
	want := &structured.DecodeError{
		Position: validation.Position{Offset: 8, Line: 2, Column: 8}, Pointer: "/id",
		Value: "a list", Want: "a string", Tried: 1,
	}
	if _, caused := errors.AsType[*json.SemanticError](err); !ok || !caused {
		t.Fatalf("%#v", err)
	}
	if pointer, offset := decode.Location(); pointer != "/id" || offset != 8 ||
		decode.Reason() != "expected a string, found a list" {
		t.Errorf("%s at %s, %d", decode.Reason(), pointer, offset)
	}
	decode.Err = nil
	if diff := cmp.Diff(want, decode); diff != "" {
		t.Error(diff)
	}

	_, err = structured.Parse[order](`[1] {"id":"a","lines":[{"sku":"s","count":0}]}`)
	invalid, ok := errors.AsType[*structured.InvalidError](err)
	if listed, found := errors.AsType[*validation.Error](err); !ok || !found ||
		!cmp.Equal(listed.Violations, invalid.Violations) {
		t.Fatalf("%#v", err)
	}
	wantInvalid := &structured.InvalidError{
		Position: validation.Position{Offset: 4, Line: 1, Column: 5},
		Violations: []validation.Violation{{
			Position: validation.Position{Offset: 42, Line: 1, Column: 43},
			Pointer:  "/lines/0/count", Value: "0", Rule: "gt", Want: "must be greater than 0",
		}},
		Tried: 2,
	}
	if diff := cmp.Diff(wantInvalid, invalid); diff != "" {
		t.Error(diff)
	}

	_, err = structured.Parse[order]("So:\n{\"id\":\"a\",\"lines\":[{\"sku")
	cut, ok := errors.AsType[*structured.TruncatedError](err)
	if !ok || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("%#v", err)
	}
	if pointer, offset := cut.Location(); pointer != "/lines/0" || offset != 28 {
		t.Errorf("it is at %s, %d", pointer, offset)
	}
	wantCut := &structured.TruncatedError{
		Position: validation.Position{Offset: 28, Line: 2, Column: 25},
		Start:    validation.Position{Offset: 4, Line: 2, Column: 1},
		Pointer:  "/lines/0", Missing: "}]}", Tried: 1,
	}
	if diff := cmp.Diff(wantCut, cut); diff != "" {
		t.Error(diff)
	}
}

func TestManyViolationsAreAllListedAndTenAreNamed(t *testing.T) {
	t.Parallel()
	text := "[" + strings.Repeat(`{"sku":"a","count":0},`, 11) + `{"sku":"a","count":0}]`
	_, err := structured.Parse[[]line](text)
	invalid, ok := errors.AsType[*structured.InvalidError](err)
	if !ok || len(invalid.Violations) != 12 {
		t.Fatalf("%#v", err)
	}
	for i, v := range invalid.Violations {
		if v.Pointer != fmt.Sprintf("/%d/count", i) || v.Position.Offset != 22*i+20 ||
			v.Value != "0" {
			t.Errorf("violation %d: %+v", i, v)
		}
	}
	if got := err.Error(); strings.Count(got, "must be greater than 0") != 10 ||
		!strings.HasSuffix(got, "; and 2 more") {
		t.Errorf("got %s", got)
	}
}

func TestRulesHoldWhereverAStructIs(t *testing.T) {
	t.Parallel()
	breaks[[]line](t, `[{"sku":"a","count":1},{"sku":"","count":1}]`, "/1/sku")
	breaks[[1]*line](t, `[{"sku":"a","count":0}]`, "/0/count")
	breaks[map[string]line](t, `{"a/b~":{"sku":"","count":1}}`, "/a~1b~0/sku")
	breaks[map[string][]line](t, `{"a":[{"sku":"","count":1}]}`, "/a/0/sku")
	breaks[*order](t, `{"id":"a","lines":[{"sku":"","count":1}]}`, "/lines/0/sku")
	breaks[special](t, `{"id":""}`, "/id")
	breaks[struct{ L [][]line }](t, `{"L":[]}`)
	breaks[[]time.Time](t, `["2026-01-31T12:00:00Z"]`)
	breaks[[]any](t, `[{"sku":""}]`)
}

// special has the members of an order.
type special struct {
	order
	Why string `json:"why"`
}

// self is a list of itself.
type self []self

func TestATypeThatHoldsItselfIsParsed(t *testing.T) {
	t.Parallel()
	parsesTo(t, "[[],[[]]]", self{{}, {{}}})
}

// breaks checks the locations where a text breaks rules.
func breaks[T any](t *testing.T, text string, pointers ...string) {
	t.Helper()
	_, err := structured.Parse[T](text)
	var got []string
	if invalid, ok := errors.AsType[*structured.InvalidError](err); ok {
		for _, v := range invalid.Violations {
			got = append(got, v.Pointer)
		}
	} else if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if diff := cmp.Diff(pointers, got); diff != "" {
		t.Errorf("%q: %s", text, diff)
	}
}

func TestUnknownMembersAreIgnoredUnlessTheyAreRefused(t *testing.T) {
	t.Parallel()
	text := `{"id":"a","lines":[{"sku":"s","count":1,"price":2}]}`
	if _, err := structured.Parse[order](text); err != nil {
		t.Error(err)
	}
	_, err := structured.Parse[order](text, structured.WithRejectUnknown())
	want := `structured: /lines/0/price: line 1, column 41 (offset 40): expected a member that the Go type knows, found the member "price"`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestAnObjectThatTheTypeKnowsNothingOfIsTheLastChoice(t *testing.T) {
	t.Parallel()
	type loose struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	parsesTo(t, `{"x":1}`, loose{})
	parsesTo(t, `{"x":1} {"y":2,"b":3}`, loose{B: 3})
	parsesTo(t, `{"x":1} [1]`, loose{})
	for _, better := range []string{`{"a":"1"}`, `{"a":1,}`, `{"a":1`} {
		if got, err := structured.Parse[loose](`{"x":1} ` + better); err == nil {
			t.Errorf("%s: got %+v", better, got)
		}
	}
	if got, err := structured.Parse[loose](`{"x":1`); err == nil {
		t.Errorf("got %+v", got)
	}
}

// tree contains values of its own type.
type tree struct {
	Name string `json:"name"`
	Kids []tree `json:"kids"`
}

func TestAPartOfABrokenAnswerIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"name":"a","kids":[{"name":"b"},],"x":{"name":"c"}}`,
		`{"name":"a","kids":[{"name":"b"}`,
		`{"outer":{"name":"b"}`,
		`{"outer":{"name":"b"} and more`,
		`[{"name":"b"}, [`,
		`[{"name":"a"},{"name":"b"},]`,
		fence + "json\n{\"name\":\"a\",\"kids\":[{\"name\":\"b\"},\n" + fence,
	} {
		if got, err := structured.Parse[tree](text); err == nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

func TestAPartOfAnAnswerInADialectOfJSONIsNoAnswer(t *testing.T) {
	t.Parallel()
	inner := `{"id":"a"}`
	name := "expected a member name in double quotes or }, found "
	tests := map[string]struct{ text, want string }{
		"single quotes":        {`So: {'order': ` + inner + `}`, `line 1, column 6 (offset 5): ` + name + `"'"`},
		"typographic quotes":   {`{“order”: ` + inner + `}`, `line 1, column 2 (offset 1): ` + name + `"“"`},
		"no quotes":            {`So: { order-1 : ` + inner + `}`, `line 1, column 7 (offset 6): ` + name + `"o"`},
		"names within a list":  {`[{order: ` + inner + `}, ` + inner + `]`, `/0: line 1, column 3 (offset 2): ` + name + `"o"`},
		"a list of strings":    {`['x', ` + inner + `]`, `/0: line 1, column 2 (offset 1): expected a value or ], found "'"`},
		"a comment":            {fence + "json\n{\n  // the order\n  \"order\": " + inner + "\n}\n" + fence, `line 3, column 3 (offset 12): ` + name + `"/"`},
		"comments":             {"{ /* 1 */ // 2\n /* 3\n */ order: " + inner + "}", `line 1, column 3 (offset 2): ` + name + `"/"`},
		"a comment in a list":  {"[ // one\n" + inner + "]", `/0: line 1, column 3 (offset 2): expected a value or ], found "/"`},
		"in prose, alone":      {`So: {'id': 'a'}`, `line 1, column 6 (offset 5): ` + name + `"'"`},
		"with a value by it":   {`{id: true, 'order': ` + inner + `} []`, `line 1, column 2 (offset 1): ` + name + `"i"`},
		"a name and an object": {`{order:{more:` + inner + `}}`, `line 1, column 2 (offset 1): ` + name + `"o"`},
	}
	for title, test := range tests {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			got, err := structured.Parse[order](test.text)
			if err == nil ||
				!strings.HasPrefix(strings.TrimPrefix(err.Error(), "structured: "), test.want) {
				t.Errorf("%q: got %+v, %v", test.text, got, err)
			}
		})
	}
}

func TestBracketsOfProseAndCodeAreNoDialect(t *testing.T) {
	t.Parallel()
	for _, before := range []string{
		`{ to open: `, `{`, `{'`, `['tis the `, `['`, `[// `, `{//`, `{ /* `, `{ // `,
		"{ 'no\nname': ",
		`{x:.2f} `, `{http://a.example} `, `{a::b} `, `{x := `, `{{name}} `, `{% if x %} `,
		`{name} `, `{é: `,
		"[#12](a)\n", "[//](a)\nsee ", "{ // return\n return ", "{ /* x */ return ", `['a' or `,
		`['a'] `, `['a']: `,
		`{` + strings.Repeat("x", 300) + `: `,
	} {
		if got, err := structured.Parse[order](before + `{"id":"a"}}]`); err != nil ||
			got.ID != "a" {
			t.Errorf("%q: got %+v, %v", before, got, err)
		}
	}
	for _, text := range []string{`{x:.2f}`, `{http://a.example}`, "[#12](a)\n[b](c)", `{a::b}`,
		`{name}`, `['a' or 'b']`} {
		_, err := structured.Parse[order]("See " + text)
		if _, ok := errors.AsType[*structured.NotFoundError](err); !ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got, err := structured.Parse[order](`Use {so: {"id":"a"} to open`); err != nil ||
		got.ID != "a" {
		t.Errorf("a brace without an end: got %+v, %v", got, err)
	}
}

func TestTheContentOfAStringBreaksNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"note":"{'a': 1, "} "b" {"id":"a"}`,
		`["a [1, x y"] b" {"id":"a"}]`,
		`["a {b: x y"] b" {"id":"a"}]`,
	} {
		if got, err := structured.Parse[order](text); err != nil || got.ID != "a" {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
	type free struct {
		ID string `json:"id"`
	}
	if _, err := structured.Parse[free](`{"note":"[1, x"}`); err != nil {
		t.Errorf("an object that T knows nothing of: %v", err)
	}
}

func TestJSONInASectionOfCDATAIsFound(t *testing.T) {
	t.Parallel()
	got, err := structured.Parse[order](`<answer><![CDATA[{"id":"a"}]]></answer>`)
	if err != nil || got.ID != "a" {
		t.Errorf("got %+v, %v", got, err)
	}
	lists, err := structured.Parse[[]order](`<![CDATA[ [{"id":"a"}] ]]>`)
	if err != nil || len(lists) != 1 || lists[0].ID != "a" {
		t.Errorf("got %+v, %v", lists, err)
	}
	texts, err := structured.Parse[[]string](`["<![CDATA[", "]]>"]`)
	if diff := cmp.Diff([]string{"<![CDATA[", "]]>"}, texts); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestARepairIsAskedForAndReported(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text   string
		want   order
		repair structured.Repair
	}{
		"in a string": {
			`{"id":"a b`, order{ID: "a b"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 10, Line: 1, Column: 11}, Pointer: "/id",
				Added: `"}`},
		},
		"in an escape": {
			`{"id":"a\`, order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 8, Line: 1, Column: 9}, Pointer: "/id",
				Dropped: 1, Added: `"}`},
		},
		"in a code point": {
			`{"id":"a\u00e`, order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 8, Line: 1, Column: 9}, Pointer: "/id",
				Dropped: 5, Added: `"}`},
		},
		"in a surrogate pair": {
			`{"id":"a\ud83d\ude0`, order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 8, Line: 1, Column: 9}, Pointer: "/id",
				Dropped: 11, Added: `"}`},
		},
		"after half a pair": {
			`{"id":"a\uD83D`, order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 8, Line: 1, Column: 9}, Pointer: "/id",
				Dropped: 6, Added: `"}`},
		},
		"after a pair": {
			`{"id":"\ud83d\ude00`, order{ID: "😀"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 19, Line: 1, Column: 20}, Pointer: "/id",
				Added: `"}`},
		},
		"in UTF-8": {
			"{\"id\":\"a\xe2\x82", order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 8, Line: 1, Column: 9}, Pointer: "/id",
				Dropped: 2, Added: `"}`},
		},
		"after a comma": {
			`{"id":"a", `, order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 9, Line: 1, Column: 10}, Dropped: 2,
				Added: "}"},
		},
		"in a name": {
			`{"id":"a","no`, order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 9, Line: 1, Column: 10}, Dropped: 4,
				Added: "}"},
		},
		"in a word": {
			`{"id":"a","note":nul`, order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 9, Line: 1, Column: 10}, Pointer: "/note",
				Dropped: 11, Added: "}"},
		},
		"in a number": {
			`{"id":"a","lines":[{"sku":"b","count":1},{"sku":"c","count":12`,
			order{}, structured.Repair{},
		},
		"in a list": {
			`Here: {"id":"a","lines":[{"sku":"b","count":1},`,
			order{ID: "a", Lines: []line{{"b", 1}}},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 46, Line: 1, Column: 47}, Pointer: "/lines",
				Dropped: 1, Added: "]}"},
		},
		"in a fence": {
			fence + "json\n{\"id\":\"a\",\n", order{ID: "a"},
			structured.Repair{Kind: structured.RepairCutOff,
				Position: validation.Position{Offset: 17, Line: 2, Column: 10}, Dropped: 1,
				Added: "}"},
		},
		"nothing to repair": {`{"id":"a"} {"id":"b`, order{ID: "a"}, structured.Repair{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var repair structured.Repair
			got, err := structured.Parse[order](test.text,
				structured.WithRepair(func(r structured.Repair) { repair = r }))
			if diff := cmp.Diff(test.want, got); diff != "" ||
				(err == nil) == (test.want.ID == "") {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			if diff := cmp.Diff(test.repair, repair); diff != "" {
				t.Errorf("the repair (-want +got):\n%s", diff)
			}
		})
	}
	if got := (structured.Repair{Kind: structured.RepairCutOff,
		Added: "]}"}).String(); got != "cut off; closed with ]} at line 0, column 0 (offset 0)" {
		t.Errorf("got %s", got)
	}
	parsesTo(t, `["a`, []string{"a"}, structured.WithRepair(nil))
}

func TestAStringThatMeansSomethingOnlyAsAWholeIsDroppedWhenItIsCutOff(t *testing.T) {
	t.Parallel()
	type event struct {
		Name string    `json:"name"`
		At   time.Time `json:"at"`
	}
	text := `{"name":"a","at":"2026-01-3`
	parsesTo(t, text, event{Name: "a"}, structured.WithRepair(nil))
	_, err := structured.Parse[event](text)
	if cut, ok := errors.AsType[*structured.TruncatedError](err); !ok || cut.Pointer != "/at" ||
		cut.Missing != "}" {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{`{"name":1,"at":"2026-01-3`, `{"at":"soon","name":"`} {
		if got, err := structured.Parse[event](text); !errors.As(err,
			new(*structured.DecodeError)) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestARepairThatLeavesRulesBrokenIsAnError(t *testing.T) {
	t.Parallel()
	repaired := func(structured.Repair) { t.Error("a repair was reported") }
	_, err := structured.Parse[order](`{"id":"a","lines":[{"sku":"b","count":1`,
		structured.WithRepair(repaired))
	want := "structured: /lines/0: the value that begins at line 1, column 1 (offset 0) is cut off at line 1, column 40 (offset 39); " +
		"invalid: /lines/0/count: line 1, column 20 (offset 19): must be greater than 0"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if _, ok := errors.AsType[*structured.InvalidError](err); !ok ||
		!errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%#v", err)
	}
}

func TestACheckTakesPartInTheChoice(t *testing.T) {
	t.Parallel()
	odd := structured.WithCheck(func(value jsontext.Value) []validation.Violation {
		var in struct{ N int }
		if err := json.Unmarshal(value, &in); err == nil && in.N%2 == 1 {
			return nil
		}
		return []validation.Violation{{Pointer: "/N", Rule: "odd", Want: "must be odd"}}
	})
	parsesTo(t, `{"N":2} {"N":3}`, jsontext.Value(`{"N":3}`), odd)
	_, err := structured.Parse[jsontext.Value](`So {"N": 2}`, odd)
	want := "structured: invalid: /N: line 1, column 10 (offset 9): must be odd, found 2"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	_, err = structured.Parse[order](`{"id":"","N":2}`, odd)
	if invalid, ok := errors.AsType[*structured.InvalidError](err); !ok ||
		len(invalid.Violations) != 2 {
		t.Errorf("got %v", err)
	}
}

func TestATextThatIsNestedTooDeeplyIsAnError(t *testing.T) {
	t.Parallel()
	const levels = 5001 // of an object and a list each
	text := strings.Repeat(`{"lines":[`, levels) + strings.Repeat(`]}`, levels)
	_, err := structured.Parse[order](text)
	e, ok := errors.AsType[*structured.DecodeError](err)
	if !ok || e.Want != "at most 10000 levels" || e.Value != "an object" || e.Offset != 50_000 ||
		len(err.Error()) > 400 {
		t.Errorf("%.500v", err)
	}
}

func TestAViolationOfAMissingValueIsAtTheValueAroundIt(t *testing.T) {
	t.Parallel()
	missing := structured.WithCheck(func(jsontext.Value) []validation.Violation {
		return []validation.Violation{{Pointer: "/a/b/c"}, {Pointer: "/a/x/7"}, {Pointer: "/d/1"},
			{Pointer: "/d/0/e"}, {}}
	})
	_, err := structured.Parse[any](` {"a": {"b": 1}, "d": [[]]}`, missing)
	invalid, ok := errors.AsType[*structured.InvalidError](err)
	if !ok {
		t.Fatalf("%#v", err)
	}
	var got []int
	for _, v := range invalid.Violations {
		got = append(got, v.Position.Offset)
		if (v.Value == "") != (v.Pointer != "") {
			t.Errorf("%+v", v)
		}
	}
	if diff := cmp.Diff([]int{13, 7, 22, 23, 1}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLongPointersAreCutInTheirMiddle(t *testing.T) {
	t.Parallel()
	_, err := structured.Parse[map[string]int](`{"` + strings.Repeat("é", 200) + `":"x"}`)
	if err == nil || len(err.Error()) > 350 || !strings.Contains(err.Error(), "é...é") ||
		!strings.Contains(err.Error(), "é: line 1") {
		t.Errorf("got %v", err)
	}
}
