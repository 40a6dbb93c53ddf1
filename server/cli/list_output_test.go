package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestFormatsListsEveryFormatWithItsConversions(t *testing.T) {
	t.Parallel()
	got := gemwire(t, "", "formats")
	for _, want := range []string{
		"gemini-response     body of a generateContent answer, or of an error (.json)\n                    -> gemini-response, normalized, openai-response, responses-response, messages-response and interactions-response\n",
		"agent-ndjson        events of an agent, one per line (.ndjson)\n                    -> aisdk-stream\n",
	} {
		if got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, want) {
			t.Errorf("%+v lacks\n%s", got, want)
		}
	}
	var rows []struct {
		Name        string   `json:"name"`
		Extension   string   `json:"extension"`
		ConvertedTo []string `json:"converted_to"`
		IsValidated bool     `json:"is_validated"`
	}
	if err := json.Unmarshal([]byte(gemwire(t, "", "formats", "--output", "json").stdout),
		&rows); err != nil || len(rows) != 19 {
		t.Fatalf("%v: %+v", err, rows)
	}
	if last := rows[18]; last.Name != "agent-ndjson" || last.IsValidated || !rows[0].IsValidated ||
		last.Extension != ".ndjson" || !cmp.Equal(last.ConvertedTo, []string{"aisdk-stream"}) {
		t.Errorf("%+v", last)
	}
}

func TestModelsListsWhatEachModelTakes(t *testing.T) {
	t.Parallel()
	all := gemwire(t, "", "models")
	if all.code != 0 || !strings.Contains(all.stdout, "\ngemini-2.5-flash-lite ") ||
		!strings.HasPrefix(all.stdout, "MODEL ") {
		t.Errorf("%+v", all)
	}
	some := gemwire(t, "", "models", "models/gemini-2.5-pro-preview", "gemini-3.1-pro",
		"text-embedding-004")
	want := `MODEL                          THINKING LEVELS (* BY DEFAULT)  THINKING BUDGET  SIGNATURES  JSON SCHEMA  MEDIA IN RESULTS  TOKENS IN  TOKENS OUT
models/gemini-2.5-pro-preview  -                               128 to 32768     -           yes          -                 1048576    65536
gemini-3.1-pro                 LOW, MEDIUM or HIGH*            1 to 32768       required    yes          yes               1048576    65536
text-embedding-004             -                               -                -           -            -                 -          -
`
	wantNotes := "gemwire: gemini-2.5-pro-preview was shut down on 2026-03-31\n"
	if diff := cmp.Diff(result{0, want, wantNotes}, some, allowUnexported); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{
		"gemini-2.5-flsh": "gemwire: gemini-2.5-flsh is not a known model; did you mean gemini-2.5-flash?\n",
		"gpt-4o":          "gemwire: gpt-4o is not a known model; 'gemwire models' lists the names\n",
		"gemini-3-pro":    "gemwire: gemini-3-pro → gemini-3.1-pro-preview, routed by Google since 2026-03-09\n",
		"gemini-9-flash":  "", // which may be new
	} {
		if got := gemwire(t, "", "models", name); got.code != 0 || got.stderr != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	word := gemwire(t, "", "models", "aqq")
	if word.code != 2 || !strings.Contains(word.stderr, "; did you mean aqa?\n") {
		t.Errorf("%+v", word)
	}
	got := gemwire(t, "", "models", "--output", "json", "gemini-2.5-flash")
	wantJSON := `[
  {
    "name": "gemini-2.5-flash",
    "thinking_levels": [],
    "thinking_budget": {
      "min": 1,
      "max": 24576,
      "can_be_off": true
    },
    "thinking_amounts": {
      "none": {
        "thinkingBudget": 0
      },
      "low": {
        "thinkingBudget": 8192
      },
      "medium": {
        "thinkingBudget": 16384
      },
      "high": {
        "thinkingBudget": 24576
      }
    },
    "requires_signatures": false,
    "json_schema": true,
    "function_response_parts": false,
    "refused_by_gemini_api": [
      "penalties",
      "logprobs",
      "functions with answers in JSON",
      "functions with googleSearch"
    ],
    "max_input_tokens": 1048576,
    "max_output_tokens": 65536
  }
]
`
	if diff := cmp.Diff(result{0, wantJSON, ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestValidateListsWhatIsWrongAsJSON(t *testing.T) {
	t.Parallel()
	file := writeFile(t, filepath.Join(t.TempDir(), "broken.json"), `{"candidates":7}`)
	got := gemwire(t, smallResponse, "validate", "--as", "gemini-response", "--output", "json",
		file, "-")
	want := `[
  {
    "file": "` + file + `",
    "pointer": "/candidates",
    "severity": "error",
    "rule": "type",
    "offset": 14,
    "line": 1,
    "column": 15,
    "message": "must be a list, found 7"
  }
]
`
	if diff := cmp.Diff(result{1, want, ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	if got := gemwire(t, smallResponse, "validate", "--as", "gemini-response", "--output",
		"json"); got != (result{0, "[]\n", ""}) {
		t.Errorf("what is right: %+v", got)
	}
	got = gemwire(t, "", "validate", "--as", "gemini-request", "--output", "json",
		payload("invalid-request.json"), "nowhere.json")
	if got.code != 1 || strings.Count(got.stdout, `"file"`) != 3 ||
		strings.Contains(got.stdout, `"offset"`) ||
		got.stderr != "gemwire: nowhere.json: no such file or directory\n" {
		t.Errorf("%+v", got)
	}
}

func TestPrettyBreaksDocumentsIntoLinesAndChangesNothingElse(t *testing.T) {
	t.Parallel()
	input := `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"b":1.50,"a":"\u00e9<"}}}],"role":"model"},"finishReason":"STOP"}]}`
	for _, to := range []string{"gemini-response", "normalized", "openai-response"} {
		compact, pretty := convert(t, input, "gemini-response", to),
			convert(t, input, "gemini-response", to, "--pretty")
		if pretty.code != 0 || pretty.stderr != "" || strings.Count(pretty.stdout, "\n") < 10 {
			t.Errorf("%s: %+v", to, pretty)
		}
		if again := convert(t, pretty.stdout, to, to); again.stdout != convert(t, compact.stdout,
			to, to).stdout {
			t.Errorf("%s: %s", to, pretty.stdout)
		}
	}
	got := convert(t, input, "gemini-response", "gemini-response", "--pretty")
	if !strings.Contains(got.stdout,
		"\n                \"b\": 1.50,\n                \"a\": \"\\u00e9<\"\n") {
		t.Errorf("%s", got.stdout)
	}
	stream := convert(t, "", "gemini-stream", "normalized", "--pretty", payload("stream-text.sse"))
	if stream.code != 0 || strings.Count(stream.stdout, "\n") < 10 {
		t.Errorf("a merged stream: %+v", stream)
	}
}
