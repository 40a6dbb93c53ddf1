package line_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/google/go-cmp/cmp"
)

const kindTemplate = `{
  "url": "/v1/responses",
  "body": {"model": "m", "input": "Is {{ review }} kind? {{stars}} stars"}
}`

// made returns the lines that a template makes, as ID and body, and the problems.
func made(t *testing.T, template, variables string, opts ...line.Option) ([]string, []string) {
	t.Helper()
	r, err := line.NewTemplateReader([]byte(template), strings.NewReader(variables), opts...)
	if err != nil {
		t.Fatal(err)
	}
	lines, problems := read(t, r)
	var got, wrong []string
	for _, l := range lines {
		got = append(got, fmt.Sprintf("%d %s %s", l.Number, l.CustomID, l.Body))
	}
	for _, p := range problems {
		wrong = append(wrong, p.String())
	}
	return got, wrong
}

func TestATemplateMakesALineOfEachRow(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, template, variables, want string }{
		{"objects", kindTemplate,
			`{"review":"nice","stars":5}` + "\n\n" +
				`{"stars":null,"review":"a \"quoted\" \\ line\nand more","unused":[1]}`,
			`1 request-1 {"model": "m", "input": "Is nice kind? 5 stars"}` + "\n" +
				`3 request-2 {"model": "m", "input": "Is a \"quoted\" \\ line\nand more kind?  stars"}`},
		{"CSV", kindTemplate,
			"\xef\xbb\xbfstars,review\r\n5,nice\r\n\r\n4,\"two\nlines, \"\"quoted\"\"\"\n3,last",
			`2 request-1 {"model": "m", "input": "Is nice kind? 5 stars"}` + "\n" +
				`4 request-2 {"model": "m", "input": "Is two\nlines, \"quoted\" kind? 4 stars"}` +
				"\n" +
				`6 request-3 {"model": "m", "input": "Is last kind? 3 stars"}`},
		{"CSV of other countries", kindTemplate, "stars;review\n5;nice, really\n", `2 request-1 {"model": "m", "input": "Is nice, really kind? 5 stars"}`},
		{"columns without a name", kindTemplate, "stars,,review,\n5,x,nice,y\n", `2 request-1 {"model": "m", "input": "Is nice kind? 5 stars"}`},
		{"tabs", kindTemplate, "stars\treview\n5\tnice\n", `2 request-1 {"model": "m", "input": "Is nice kind? 5 stars"}`},
		{"an id of a column", kindTemplate, "custom_id,stars,review\nr7,1,x\n", `2 r7 {"model": "m", "input": "Is x kind? 1 stars"}`},
		{"an id that is a number", kindTemplate, `{"key":7,"stars":1,"review":"x"}`, `1 7 {"model": "m", "input": "Is x kind? 1 stars"}`},
		{"an id of the template",
			`{"custom_id":"v1-{{n}}","url":"/v1/responses","body":{"model":"m","input":"{{t}}{{t}}"}}`,
			"n,t\n1,a\n2,b",
			`2 v1-1 {"model":"m","input":"aa"}` + "\n" + `3 v1-2 {"model":"m","input":"bb"}`},
		{"Gemini's form", `{"request":{"contents":[{"parts":[{"text":"{{t}}"}]}],"model":"models/m"}}`, "key,t\nk,hello", `2 k {"contents":[{"parts":[{"text":"hello"}]}],"model":"models/m"}`},
		{"braces that are no variable",
			`{"url":"/v1/responses","body":{"model":"m","input":"{{}} {{ }} {{{t}}} {{a{{t}} }} {{ {\"x\":1} }} {{t"}}`,
			"t\nT",
			`2 request-1 {"model":"m","input":"{{}} {{ }} {T} {{aT }} {{ {\"x\":1} }} {{t"}`},
		{"braces within a value", `{"url":"/v1/responses","body":{"model":"m","input":"{{a}}"}}`, `{"a":"{{b}}\",\"x\":\""}`, `1 request-1 {"model":"m","input":"{{b}}\",\"x\":\""}`},
		{"names that are escaped, or of any letters", `{"url":"/v1/responses","body":{"model":"m","input":"\u007b{Größe in cm}}"}}`, "Größe in cm\n180", `2 request-1 {"model":"m","input":"180"}`},
		{"names of members are left", `{"url":"/v1/responses","body":{"model":"m","input":"{{a}}","metadata":{"{{a}}":"{{a}}"}}}`, "a\nA", `2 request-1 {"model":"m","input":"A","metadata":{"{{a}}":"A"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, wrong := made(t, tt.template, tt.variables)
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" || wrong != nil {
				t.Errorf("%s, problems %v", diff, wrong)
			}
		})
	}
}

func TestEachBadRowIsNamedWithItsReason(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, variables string
		want            []string
	}{
		{"a variable that is not there",
			`{"review":"x"}` + "\n" + `{"review":"x","stars":1}` + "\n" + `{}`, []string{
				`line 1: the variable "stars" of the template is missing (unknown_variable)`,
				`line 3: the variable "review" of the template is missing (unknown_variable)`,
			}},
		{"a column that is not there", "review,rating\nx,1\n", []string{`line 2: the variable "stars" of the template is missing (unknown_variable)`}},
		{"another number of values", "review,stars\nx\ny,2\nz,3,4\n", []string{
			`line 2: has another number of values than the first row has names (invalid_value)`,
			`line 4: has another number of values than the first row has names (invalid_value)`,
		}},
		{"quotes that are invalid", "review,stars\nx\"y,1\nz,2\n\"open,3\n", []string{
			`line 2: is not valid CSV: bare " in non-quoted-field (invalid_value)`,
			`line 4: is not valid CSV: extraneous or missing " in quoted-field (invalid_value)`,
		}},
		{"bytes that are not UTF-8", "review,stars\nGr\xf6\xdfe,1\n", []string{`line 2: /review: must be valid UTF-8 (invalid_value)`}},
		{"no JSON", `{"review":"x","stars":1}` + "\noops\n[1]", []string{
			`line 2: byte 1: not JSON (invalid_json_line)`,
			`line 3: byte 1: an object was expected, found a list (invalid_json_line)`,
		}},
		{"no rows", "review,stars\n", []string{`the input has no requests; expected one JSON object per line (empty_file)`}},
		{"nothing", "", []string{`the input has no requests; expected one JSON object per line (empty_file)`}},
		{"names that are invalid", "\"review,stars\nx,1\n", []string{`line 1: is not valid CSV: extraneous or missing " in quoted-field (invalid_value)`}},
		{"columns that have one name", "review,stars,review\na,1,b\n", []string{`line 1: two columns have the name "review" (invalid_value)`}},
		{"ids that come twice", "custom_id,review,stars\na,x,1\na,y,2\n", []string{`line 3: /custom_id: must be unique; line 2 has the same (duplicate_custom_id)`}},
		{"an id that is not UTF-8", "custom_id,review,stars\n\xff,x,1\n", []string{`line 2: /custom_id: must be valid UTF-8 (invalid_value)`}},
		{"gzip", "\x1f\x8b\x08\x00", []string{`line 1: the file is compressed; expected uncompressed JSON lines (invalid_json_line)`}},
		{"UTF-16 of the other order", "\xfe\xff\x00r", []string{`line 1: the file is in UTF-16; expected UTF-8 (invalid_json_line)`}},
		{"UTF-16", "\xff\xfer\x00", []string{`line 1: the file is in UTF-16; expected UTF-8 (invalid_json_line)`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, wrong := made(t, kindTemplate, tt.variables)
			if diff := cmp.Diff(tt.want, wrong); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnInvalidTemplateIsAnError(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		``:                 "line: the template: line: request: offset 0: the input is empty",
		`[1]`:              "line: the template: line: request: offset 0: an object was expected, found a list",
		`{"body":}`:        "line: the template: byte 9: not JSON",
		`{"messages":[]}`:  `line: the template: has neither "url" and "body", as in OpenAI's form, nor "request", as in Gemini's`,
		`{"request":{}}{}`: "line: the template: byte 15: data after the end of the payload",
	} {
		_, err := line.NewTemplateReader([]byte(template), strings.NewReader(""))
		if _, ok := errors.AsType[*line.TemplateError](err); !ok || err.Error() != want {
			t.Errorf("%s: %v, want %s", template, err, want)
		}
	}
}

func TestARowThatIsNeverClosedIsNotHeld(t *testing.T) {
	const limit = 1 << 20
	for name, start := range map[string]string{"CSV": "review,stars\n\"",
		"objects": `{"review":"`} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := line.NewTemplateReader([]byte(kindTemplate),
			repeated(start, 'x', 100<<20, "\nx,1\n"), line.WithMaxLineBytes(limit))
		if err != nil {
			t.Fatal(err)
		}
		_, problems := read(t, r)
		runtime.ReadMemStats(&after)
		if len(problems) == 0 || problems[0].Code != line.CodeTooLong {
			t.Errorf("%s: %v", name, problems)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16*limit {
			t.Errorf("%s: %d bytes were allocated", name, allocated)
		}
	}
}

func TestALineThatATemplateMakesHasALimit(t *testing.T) {
	t.Parallel()
	_, wrong := made(t, kindTemplate, `{"review":"`+strings.Repeat("x", 200)+`","stars":1}`,
		line.WithMaxLineBytes(250))
	if diff := cmp.Diff([]string{"line 1: has more than 250 bytes; that is the maximum (line_too_long)"},
		wrong); diff != "" {
		t.Error(diff)
	}
}

func TestALineThatATemplateMakesMayBeAsLongAsTheLimit(t *testing.T) {
	t.Parallel()
	template := `{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"model":"m","input":"{{t}}"}}`
	whole := strings.Replace(template, "{{t}}", "text", 1)
	for most, isLonger := range map[int]bool{len(whole): false, len(whole) - 1: true} {
		got, wrong := made(t, template, `{"t":"text"}`, line.WithMaxLineBytes(most))
		if isLonger != (len(wrong) == 1) || isLonger != (len(got) == 0) {
			t.Errorf("%d bytes of at most %d: %v, problems %v", len(whole), most, got, wrong)
		}
	}
}

func TestBytesOfVariablesAreCounted(t *testing.T) {
	t.Parallel()
	for name, variables := range map[string]string{"CSV": "review,stars\nnice,5\n",
		"objects": `{"review":"nice","stars":5}` + "\n"} {
		r, err := line.NewTemplateReader([]byte(kindTemplate), strings.NewReader(variables))
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Bytes(); n != 0 {
			t.Errorf("%s: %d bytes before any was read", name, n)
		}
		if _, problems := read(t, r); problems != nil || r.Bytes() != int64(len(variables)) {
			t.Errorf("%s: %d bytes of %d, problems %v", name, r.Bytes(), len(variables), problems)
		}
	}
}
