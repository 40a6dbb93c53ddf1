package cli_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// snakeCase writes the names of members in the snake_case spelling of protocol buffers.
func snakeCase(body string) string {
	return memberName.ReplaceAllStringFunc(body, func(name string) string {
		return capital.ReplaceAllStringFunc(name,
			func(c string) string { return "_" + strings.ToLower(c) })
	})
}

var (
	memberName = regexp.MustCompile(`"[a-z][A-Za-z]*"\s*:`)
	capital    = regexp.MustCompile(`[A-Z]`)
)

// resolves reports whether a pointer leads to a value of a document, with exact spelling.
func resolves(document jsontext.Value, pointer string) bool {
	for token := range jsontext.Pointer(pointer).Tokens() {
		var members map[string]jsontext.Value
		var elements []jsontext.Value
		index, err := strconv.Atoi(token)
		switch {
		case json.Unmarshal(document, &members) == nil && members[token] != nil:
			document = members[token]
		case err == nil && json.Unmarshal(document, &elements) == nil && index < len(elements):
			document = elements[index]
		default:
			return false
		}
	}
	return true
}

// chunksOf returns a stream of events as the list of their data.
func chunksOf(t *testing.T, body string) jsontext.Value {
	t.Helper()
	var chunks []string
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			chunks = append(chunks, data)
		}
	}
	return jsontext.Value("[" + strings.Join(chunks, ",") + "]")
}

func TestPlacesInReportsAreThoseOfTheInputAsItWasWritten(t *testing.T) {
	t.Parallel()
	responses, _ := filepath.Glob(payload("response-*.json"))
	streams, _ := filepath.Glob(payload("stream-*.sse"))
	counted := 0
	for _, path := range append(responses, streams...) {
		body := snakeCase(readFile(t, path))
		from, to, document := "gemini-response", []string{"openai-response", "normalized"},
			jsontext.Value(body)
		if strings.HasSuffix(path, ".sse") {
			from, to, document = "gemini-stream",
				[]string{"openai-stream", "normalized-stream", "aisdk-stream"}, chunksOf(t, body)
		}
		for _, to := range to {
			report := filepath.Join(t.TempDir(), "report.json")
			convert(t, body, from, to, "--no-extensions", "--report", report)
			for _, entry := range readReport(t, readFile(t, report)) {
				if entry.Kind == "added" {
					continue // there is no such place
				}
				counted++
				if !resolves(document, entry.Pointer) {
					t.Errorf("%s to %s: %s is not in the input", filepath.Base(path), to,
						entry.Entry)
				}
			}
			refused := convert(t, body, from, to, "--no-extensions", "--strict")
			for line := range strings.Lines(refused.stderr) {
				if pointer, lost := strings.CutPrefix(line, "gemwire: -: "); lost &&
					strings.Contains(line, ": lost: ") {
					if pointer, _, _ = strings.Cut(pointer, ":"); !resolves(document, pointer) {
						t.Errorf("%s to %s, --strict: %s", filepath.Base(path), to, line)
					}
				}
			}
		}
	}
	if counted < 30 {
		t.Errorf("only %d entries", counted)
	}
}

func TestPlacesInErrorsAreThoseOfTheInputAsItWasWritten(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args        []string
		input, want string
	}{
		"a request in snake_case": {
			[]string{"validate", "--as", "gemini-request"},
			`{"contents":[{"parts":[{"text":"a"}],"role":"user"}],"generation_config":{"top_p":7}}`,
			"/generation_config/top_p",
		},
		"lone elements": {
			[]string{"validate", "--as", "gemini-request"},
			`{"contents":{"parts":{"text":"a","inline_data":{"mime_type":"image/png","data":"AAAA"}}}}`,
			"/contents/parts",
		},
		"an answer of which a part is not understood": {
			[]string{"convert", "--from", "gemini-response", "--to", "normalized"},
			`{"candidates":[{"content":{"parts":[{"function_call":{}}]},"finish_reason":"STOP"}]}`,
			"/candidates/0/content/parts/0/function_call",
		},
		"a chunk of a merged stream of which a part is not understood": {
			[]string{"convert", "--from", "gemini-stream", "--to", "openai-response"},
			"{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n" +
				"{\"candidates\":{\"content\":{\"parts\":{\"function_call\":{\"args\":{}}}},\"finish_reason\":\"STOP\"}}\n",
			"/1/candidates/content/parts/function_call: offset 54: ",
		},
		"a chunk of which a part is lost": {
			[]string{"convert", "--from", "gemini-stream", "--to", "openai-stream", "--strict",
				"--no-extensions"},
			"data: {\"candidates\":{\"content\":{\"parts\":[{\"text\":\"a\"}]}}}\n\n" +
				"data: {\"candidates\":{\"content\":{\"parts\":{\"function_response\":{\"name\":\"f\"}}},\"finish_reason\":\"STOP\"}}\n\n",
			"/1/candidates/content/parts: lost",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, test.input, test.args...)
			if !strings.Contains(got.stdout+got.stderr, "-: "+test.want) {
				t.Errorf("%+v, want %s", got, test.want)
			}
		})
	}
}

func TestALargeDocumentIsNotLookedThroughForEveryEntry(t *testing.T) {
	t.Parallel()
	var parts bytes.Buffer
	for i := range 3000 {
		if i > 0 {
			parts.WriteString(",")
		}
		parts.WriteString(`{"inline_data":{"mime_type":"image/png","data":"AAAA"},"thought_signature":"AAAA"}`)
	}
	input := `{"candidates":[{"content":{"parts":[` + parts.String() +
		`]},"finish_reason":"STOP"}]}`
	report := filepath.Join(t.TempDir(), "report.json")
	got := convert(t, input, "gemini-response", "openai-response", "--no-extensions", "--quiet",
		"--report", report)
	entries := readReport(t, readFile(t, report))
	if got.code != 0 || len(entries) < 3000 {
		t.Fatalf("%+v, %d entries", got.code, len(entries))
	}
	if diff := cmp.Diff("/candidates/0/content/parts/2999",
		entries[len(entries)-1].Pointer); diff != "" {
		t.Error(diff)
	}
}
