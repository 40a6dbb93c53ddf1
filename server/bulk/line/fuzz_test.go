package line_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/google/go-cmp/cmp"
)

// verdict is the result of reading one line with another library.
type verdict struct {
	isJSON         bool
	id, url, model string
}

func verdictOf(data []byte) verdict {
	var l struct {
		CustomID string `json:"custom_id"`
		URL      string `json:"url"`
		Body     struct {
			Model string `json:"model"`
		} `json:"body"`
	}
	if !json.Valid(data) {
		return verdict{}
	}
	_ = json.Unmarshal(data, &l) // which fails for members of other types
	return verdict{true, l.CustomID, l.URL, l.Body.Model}
}

// FuzzEveryLineIsReadOrNamed compares the reader with simple code for the same bytes: both must
// find the same lines, report invalid JSON, and read no id twice.
func FuzzEveryLineIsReadOrNamed(f *testing.F) {
	for _, in := range []string{
		"", "\n", chat("a", "m"), chat("a", "m") + "\r\n\n" + chat("b", "m") + "\n",
		chat("a", "m") + "\n" + chat("a", "m"), "\xef\xbb\xbf" + chat("a", "m"),
		"oops\n" + chat("a", "m") + "\n{}\n[]", chat("a", "m") + "\n" + chat("b", "n"),
		chat("\xff", "m") + "\n" + chat(`\ud800`, "m"), "\xff\xfe{\x00", "\x1f\x8b\n{}",
		`{"key":"k","request":{"model":"m","contents":[{"parts":[{"text":"x"}]}]}}`,
		chat("a", "m")[:70],
		strings.Repeat(" ", 3000) + "\n" + chat("a", "m"),
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		const most = 2000
		if bytes.HasPrefix(in, []byte("\xff\xfe")) || bytes.HasPrefix(in, []byte("\xfe\xff")) ||
			bytes.HasPrefix(in, []byte("\x1f\x8b")) {
			return
		}
		r := line.NewReader(bytes.NewReader(in), line.WithMaxLineBytes(most),
			line.WithMaxProblems(1<<20))
		got, problems := map[int]line.Line{}, map[int]line.Problem{}
		last := 0
		for l, err := range r.Lines() {
			if invalid, ok := errors.AsType[*line.InputError](err); ok {
				for _, p := range invalid.Problems {
					problems[p.Line] = p
				}
				continue
			}
			if err != nil || l.Number <= last {
				t.Fatalf("line %d after %d, %v", l.Number, last, err)
			}
			last = l.Number
			got[l.Number] = l
		}
		count, ids := 0, map[string]bool{}
		for i, data := range bytes.Split(in, []byte("\n")) {
			if i == 0 {
				data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
			}
			isLong := len(data) > most+10
			if data = bytes.TrimSpace(data); len(data) == 0 && !isLong {
				continue
			}
			l, isRead := got[i+1]
			p, isNamed := problems[i+1]
			count++
			v := verdictOf(data)
			switch {
			case isRead && isNamed:
				t.Fatalf("line %d is read, and named: %s", i+1, p)
			case !v.isJSON && !isNamed:
				t.Fatalf("line %d is no JSON, and not named", i+1)
			case !isRead && !isNamed && len(problems) == 0:
				t.Fatalf("line %d is neither read nor named", i+1)
			case isRead && ids[l.CustomID]:
				t.Fatalf("the id of line %d is read twice", i+1)
			case isRead && r.Format() == line.OpenAI &&
				(l.CustomID != v.id || l.URL != v.url || v.model != r.Model()):
				t.Fatalf("line %d is read as %q %q, and is %q %q %q", i+1, l.CustomID, l.URL, v.id,
					v.url, v.model)
			}
			if isRead {
				ids[l.CustomID] = true
			}
		}
		if count != r.Count() || count == 0 != (problems[0].Code == line.CodeEmptyFile) ||
			r.Bytes() != int64(len(in)) {
			t.Fatalf("%d lines and %d bytes are read, there are %d", r.Count(), r.Bytes(), count)
		}
		for _, l := range got {
			checkKept(t, &l)
		}
	})
}

// checkKept encodes and decodes a line and compares the two.
func checkKept(t *testing.T, l *line.Line) {
	t.Helper()
	kept, err := line.AppendLine(nil, l)
	if err != nil || bytes.Count(kept, []byte("\n")) != 1 {
		t.Fatalf("%s is kept as %s, %v", l.Body, kept, err)
	}
	for back, err := range line.ReadLines(bytes.NewReader(kept)) {
		var want bytes.Buffer
		if err := json.Compact(&want, l.Body); err != nil {
			t.Fatal(err)
		}
		if err != nil || back.CustomID != l.CustomID || !bytes.Equal(back.Body, want.Bytes()) {
			t.Fatalf("%s comes back as %s, %v", want.Bytes(), back.Body, err)
		}
	}
}

// FuzzVariablesAreTextsAlone checks that a variable changes only its text in a line, whatever its
// value.
func FuzzVariablesAreTextsAlone(f *testing.F) {
	f.Add(`Is {{a}} kind?`, `nice`)
	f.Add(`{{a}}{{a}}`, "\",\"x\":\"{{a}}\n\\")
	f.Add(`\u007b{a}} {{b}} {{`, "\u2028\x00")
	f.Fuzz(func(t *testing.T, text, value string) {
		if !utf8.ValidString(text) || !utf8.ValidString(value) {
			return
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		row, err := json.Marshal(map[string]string{"a": value, "custom_id": "id"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := line.NewTemplateReader(
			[]byte(`{"url":"/v1/responses","body":{"model":"m","input":`+string(quoted)+`}}`),
			bytes.NewReader(row))
		if err != nil {
			t.Fatal(err)
		}
		for l, err := range r.Lines() {
			if err != nil {
				return // an unknown variable, or an empty input
			}
			var body, want map[string]any
			if err := json.Unmarshal(l.Body, &body); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(`{"model":"m"}`), &want); err != nil {
				t.Fatal(err)
			}
			got, _ := body["input"].(string)
			delete(body, "input")
			if diff := cmp.Diff(want, body); diff != "" {
				t.Fatal(diff)
			}
			if !strings.Contains(text, "{{") && got != text {
				t.Fatalf("%q became %q", text, got)
			}
			if n := strings.Count(text, "{{a}}"); n > 0 && value != "" &&
				strings.Count(got, value) == 0 {
				t.Fatalf("%q with %q became %q", text, value, got)
			}
		}
	})
}
