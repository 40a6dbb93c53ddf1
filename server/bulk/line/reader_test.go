package line_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// chat returns a line that asks for a chat completion.
func chat(id, model string) string {
	return `{"custom_id":"` + id +
		`","method":"POST","url":"/v1/chat/completions","body":{"model":"` + model +
		`","messages":[{"role":"user","content":"hi"}]}}`
}

func embedding(id string, texts ...string) string {
	return `{"custom_id":"` + id +
		`","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":["` +
		strings.Join(texts, `","`) + `"]}}`
}

// read returns the lines of an input, its problems, and any other error.
func read(t *testing.T, r *line.Reader) ([]line.Line, []line.Problem) {
	t.Helper()
	var lines []line.Line
	for l, err := range r.Lines() {
		if invalid, ok := errors.AsType[*line.InputError](err); ok {
			if invalid.Total != len(invalid.Problems) {
				t.Errorf("%d problems are reported of %d", len(invalid.Problems), invalid.Total)
			}
			return lines, invalid.Problems
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

func TestLinesOfEachFormAreRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		opts     []line.Option
		want     []line.Line
		form     line.Format
		url      string
		model    string
	}{
		{
			name: "chat completions", in: chat("a", "m") + "\n" + chat("b", "m") + "\n",
			want: []line.Line{
				{Number: 1, CustomID: "a", URL: "/v1/chat/completions", Body: []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`)},
				{Number: 2, CustomID: "b", URL: "/v1/chat/completions", Body: []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`)},
			},
			form: line.OpenAI, url: "/v1/chat/completions", model: "m",
		},
		{
			name: "responses, messages of their own members",
			in:   `{"body":{"input":"hi","model":"m"},"url":"/v1/responses","method":"POST","custom_id":"a","note":1}`,
			want: []line.Line{{Number: 1, CustomID: "a", URL: "/v1/responses",
				Body: []byte(`{"input":"hi","model":"m"}`)}},
			form: line.OpenAI, url: "/v1/responses", model: "m",
		},
		{
			name: "embeddings",
			in:   `{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"e","input":["x"]}}`,
			want: []line.Line{{Number: 1, CustomID: "a", URL: "/v1/embeddings",
				Body: []byte(`{"model":"e","input":["x"]}`)}},
			form: line.OpenAI, url: "/v1/embeddings", model: "e",
		},
		{
			name: "messages",
			in:   `{"custom_id":"a","method":"POST","url":"/v1/messages","body":{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}}`,
			want: []line.Line{{Number: 1, CustomID: "a", URL: "/v1/messages",
				Body: []byte(`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`)}},
			form: line.OpenAI, url: "/v1/messages", model: "m",
		},
		{
			name: "Gemini's form",
			in:   `{"key":"a","request":{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}}`,
			opts: []line.Option{line.WithModel("models/gemini-3.6-flash")},
			want: []line.Line{{Number: 1, CustomID: "a",
				URL:  "/v1beta/models/gemini-3.6-flash:generateContent",
				Body: []byte(`{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`)}},
			form: line.Gemini, url: "/v1beta/models/gemini-3.6-flash:generateContent",
			model: "gemini-3.6-flash",
		},
		{
			name: "Gemini's form with the model in the request, and the key where batches have it",
			in:   `{"metadata":{"key":"a"},"request":{"model":"models/g","contents":[{"parts":[{"text":"hi"}]}]}}`,
			want: []line.Line{{Number: 1, CustomID: "a", URL: "/v1beta/models/g:generateContent",
				Body: []byte(`{"model":"models/g","contents":[{"parts":[{"text":"hi"}]}]}`)}},
			form: line.Gemini, url: "/v1beta/models/g:generateContent", model: "g",
		},
		{
			name: "another model in place of those of the lines",
			in:   chat("a", "x") + "\n" + chat("b", "y"), opts: []line.Option{line.WithModel("m")},
			want: []line.Line{
				{Number: 1, CustomID: "a", URL: "/v1/chat/completions", Body: []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`)},
				{Number: 2, CustomID: "b", URL: "/v1/chat/completions", Body: []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`)},
			},
			form: line.OpenAI, url: "/v1/chat/completions", model: "m",
		},
		{
			name: "a model where the line has none",
			in:   `{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"input":"hi"}}`,
			opts: []line.Option{line.WithModel("m")},
			want: []line.Line{{Number: 1, CustomID: "a", URL: "/v1/responses",
				Body: []byte(`{"input":"hi","model":"m"}`)}},
			form: line.OpenAI, url: "/v1/responses", model: "m",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := line.NewReader(strings.NewReader(tt.in), tt.opts...)
			lines, problems := read(t, r)
			if diff := cmp.Diff(tt.want, lines); diff != "" || problems != nil {
				t.Errorf("%s, problems %v", diff, problems)
			}
			if r.Format() != tt.form || r.Endpoint() != tt.url || r.Model() != tt.model ||
				r.Count() != len(tt.want) || r.Bytes() != int64(len(tt.in)) {
				t.Errorf("form %s, endpoint %s, model %s, %d lines, %d bytes", r.Format(),
					r.Endpoint(), r.Model(), r.Count(), r.Bytes())
			}
		})
	}
}

func TestLinesAreReadHoweverTheyEnd(t *testing.T) {
	t.Parallel()
	a, b := chat("a", "m"), chat("b", "m")
	for name, in := range map[string]string{
		"without an end of the last":    a + "\n\n" + b,
		"by CRLF":                       a + "\r\n\r\n" + b + "\r\n",
		"with a byte order mark":        "\xef\xbb\xbf" + a + "\n\n" + b + "\n",
		"with white space around":       " \t" + a + "  \n \t \n\t" + b + "\t\n\n\n",
		"after more than a buffer of a": a[:len(a)-1] + strings.Repeat(" ", 300_000) + "}\n\n" + b,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, problems := read(t, line.NewReader(iotest.OneByteReader(strings.NewReader(in))))
			if len(problems) > 0 || len(lines) != 2 || lines[0].Number != 1 ||
				lines[1].Number != 3 || lines[1].CustomID != "b" {
				t.Errorf("%v, problems %v", lines, problems)
			}
		})
	}
}

func TestEachBadLineIsNamedWithItsReason(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		opts     []line.Option
		want     []string
	}{
		{name: "nothing", in: "", want: []string{`the input has no requests; expected one JSON object per line (empty_file)`}},
		{name: "empty lines", in: "\n \r\n\n", want: []string{`the input has no requests; expected one JSON object per line (empty_file)`}},
		{name: "no JSON",
			in: chat("a", "m") + "\n{oops}\n" + chat("b", "m") +
				"\n[]\nnull\n{\"custom_id\":\"x\n", want: []string{
				`line 2: byte 2: not JSON (invalid_json_line)`,
				`line 4: byte 1: an object was expected, found a list (invalid_json_line)`,
				`line 5: byte 1: an object was expected, found null (invalid_json_line)`,
				`line 6: /custom_id: byte 16: the input ends too early (invalid_json_line)`,
			}},
		{name: "two objects in a line", in: chat("a", "m") + chat("b", "m"), want: []string{`line 1: byte 128: data after the end of the payload (invalid_json_line)`}},
		{name: "a member twice", in: `{"custom_id":"a","custom_id":"b"}`, want: []string{`line 1: /custom_id: byte 18: the member occurs twice (invalid_json_line)`}},
		{name: "missing members",
			in: `{"method":"POST"}` + "\n" + `{"custom_id":"a"}` + "\n" +
				`{"custom_id":"b","method":"POST"}` + "\n" +
				`{"custom_id":"c","method":"POST","url":"/v1/responses"}` + "\n" +
				`{"custom_id":"d","method":"POST","url":"/v1/responses","body":{"input":"x"}}`, want: []string{
				`line 1: /custom_id: must be set (missing_required_parameter)`,
				`line 2: /method: must be set (missing_required_parameter)`,
				`line 3: /url: must be set (missing_required_parameter)`,
				`line 4: /body: must be set (missing_required_parameter)`,
				`line 5: /body/model: must be set (missing_required_parameter)`,
			}},
		{name: "members of another type",
			in: `{"custom_id":7}` + "\n" + `{"custom_id":""}` + "\n" +
				`{"custom_id":"c","method":"GET"}` + "\n" +
				`{"custom_id":"d","method":"POST","url":"/v1/images"}` + "\n" +
				`{"custom_id":"e","method":"POST","url":"/v1/responses","body":"x"}` +
				"\n{\"custom_id\":\"\xff\"}", want: []string{
				`line 1: /custom_id: must be a text (invalid_value)`,
				`line 2: /custom_id: must not be empty (invalid_value)`,
				`line 3: /method: must be "POST" (invalid_method)`,
				`line 4: /url: must be one of /v1/chat/completions, /v1/responses, /v1/messages, /v1beta/interactions, /v1/embeddings (invalid_url)`,
				`line 5: /body: must be an object (invalid_value)`,
				`line 6: /custom_id: must be valid UTF-8 (invalid_value)`,
			}},
		{name: "unknown members of a chat completion",
			in: `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"hi"}],"temprature":1,"usage":{"include":true},"mystery":null}}`, want: []string{
				`line 1: /body/temprature: unknown parameter; did you mean temperature? (invalid_request)`,
			}},
		{name: "members of a response under their names in chat_completions",
			in: `{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"model":"m","input":"x","new_member":1,"max_tokens":9}}`, want: []string{
				`line 1: /body/max_tokens: unknown parameter; did you mean max_output_tokens? (invalid_request)`,
			}},
		{name: "unknown members of embeddings",
			in: `{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":"x","mystery":1}}`, want: []string{
				`line 1: /body/mystery: unknown parameter (invalid_request)`,
			}},
		{name: "ids that come twice",
			in: chat("a", "m") + "\n" + chat("b", "m") + "\n\n" + chat("a", "m") + "\n" +
				chat(`\u0061`, "m"), want: []string{
				`line 4: /custom_id: must be unique; line 1 has the same (duplicate_custom_id)`,
				`line 5: /custom_id: must be unique; line 1 has the same (duplicate_custom_id)`,
			}},
		{name: "other urls",
			in: chat("a", "m") + "\n" +
				`{"custom_id":"b","method":"POST","url":"/v1/responses","body":{"model":"m","input":"x"}}`, want: []string{
				`line 2: /url: must be "/v1/chat/completions", as in the other lines (url_mismatch)`,
			}},
		{name: "another url than the job's", in: chat("a", "m"),
			opts: []line.Option{line.WithEndpoint("/v1/responses")}, want: []string{
				`line 1: /url: must be "/v1/responses", as in the other lines (url_mismatch)`,
			}},
		{name: "other models", in: chat("a", "m") + "\n" + chat("b", "n") + "\n" + chat("c", "m"),
			want: []string{
				`line 2: /body/model: all lines must use the same model (mismatched_model)`,
			}},
		{name: "bodies that do not validate",
			in: strings.ReplaceAll(chat("a", "m"), `"content":"hi"`, `"content":7`) + "\n" +
				strings.ReplaceAll(chat("b", "m"), `"model"`, `"temperature":9,"top_p":7,"model"`) +
				"\n" + strings.ReplaceAll(chat("c", "m"), `"model"`,
				`"stream":true,"model"`), want: []string{
				`line 1: /body/messages/0/content: a list was expected, found a number (invalid_request)`,
				`line 2: /body/temperature: must be from 0 to 2, and 1 more (invalid_request)`,
				`line 3: /body/stream: must not be true; bulk jobs do not stream (invalid_request)`,
			}},
		{name: "bodies of Gemini that do not validate",
			in: `{"key":"a","request":{"contents":[]}}` + "\n" +
				`{"key":"b","request":{"contents":[{"parts":[{"text":"x"}]}],"stray":1}}` + "\n" +
				`{"key":"c"}` + "\n" +
				`{"request":{}}`, opts: []line.Option{line.WithModel("g")}, want: []string{
				`line 1: /request/contents: no content; a request needs at least one turn (invalid_request)`,
				`line 2: /request/stray: the API has no such member here and refuses the request (invalid_request)`,
				`line 3: /request: must be set (missing_required_parameter)`,
				`line 4: /key: must be set (missing_required_parameter)`,
			}},
		{name: "no model for Gemini's form",
			in: `{"key":"a","request":{"contents":[{"parts":[{"text":"x"}]}]}}`, want: []string{
				`line 1: /request/model: must be set (missing_required_parameter)`,
			}},
		{name: "OpenAI's form where the other was guessed",
			in: `{"key":"a","request":{"model":"m","contents":[{"parts":[{"text":"x"}]}]}}` + "\n" +
				chat("b", "m"), want: []string{
				`line 2: /key: must be set (missing_required_parameter)`,
			}},
		{name: "too many", in: chat("a", "m") + "\n" + chat("b", "m") + "\n" + chat("c", "m"),
			opts: []line.Option{line.WithMaxLines(1)}, want: []string{
				`line 2: there are more than 1 requests; that is the maximum (too_many_tasks)`,
			}},
		{name: "too many texts",
			in: embedding("a", "1", "2") + "\n" + embedding("b", "3", "4") + "\n" +
				embedding("c", "5"), opts: []line.Option{line.WithMaxTexts(3)}, want: []string{
				`line 2: /body/input: there are more than 3 texts; that is the maximum (too_many_tasks)`,
			}},
		{name: "too long",
			in: chat("a", "m") + "\n" + chat("b", strings.Repeat("m", 200)) + "\r\n" +
				chat("c", "m"), opts: []line.Option{line.WithMaxLineBytes(200)}, want: []string{
				`line 2: has more than 200 bytes; that is the maximum (line_too_long)`,
			}},
		{name: "too long, as the last one without an end",
			in: chat("a", "m") + "\n" +
				chat("b",
					strings.Repeat("m", 200)), opts: []line.Option{line.WithMaxLineBytes(200)},
			want: []string{
				`line 2: has more than 200 bytes; that is the maximum (line_too_long)`,
			}},
		{name: "a byte too long", in: chat("a", "m") + "x\r\n",
			opts: []line.Option{line.WithMaxLineBytes(len(chat("a", "m")))}, want: []string{
				`line 1: has more than 127 bytes; that is the maximum (line_too_long)`,
			}},
		{name: "responses that stream or run in the background",
			in: `{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"model":"m","input":"x","stream":true}}` +
				"\n" +
				`{"custom_id":"b","method":"POST","url":"/v1/responses","body":{"model":"m","input":"x","background":true}}`, want: []string{
				`line 1: /body/stream: must not be true; bulk jobs do not stream (invalid_request)`,
				`line 2: /body/background: must not be true; bulk jobs do not stream (invalid_request)`,
			}},
		{name: "messages that stream",
			in: `{"custom_id":"a","method":"POST","url":"/v1/messages","body":{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]}}`, want: []string{
				`line 1: /body/stream: must not be true; bulk jobs do not stream (invalid_request)`,
			}},
		{name: "UTF-16 of the other order", in: "\xfe\xff\x00{\x00}", want: []string{`line 1: the file is in UTF-16; expected UTF-8 (invalid_json_line)`}},
		{name: "UTF-16", in: "\xff\xfe{\x00}\x00", want: []string{`line 1: the file is in UTF-16; expected UTF-8 (invalid_json_line)`}},
		{name: "gzip", in: "\x1f\x8b\x08\x00\x00\n\n\n", want: []string{`line 1: the file is compressed; expected uncompressed JSON lines (invalid_json_line)`}},
		{name: "odd bytes", in: "\x00\x01\n" + chat("a", "m") + "\x00\n\xff\xff", want: []string{
			`line 1: byte 1: not JSON (invalid_json_line)`,
			`line 2: byte 128: data after the end of the payload (invalid_json_line)`,
			`line 3: byte 1: invalid UTF-8 (invalid_json_line)`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var told []string
			opts := append(tt.opts,
				line.WithReport(func(p line.Problem) { told = append(told, p.String()) }))
			_, problems := read(t, line.NewReader(strings.NewReader(tt.in), opts...))
			var got []string
			for _, p := range problems {
				got = append(got, p.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(got, told); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithoutValidationBodiesAreOnlyDecoded(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"chat completions": strings.ReplaceAll(chat("a", "m"), `"model"`,
			`"temperature":9,"model"`),
		"responses":  `{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"model":"m","input":"x","temperature":9}}`,
		"embeddings": `{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":""}}`,
		"messages": `{"custom_id":"a","method":"POST","url":"/v1/messages","body":{"model":"m","max_tokens":-1,` +
			`"messages":[{"role":"user","content":"hi"}]}}`,
		"Gemini's form": `{"key":"a","request":{"model":"models/g","contents":[]}}`,
	} {
		if lines, problems := read(t,
			line.NewReader(strings.NewReader(in), line.WithoutValidation())); len(lines) != 1 ||
			problems != nil {
			t.Errorf("%s: %d lines, %v", name, len(lines), problems)
		}
		if _, problems := read(t, line.NewReader(strings.NewReader(in))); len(problems) != 1 {
			t.Errorf("%s: validated, it has the problems %v", name, problems)
		}
	}
}

func TestProblemsBeyondTheLimitAreCounted(t *testing.T) {
	t.Parallel()
	told := 0
	r := line.NewReader(strings.NewReader(strings.Repeat("x\n", 5000)), line.WithMaxProblems(3),
		line.WithReport(func(line.Problem) { told++ }))
	for _, err := range r.Lines() {
		invalid, ok := errors.AsType[*line.InputError](err)
		if !ok || len(invalid.Problems) != 3 || invalid.Total != 5000 || told != 5000 {
			t.Errorf("%v, %d reported", err, told)
		}
		if want := "line: the input cannot be run: line 1: byte 1: not JSON (invalid_json_line), and 4999 more problems"; err.Error() != want {
			t.Errorf("the text is %s", err)
		}
	}
}

func TestAnErrorOfReadingEndsTheLines(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is broken")
	r := line.NewReader(io.MultiReader(strings.NewReader(chat("a", "m")+"\n"+chat("b", "m")),
		iotest.ErrReader(broken)))
	var ids []string
	for l, err := range r.Lines() {
		if err != nil {
			if !errors.Is(err, broken) || strings.Join(ids, "") != "a" {
				t.Errorf("%v after %v", err, ids)
			}
			return
		}
		ids = append(ids, l.CustomID)
	}
	t.Error("no error")
}

// repeated reads one byte n times, with other text before and after it.
func repeated(before string, b byte, times int64, behind string) io.Reader {
	return io.MultiReader(strings.NewReader(before), io.LimitReader(byteReader(b), times),
		strings.NewReader(behind))
}

type byteReader byte

func (b byteReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

func TestALineOf200MegabytesIsRefusedWithoutBeingHeld(t *testing.T) {
	const limit = 1 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := repeated(chat("a", "m")+"\n"+`{"custom_id":"b","body":"`, 'x', 200<<20,
		"\"}\n"+chat("c", "m")+"\n")
	r := line.NewReader(in, line.WithMaxLineBytes(limit))
	_, problems := read(t, r)
	runtime.ReadMemStats(&after)
	if len(problems) != 1 || problems[0].Line != 2 || problems[0].Code != line.CodeTooLong ||
		r.Count() != 3 {
		t.Errorf("%v of %d lines", problems, r.Count())
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 8*limit {
		t.Errorf("%d bytes were allocated", allocated)
	}
}

// manyLines generates n lines while they are read.
func manyLines(n int) io.Reader {
	in, out := io.Pipe()
	go func() {
		for i := range n {
			if _, err := fmt.Fprintf(out,
				`{"custom_id":"request-%d","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":"x"}}`+
					"\n", i); err != nil {
				return
			}
		}
		out.Close()
	}()
	return in
}

func TestMemoryOfALineIsSomeTensOfBytes(t *testing.T) {
	n := 300_000
	if testing.Short() {
		n = 30_000
	}
	r := line.NewReader(manyLines(n))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, err := range r.Lines() {
		if err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	held := float64(int64(after.HeapAlloc)-int64(before.HeapAlloc)) / float64(n)
	t.Logf("%.0f bytes a line", held)
	if held > 80 || r.Count() != n {
		t.Errorf("%.0f bytes a line are held, of %d lines", held, r.Count())
	}
}

func TestRangesHoldTheirLimitsAndAllLines(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	for i := range 450 {
		body := "x"
		if i == 300 {
			body = strings.Repeat("x", 9000)
		}
		fmt.Fprintf(&in,
			`{"custom_id":"%d","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":"%s"}}`+
				"\n", i, body)
	}
	limits := line.RangeLimits{Lines: 100, Bytes: 8000}
	next, number := 0, 0
	for r, err := range line.Ranges(line.NewReader(strings.NewReader(in.String())).Lines(),
		limits) {
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, l := range r.Lines {
			if l.CustomID != fmt.Sprint(next) {
				t.Fatalf("%s in place of %d", l.CustomID, next)
			}
			next++
			size += l.Size()
		}
		if r.Number != number || len(r.Lines) == 0 || len(r.Lines) > 100 ||
			size > 8000 && len(r.Lines) > 1 {
			t.Errorf("range %d has %d lines of %d bytes", r.Number, len(r.Lines), size)
		}
		number++
	}
	if next != 450 {
		t.Errorf("%d lines are in ranges", next)
	}
}

func TestTheSizeOfALineCountsAllItsValues(t *testing.T) {
	t.Parallel()
	empty := (&line.Line{}).Size()
	if empty <= 0 {
		t.Errorf("a line without values has the size %d", empty)
	}
	for name, l := range map[string]line.Line{
		"id":   {CustomID: strings.Repeat("x", 1000)},
		"URL":  {URL: strings.Repeat("x", 1000)},
		"body": {Body: jsontext.Value(strings.Repeat("x", 1000))},
	} {
		if got := l.Size(); got != empty+1000 {
			t.Errorf("%s of 1,000 bytes: the size is %d, want %d", name, got, empty+1000)
		}
	}
}

func TestARangeIsAsLargeAsItsLimits(t *testing.T) {
	t.Parallel()
	const size = 1000 // of each line but the large ones
	around := (&line.Line{}).Size()
	for name, tt := range map[string]struct {
		lines  string // "-" is one line, "#" one of three times its size
		limits line.RangeLimits
		want   string
	}{
		"nothing":                          {"", line.RangeLimits{}, "[]"},
		"the defaults":                     {strings.Repeat("-", 401), line.RangeLimits{}, "[200 200 1]"},
		"limits below 0":                   {strings.Repeat("-", 201), line.RangeLimits{Lines: -1, Bytes: -1}, "[200 1]"},
		"as many lines as may be":          {"----", line.RangeLimits{Lines: 2}, "[2 2]"},
		"as many bytes as may be":          {"------", line.RangeLimits{Bytes: 3 * size}, "[3 3]"},
		"a byte fewer":                     {"------", line.RangeLimits{Bytes: 3*size - 1}, "[2 2 2]"},
		"large lines have their own range": {"#-#--#", line.RangeLimits{Bytes: 2 * size}, "[1 1 1 2 1]"},
		"a line as large as a range":       {"#---#", line.RangeLimits{Bytes: 3 * size}, "[1 3 1]"},
	} {
		lines := func(yield func(line.Line, error) bool) {
			for _, kind := range tt.lines {
				l := line.Line{Body: jsontext.Value(strings.Repeat("x", size-around))}
				if kind == '#' {
					l.Body = jsontext.Value(strings.Repeat("x", 3*size-around))
				}
				if !yield(l, nil) {
					return
				}
			}
		}
		got := []int{}
		for r, err := range line.Ranges(lines, tt.limits) {
			if err != nil || r.Number != len(got) {
				t.Errorf("%s: range %d is number %d, %v", name, len(got), r.Number, err)
			}
			got = append(got, len(r.Lines))
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: ranges of %v lines, want %s", name, got, tt.want)
		}
	}
}

func TestALineMayHaveAsManyBytesAsTheLimitWithoutItsEnd(t *testing.T) {
	t.Parallel()
	a := chat("a", "m")
	for name, in := range map[string]string{"LF": a + "\n", "CRLF": a + "\r\n", "no end": a} {
		if lines, problems := read(t,
			line.NewReader(strings.NewReader(in),
				line.WithMaxLineBytes(len(a)))); len(lines) != 1 || problems != nil {
			t.Errorf("%s: %d lines, %v", name, len(lines), problems)
		}
	}
}

func TestRangesEndByTheErrorOfTheLines(t *testing.T) {
	t.Parallel()
	in := chat("a", "m") + "\n" + chat("b", "m") + "\noops\n" + chat("c", "m")
	ranges, failed := 0, 0
	for _, err := range line.Ranges(line.NewReader(strings.NewReader(in)).Lines(),
		line.RangeLimits{Lines: 1}) {
		if err != nil {
			failed++
			continue
		}
		ranges++
	}
	if ranges != 1 || failed != 1 {
		t.Errorf("%d ranges, %d errors", ranges, failed)
	}
}

func TestReadingMayStopAnywhere(t *testing.T) {
	t.Parallel()
	in := chat("a", "m") + "\n" + chat("b", "m") + "\n" + chat("c", "m") + "\n"
	r := line.NewReader(strings.NewReader(in))
	for range r.Lines() {
		break
	}
	if r.Count() != 1 {
		t.Errorf("%d lines are read, not the first alone", r.Count())
	}
	r = line.NewReader(strings.NewReader(in))
	for first, err := range line.Ranges(r.Lines(), line.RangeLimits{Lines: 1}) {
		if err != nil || len(first.Lines) != 1 {
			t.Errorf("%v, %v", first, err)
		}
		break
	}
	if r.Count() > 2 {
		t.Errorf("%d lines are read for a range of one", r.Count())
	}
}

func TestTextsOfVectorsAreChecked(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`"x"`:       "",
		`["x","y"]`: "",
		`""`:        "/body/input: must be a text, or a list with at least one text",
		`[]`:        "/body/input: must be a text, or a list with at least one text",
		`["x",""]`:  "/body/input/1: must be a non-empty text",
		`[1,2]`:     "/body/input/0: must be a non-empty text; Gemini does not accept token ids",
		`[["x"]]`:   "/body/input/0: must be a non-empty text",
		`[1` + strings.Repeat(`,1`, 2048) +
			`]`: "/body/input/0: must be a non-empty text; Gemini does not accept token ids",
		`["x",null]`: "/body/input/1: must be a non-empty text",
		`["` + strings.Repeat(`x","`, 2047) + `x"]`: "",
		`["` + strings.Repeat(`x","`, 2048) + `x"]`: "/body/input: must have at most 2048 texts",
	} {
		in := `{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"e","input":` +
			input + `}}`
		got := ""
		for _, err := range line.NewReader(strings.NewReader(in)).Lines() {
			if err != nil {
				got = err.Error()
			}
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%.40s: %s, want %s", input, got, want)
		}
	}
}

func TestAListOfTheIdsOfTokensIsOneText(t *testing.T) {
	t.Parallel()
	for input, texts := range map[string]int{
		`"x"`:             1,
		`["x","y","z"]`:   3,
		`[1,2,3]`:         1,
		`[[1,2],[3]]`:     2,
		`[[1,2,3]]`:       1,
		`["x",1]`:         2, // its meaning is unknown
		`[1,"x"]`:         2,
		`[]`:              1,
		`null`:            1,
		`[null,null]`:     2,
		`[1.5e3,-2]`:      1,
		`["x",[1,2],"y"]`: 3,
	} {
		in := `{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"e","input":` +
			input + `}}`
		for most := 1; most <= 3; most++ {
			failed := false
			for _, err := range line.NewReader(strings.NewReader(in), line.WithoutValidation(),
				line.WithMaxTexts(most)).Lines() {
				failed = failed || err != nil
			}
			if failed != (texts > most) {
				t.Errorf("%s is refused where %d texts are the most: %v; expected %v", input, most,
					failed, texts > most)
			}
		}
	}
}

func TestAnErrorOfAnInputCountsTheProblemsThatItDoesNotName(t *testing.T) {
	t.Parallel()
	first := line.Problem{Line: 3, Param: "/body/model", Message: "must be set", Code: "missing"}
	const named = "line: the input cannot be run: line 3: /body/model: must be set (missing)"
	for want, err := range map[string]*line.InputError{
		"line: the input has 0 problems":  {},
		"line: the input has 7 problems":  {Total: 7},
		named:                             {Problems: []line.Problem{first}, Total: 1},
		named + ", and 1 more problems":   {Problems: []line.Problem{first, first}, Total: 2},
		named + ", and 499 more problems": {Problems: []line.Problem{first}, Total: 500},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	whole := line.Problem{Message: "has no line", Code: "empty_file"}
	if got, want := whole.String(), "has no line (empty_file)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLinesMayHaveSeveralModelsIfThatIsAllowed(t *testing.T) {
	t.Parallel()
	chat := `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"m-1","messages":[{"role":"user","content":"hi"}]}}`
	native := `{"key":"1","request":{"model":"models/m-1","contents":[{"parts":[{"text":"hi"}]}]}}`
	for _, first := range []string{chat, native} {
		second := strings.NewReplacer(`"1"`, `"2"`, "m-1", "m-2").Replace(first)
		r := line.NewReader(strings.NewReader(first+"\n"+second), line.WithSeveralModels())
		var models []string
		for l, err := range r.Lines() {
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, l.Model())
		}
		if !slices.Equal(models, []string{"m-1", "m-2"}) || !slices.Equal(r.Models(), models) {
			t.Errorf("%s: %v, %v", first, models, r.Models())
		}
	}
}
