package gemini_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedResponseSurvivesARoundTrip(t *testing.T) {
	t.Parallel()
	checkCorpus(t, corpustest.Response, "GenerateContentResponse", func(b []byte) ([]byte, error) {
		return roundTrip(b, gemini.DecodeResponse, gemini.EncodeResponse)
	})
}

func TestEveryRecordedRequestSurvivesARoundTrip(t *testing.T) {
	t.Parallel()
	checkCorpus(t, corpustest.Request, "GenerateContentRequest", func(b []byte) ([]byte, error) {
		return roundTrip(b, gemini.DecodeRequest, gemini.EncodeRequest)
	})
}

// checkCorpus compares the round trip of each payload with the canonical form by Google's own
// description. A recorded body that is not JSON must be refused.
func checkCorpus(t *testing.T, kind corpustest.Kind, schema string,
	trip func([]byte) ([]byte, error)) {
	payloads := corpustest.Payloads(t, kind)
	google := readGoogle(t)
	for _, payload := range payloads {
		t.Run(payload.Name, func(t *testing.T) {
			t.Parallel()
			in := payload.Read(t)
			out, err := trip(in)
			if !json.Valid(in) {
				if _, ok := errors.AsType[*wire.MalformedError](err); !ok {
					t.Errorf("what is not JSON gives error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := google.canonical(exactTree(t, in), google.schemas[schema])
			if diff := cmp.Diff(want, exactTree(t, out)); diff != "" {
				t.Error(diff)
			}
			again, err := trip(out)
			if err != nil || !bytes.Equal(out, again) {
				t.Errorf("a second round trip changes %s\nto %s, error %v", out, again, err)
			}
		})
	}
}

// exactTree decodes JSON into maps, slices and strings; numbers become their canonical text as in
// RFC 8785, except that whole numbers keep all digits.
func exactTree(t *testing.T, data []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return canonicalNumbers(value)
}

func canonicalNumbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			v[name] = canonicalNumbers(v[name])
		}
	case []any:
		for i := range v {
			v[i] = canonicalNumbers(v[i])
		}
	case json.Number:
		return canonicalNumber(v)
	}
	return value
}

func canonicalNumber(number json.Number) json.Number {
	if !strings.ContainsAny(string(number), ".eE") {
		return number
	}
	f, err := number.Float64()
	if err != nil {
		return number
	}
	return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
}

// google is the vendor's own description of the wire, an expectation that is independent of the
// code under test.
type google struct {
	schemas map[string]*googleSchema
	// others has the members that only other sources describe, by message; their types are unknown
	// here.
	others map[string]map[string]bool
}

type googleSchema struct {
	Name                 string                   `json:"-"`
	Ref                  string                   `json:"$ref"`
	Type                 string                   `json:"type"`
	Enum                 []string                 `json:"enum"`
	Items                *googleSchema            `json:"items"`
	Properties           map[string]*googleSchema `json:"properties"`
	AdditionalProperties *googleSchema            `json:"additionalProperties"`
}

func readGoogle(t *testing.T) google {
	t.Helper()
	folder := corpustest.Shared(t, "discovery")
	data, err := os.ReadFile(filepath.Join(folder,
		"generativelanguage-v1beta.openapi.2026-08-22.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct{ Schemas map[string]*googleSchema }
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	g := google{schemas: document.Components.Schemas, others: map[string]map[string]bool{}}
	for name, schema := range g.schemas {
		schema.Name = name
	}
	fields, err := os.Open(filepath.Join(folder, "field_matrix.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer fields.Close()
	rows, err := csv.NewReader(fields).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if g.others[row[0]] == nil {
			g.others[row[0]] = map[string]bool{}
		}
		g.others[row[0]][row[1]] = true
	}
	return g
}

// canonical returns what Google's servers would write for what they accept as a value of a schema.
func (g google) canonical(value any, schema *googleSchema) any {
	if name, ok := strings.CutPrefix(schema.Ref, "#/components/schemas/"); ok {
		schema = g.schemas[name]
	}
	switch {
	case schema.Enum != nil:
		return canonicalEnum(value, schema.Enum)
	case schema.Type == "array":
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for i := range list {
			list[i] = g.canonical(list[i], schema.Items)
		}
		return list
	case schema.Properties != nil:
		return g.canonicalMessage(value, schema)
	case schema.AdditionalProperties != nil && schema.AdditionalProperties.Ref != "":
		members, _ := value.(map[string]any)
		for name := range members {
			members[name] = g.canonical(members[name], schema.AdditionalProperties)
		}
	}
	return value
}

func (g google) canonicalMessage(value any, schema *googleSchema) any {
	members, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := map[string]any{}
	for name, member := range members {
		known := schema.Properties[camelCase(name)]
		switch {
		case known == nil && !g.others[schema.Name][camelCase(name)]:
			out[name] = member
		case member == nil:
		case known == nil:
			out[camelCase(name)] = member
		default:
			out[camelCase(name)] = g.canonical(member, known)
		}
	}
	return out
}

// enumNumbers are the numbers of the enum values that were recorded as numbers, from Google's
// protocol buffers.
var enumNumbers = map[string]map[json.Number]string{
	"FINISH_REASON_UNSPECIFIED":        {"1": "STOP", "2": "MAX_TOKENS", "3": "SAFETY"},
	"HARM_CATEGORY_UNSPECIFIED":        {"7": "HARM_CATEGORY_HARASSMENT", "8": "HARM_CATEGORY_HATE_SPEECH", "9": "HARM_CATEGORY_SEXUALLY_EXPLICIT", "10": "HARM_CATEGORY_DANGEROUS_CONTENT"},
	"HARM_PROBABILITY_UNSPECIFIED":     {"1": "NEGLIGIBLE", "2": "LOW", "3": "MEDIUM", "4": "HIGH"},
	"HARM_BLOCK_THRESHOLD_UNSPECIFIED": {"1": "BLOCK_LOW_AND_ABOVE", "2": "BLOCK_MEDIUM_AND_ABOVE", "3": "BLOCK_ONLY_HIGH", "4": "BLOCK_NONE"},
	"TYPE_UNSPECIFIED":                 {"1": "STRING", "2": "NUMBER", "3": "INTEGER", "4": "BOOLEAN", "5": "ARRAY", "6": "OBJECT"},
	"MODE_UNSPECIFIED":                 {"1": "AUTO", "2": "ANY", "3": "NONE"},
	"MODALITY_UNSPECIFIED":             {"1": "TEXT", "2": "IMAGE", "3": "VIDEO", "4": "AUDIO", "5": "DOCUMENT"},
}

func canonicalEnum(value any, names []string) any {
	switch v := value.(type) {
	case json.Number:
		if name, ok := enumNumbers[names[0]][v]; ok {
			return name
		}
	case string:
		if i := slices.IndexFunc(names,
			func(name string) bool { return strings.EqualFold(name, v) }); i >= 0 {
			return names[i]
		}
	}
	return value
}

func camelCase(name string) string {
	words := strings.Split(name, "_")
	for i := range words[1:] {
		if word := words[i+1]; word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}
