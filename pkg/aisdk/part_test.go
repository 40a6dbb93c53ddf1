package aisdk_test

import (
	stdjson "encoding/json"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// update rewrites the golden files: go test -update ./pkg/aisdk
var update = flag.Bool("update", false, "write the golden files")

// partCase is a part and its JSON.
type partCase struct {
	part aisdkapi.Part
	json string
}

var google = aisdkapi.ProviderMetadata{"google": jsontext.Value(`{"thoughtSignature":"c2ln"}`)}

// v3Parts has each variant of LanguageModelV3StreamPart with all of its members and with only the
// required ones, from the declaration in @ai-sdk/provider 3.0.19.
var v3Parts = []partCase{
	{aisdkapi.StreamStart{}, `{"type":"stream-start","warnings":[]}`},
	{aisdkapi.StreamStart{Warnings: []aisdkapi.Warning{
		aisdkapi.UnsupportedWarning{Feature: "seed"},
		aisdkapi.CompatibilityWarning{Feature: "topK", Details: "rounded"},
		aisdkapi.OtherWarning{Message: "slow today"},
	}}, `{"type":"stream-start","warnings":[{"type":"unsupported","feature":"seed"},` +
		`{"type":"compatibility","feature":"topK","details":"rounded"},{"type":"other","message":"slow today"}]}`},
	{aisdkapi.ResponseMetadata{}, `{"type":"response-metadata"}`},
	{aisdkapi.ResponseMetadata{ID: "r1", Timestamp: time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC), ModelID: "gemini-3-pro"},
		`{"type":"response-metadata","id":"r1","timestamp":"2026-02-03T04:05:06.007Z","modelId":"gemini-3-pro"}`},
	{aisdkapi.TextStart{ID: "0"}, `{"type":"text-start","id":"0"}`},
	{aisdkapi.TextStart{ID: "0", ProviderMetadata: google},
		`{"type":"text-start","id":"0","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.TextDelta{ID: "0"}, `{"type":"text-delta","id":"0","delta":""}`},
	{aisdkapi.TextDelta{ID: "0", Delta: "a <b> & \"c\"\n\u2028é😀", ProviderMetadata: google},
		`{"type":"text-delta","id":"0","delta":"a <b> & \"c\"\n` + "\u2028é😀" +
			`","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.TextEnd{ID: "0"}, `{"type":"text-end","id":"0"}`},
	{aisdkapi.TextEnd{ID: "0", ProviderMetadata: aisdkapi.ProviderMetadata{}}, `{"type":"text-end","id":"0","providerMetadata":{}}`},
	{aisdkapi.ReasoningStart{ID: "1"}, `{"type":"reasoning-start","id":"1"}`},
	{aisdkapi.ReasoningStart{ID: "1", ProviderMetadata: google},
		`{"type":"reasoning-start","id":"1","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ReasoningDelta{ID: "1", Delta: "hm"}, `{"type":"reasoning-delta","id":"1","delta":"hm"}`},
	{aisdkapi.ReasoningDelta{ID: "1", Delta: "", ProviderMetadata: google},
		`{"type":"reasoning-delta","id":"1","delta":"","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ReasoningEnd{ID: "1"}, `{"type":"reasoning-end","id":"1"}`},
	{aisdkapi.ReasoningEnd{ID: "1", ProviderMetadata: google},
		`{"type":"reasoning-end","id":"1","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ToolInputStart{ID: "c1", ToolName: "weather"}, `{"type":"tool-input-start","id":"c1","toolName":"weather"}`},
	{aisdkapi.ToolInputStart{
		ID: "c1", ToolName: "weather", InputEncoding: aisdkapi.InputEncodingJSON,
		ProviderExecuted: new(false), Dynamic: new(true),
		Title: "Weather", ProviderMetadata: google,
	}, `{"type":"tool-input-start","id":"c1","toolName":"weather","inputEncoding":"json","providerExecuted":false,` +
		`"dynamic":true,"title":"Weather","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ToolInputStart{ID: "c2", ToolName: "shell", InputEncoding: aisdkapi.InputEncodingText},
		`{"type":"tool-input-start","id":"c2","toolName":"shell","inputEncoding":"text"}`},
	{aisdkapi.ToolInputDelta{ID: "c1", Delta: `{"city":`}, `{"type":"tool-input-delta","id":"c1","delta":"{\"city\":"}`},
	{aisdkapi.ToolInputDelta{ID: "c1", Delta: `"Bern"}`, ProviderMetadata: google},
		`{"type":"tool-input-delta","id":"c1","delta":"\"Bern\"}","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ToolInputEnd{ID: "c1"}, `{"type":"tool-input-end","id":"c1"}`},
	{aisdkapi.ToolInputEnd{ID: "c1", ProviderMetadata: google},
		`{"type":"tool-input-end","id":"c1","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ToolCall{ToolCallID: "c1", ToolName: "weather", Input: `{"city":"Bern"}`},
		`{"type":"tool-call","toolCallId":"c1","toolName":"weather","input":"{\"city\":\"Bern\"}"}`},
	{aisdkapi.ToolCall{
		ToolCallID: "c1", ToolName: "weather", Input: "{}", ProviderExecuted: new(true),
		Dynamic: new(false), ProviderMetadata: google,
	}, `{"type":"tool-call","toolCallId":"c1","toolName":"weather","input":"{}","providerExecuted":true,"dynamic":false,` +
		`"providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ToolResult{ToolCallID: "c1", ToolName: "weather", Result: jsontext.Value(`12.50`)},
		`{"type":"tool-result","toolCallId":"c1","toolName":"weather","result":12.50}`},
	{aisdkapi.ToolResult{
		ToolCallID: "c1", ToolName: "weather", Result: jsontext.Value(`{"b":1,"a":"<\/>"}`),
		IsError:     new(false),
		Preliminary: new(true), Dynamic: new(true), ProviderMetadata: google,
	}, `{"type":"tool-result","toolCallId":"c1","toolName":"weather","result":{"b":1,"a":"<\/>"},"isError":false,` +
		`"preliminary":true,"dynamic":true,"providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ToolApprovalRequest{ApprovalID: "a1", ToolCallID: "c1"},
		`{"type":"tool-approval-request","approvalId":"a1","toolCallId":"c1"}`},
	{aisdkapi.ToolApprovalRequest{ApprovalID: "a1", ToolCallID: "c1", ProviderMetadata: google},
		`{"type":"tool-approval-request","approvalId":"a1","toolCallId":"c1","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.File{MediaType: "image/png", Data: wiretype.FileData{Base64: "iVBORw0KGgo="}}, `{"type":"file","mediaType":"image/png","data":"iVBORw0KGgo="}`},
	{aisdkapi.File{MediaType: "audio/wav", ProviderMetadata: google},
		`{"type":"file","mediaType":"audio/wav","data":"","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.URLSource{ID: "s1", URL: "https://example.com/?a=1&b=2"},
		`{"type":"source","sourceType":"url","id":"s1","url":"https://example.com/?a=1&b=2"}`},
	{aisdkapi.URLSource{ID: "s1", URL: "https://example.com", Title: "Example", ProviderMetadata: google},
		`{"type":"source","sourceType":"url","id":"s1","url":"https://example.com","title":"Example",` +
			`"providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.DocumentSource{ID: "s2", MediaType: "application/pdf"},
		`{"type":"source","sourceType":"document","id":"s2","mediaType":"application/pdf","title":""}`},
	{aisdkapi.DocumentSource{ID: "s2", MediaType: "text/plain", Title: "Notes", Filename: "notes.txt", ProviderMetadata: google},
		`{"type":"source","sourceType":"document","id":"s2","mediaType":"text/plain","title":"Notes","filename":"notes.txt",` +
			`"providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.Finish{FinishReason: aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonOther}},
		`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"other"}}`},
	{aisdkapi.Finish{
		Usage: aisdkapi.Usage{
			InputTokens: aisdkapi.InputTokens{Total: new(11), NoCache: new(8), CacheRead: new(3),
				CacheWrite: new(0)},
			OutputTokens: aisdkapi.OutputTokens{Total: new(7), Text: new(5), Reasoning: new(2)},
			Raw:          jsontext.Value(`{"totalTokenCount":18}`),
		},
		FinishReason: aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonStop,
			Raw: "STOP"},
		ProviderMetadata: aisdkapi.ProviderMetadata{"vertex": jsontext.Value(`{}`),
			"google": jsontext.Value(`{"a":1}`)},
	}, `{"type":"finish","usage":{"inputTokens":{"total":11,"noCache":8,"cacheRead":3,"cacheWrite":0},` +
		`"outputTokens":{"total":7,"text":5,"reasoning":2},"raw":{"totalTokenCount":18}},` +
		`"finishReason":{"unified":"stop","raw":"STOP"},"providerMetadata":{"google":{"a":1},"vertex":{}}}`},
	{finish(aisdkapi.UnifiedFinishReasonLength), `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"length"}}`},
	{finish(aisdkapi.UnifiedFinishReasonContentFilter), `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"content-filter"}}`},
	{finish(aisdkapi.UnifiedFinishReasonToolCalls), `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"tool-calls"}}`},
	{finish(aisdkapi.UnifiedFinishReasonError), `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}`},
	{aisdkapi.RawPart{}, `{"type":"raw","rawValue":null}`},
	{aisdkapi.RawPart{RawValue: jsontext.Value(`{"n":12345678901234567890}`)}, `{"type":"raw","rawValue":{"n":12345678901234567890}}`},
	{aisdkapi.ErrorPart{}, `{"type":"error","error":null}`},
	{aisdkapi.ErrorPart{Error: jsontext.Value(`{"code":429}`)}, `{"type":"error","error":{"code":429}}`},
	{aisdk.NewErrorPart(`the "relay" is gone`), `{"type":"error","error":"the \"relay\" is gone"}`},
}

// v4Parts has the parts that differ in or exist only in LanguageModelV4StreamPart, from
// @ai-sdk/provider 4.0.38.
var v4Parts = []partCase{
	{aisdkapi.Ping{}, `{"type":"ping"}`},
	{aisdkapi.Custom{Kind: "google.widget"}, `{"type":"custom","kind":"google.widget"}`},
	{aisdkapi.Custom{Kind: "google.widget", ProviderMetadata: google},
		`{"type":"custom","kind":"google.widget","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.ReasoningFile{MediaType: "image/png", Data: wiretype.FileData{Base64: "iVBO"}},
		`{"type":"reasoning-file","mediaType":"image/png","data":{"type":"data","data":"iVBO"}}`},
	{aisdkapi.ReasoningFile{MediaType: "image/png", Data: wiretype.FileData{URL: "https://example.com/i.png"}, ProviderMetadata: google},
		`{"type":"reasoning-file","mediaType":"image/png","data":{"type":"url","url":"https://example.com/i.png"},` +
			`"providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.File{MediaType: "image/png", Data: wiretype.FileData{Base64: "iVBO"}}, `{"type":"file","mediaType":"image/png","data":{"type":"data","data":"iVBO"}}`},
	{aisdkapi.File{MediaType: "video/mp4", Data: wiretype.FileData{URL: "https://example.com/v"}},
		`{"type":"file","mediaType":"video/mp4","data":{"type":"url","url":"https://example.com/v"}}`},
	{aisdkapi.TextEnd{ID: "0", Citations: []aisdkapi.Citation{}}, `{"type":"text-end","id":"0","citations":[]}`},
	{aisdkapi.TextEnd{ID: "0", Citations: []aisdkapi.Citation{
		{Source: aisdkapi.URLSource{ID: "s1", URL: "https://example.com"}},
		{
			Source:     aisdkapi.DocumentSource{ID: "s2", MediaType: "text/plain", Title: "Notes"},
			StartIndex: new(0), EndIndex: new(4), CitedText: "Bern",
		},
	}, ProviderMetadata: google}, `{"type":"text-end","id":"0","citations":[` +
		`{"source":{"type":"source","sourceType":"url","id":"s1","url":"https://example.com"}},` +
		`{"source":{"type":"source","sourceType":"document","id":"s2","mediaType":"text/plain","title":"Notes"},` +
		`"startIndex":0,"endIndex":4,"citedText":"Bern"}],"providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}`},
	{aisdkapi.StreamStart{Warnings: []aisdkapi.Warning{aisdkapi.DeprecatedWarning{Setting: "topK", Message: "use topP"}}},
		`{"type":"stream-start","warnings":[{"type":"deprecated","setting":"topK","message":"use topP"}]}`},
	{finish(aisdkapi.UnifiedFinishReasonInterrupted), `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"interrupted"}}`},
}

func finish(reason aisdkapi.UnifiedFinishReason) aisdkapi.Part {
	return aisdkapi.Finish{FinishReason: aisdkapi.FinishReason{Unified: reason}}
}

func TestEveryPartHasExactlyItsJSONAndComesBackFromIt(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, c partCase, opts ...aisdk.EncodeOption) {
		t.Helper()
		got, err := aisdk.EncodePart(c.part, opts...)
		if diff := cmp.Diff(c.json, string(got)); err != nil || diff != "" {
			t.Errorf("EncodePart(%#v): %v\n%s", c.part, err, diff)
		}
		back, err := aisdk.DecodePart([]byte(c.json))
		if diff := cmp.Diff(c.part, back); err != nil || diff != "" {
			t.Errorf("DecodePart(%s): %v\n%s", c.json, err, diff)
		}
	}
	for _, c := range v3Parts {
		check(t, c)
	}
	for _, c := range v4Parts {
		check(t, c, aisdk.ForV4())
	}
}

func TestOfV3PartsOnlyFilesLookDifferentInV4(t *testing.T) {
	t.Parallel()
	for _, c := range v3Parts {
		got, err := aisdk.EncodePart(c.part, aisdk.ForV4())
		if same := string(got) == c.json; err != nil ||
			same == (c.part.PartType() == aisdkapi.PartTypeFile) {
			t.Errorf("%s as V4: %s, %v", c.json, got, err)
		}
	}
}

func TestMembersOfV4AreRefusedInV3(t *testing.T) {
	t.Parallel()
	for _, c := range v4Parts {
		if file, ok := c.part.(aisdkapi.File); ok && file.Data.URL == "" {
			continue // V3 has it too, in another form
		}
		dst := []byte("before")
		got, err := aisdk.AppendPart(dst, c.part)
		partError, ok := errors.AsType[*aisdk.PartError](err)
		if !ok || partError.Type != c.part.PartType() || string(got) != "before" {
			t.Errorf("%s as V3: %s, %v", c.json, got, err)
		}
	}
}

// The golden files are the input of checks that need Node, with the SDK's own declarations.
func TestTheGoldenPartsAreThoseOfTheTables(t *testing.T) {
	t.Parallel()
	golden(t, "parts-v3.ndjson", lines(v3Parts))
	golden(t, "parts-v4.ndjson", lines(v4Parts))
}

func lines(cases []partCase) string {
	var out strings.Builder
	for _, c := range cases {
		out.WriteString(c.json + "\n")
	}
	return out.String()
}

// golden compares with a file in testdata, or writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// Every constant of an enum is in the tables above, so that a new one cannot be forgotten.
func TestTheTablesHaveEveryConstant(t *testing.T) {
	t.Parallel()
	all := lines(v3Parts) + lines(v4Parts)
	found := 0
	for name, value := range enumConstants(t) {
		found++
		if !strings.Contains(all, strconv.Quote(value)) {
			t.Errorf("%s = %q is in no test case", name, value)
		}
	}
	if want := 22 + 7 + 4 + 2 + 2; found != want {
		t.Errorf("found %d constants of enums, want %d", found, want)
	}
}

// enumConstants returns the exported typed string constants of the wire types.
func enumConstants(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob("../../gen/aisdkapi/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				out[spec.Names[0].Name], _ = strconv.Unquote(literal.Value)
			}
			return true
		})
	}
	return out
}

// A test case sets every field of every part, so that the code cannot forget one.
func TestTheTablesSetEveryField(t *testing.T) {
	t.Parallel()
	set, all := map[string]bool{}, map[string]bool{}
	for _, c := range append(v3Parts[:len(v3Parts):len(v3Parts)], v4Parts...) {
		collectFields(reflect.ValueOf(c.part), set, all)
	}
	for field := range all {
		if !set[field] {
			t.Errorf("no test case sets %s", field)
		}
	}
}

func collectFields(v reflect.Value, set, all map[string]bool) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			collectFields(v.Index(i), set, all)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			all[name] = true
			set[name] = set[name] || !v.Field(i).IsZero()
			collectFields(v.Field(i), set, all)
		}
	}
}

func TestJSONLibrariesWriteTheSameParts(t *testing.T) {
	t.Parallel()
	for _, c := range append(v3Parts[:len(v3Parts):len(v3Parts)], v4Parts[:5]...) {
		got, err := json.Marshal(c.part, jsontext.PreserveRawStrings(true))
		if err != nil || string(got) != c.json {
			t.Errorf("json.Marshal: %s, %v, want %s", got, err, c.json)
		}
		got, err = stdjson.Marshal([]aisdkapi.Part{c.part}) // escapes < > & and U+2028
		if err != nil {
			t.Fatal(err)
		}
		want := jsontext.Value("[" + c.json + "]")
		if equalJSON(t, want, got); t.Failed() {
			t.Fatalf("encoding/json: %s, want %s", got, want)
		}
	}
}

func TestJSONLibrariesReadTheSameParts(t *testing.T) {
	t.Parallel()
	for _, c := range append(v3Parts[:len(v3Parts):len(v3Parts)], v4Parts...) {
		for name, unmarshal := range map[string]func([]byte, any) error{
			"encoding/json": stdjson.Unmarshal,
			"v2":            func(data []byte, v any) error { return json.Unmarshal(data, v) },
		} {
			got := reflect.New(reflect.TypeOf(c.part))
			err := unmarshal([]byte(c.json), got.Interface())
			if diff := cmp.Diff(c.part, got.Elem().Interface()); err != nil || diff != "" {
				t.Errorf("%s: %s: %v\n%s", name, c.json, err, diff)
			}
			if err := unmarshal([]byte(`{"type":"text-end","id":"0","x":1}`),
				got.Interface()); err == nil {
				t.Errorf("%s: a part of another type, with a member of no part, is read as %s", name,
					c.part.PartType())
			}
		}
	}
}

// equalJSON compares by the canonical form of RFC 8785.
func equalJSON(t *testing.T, want, got jsontext.Value) {
	t.Helper()
	want, got = want.Clone(), got.Clone()
	for _, v := range []*jsontext.Value{&want, &got} {
		if err := v.Canonicalize(jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true)); err != nil {
			t.Fatalf("%s: %v", *v, err)
		}
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPartIsAlwaysOneLine(t *testing.T) {
	t.Parallel()
	part := aisdkapi.RawPart{RawValue: jsontext.Value("{\n  \"a\": [ 1.0,\r\n\t\"\\u0061\" ]\n}")}
	got, err := aisdk.EncodePart(part)
	if want := `{"type":"raw","rawValue":{"a":[1.0,"\u0061"]}}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	got, err = aisdk.EncodePart(aisdkapi.TextDelta{ID: "\xff", Delta: "a\x80b"})
	if want := "{\"type\":\"text-delta\",\"id\":\"\uFFFD\",\"delta\":\"a\uFFFDb\"}"; err != nil ||
		string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestATimestampIsWrittenInUTC(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*60*60)
	got, err := aisdk.EncodePart(aisdkapi.ResponseMetadata{Timestamp: time.Date(2026, 1, 1, 1, 0, 0,
		0, zone)})
	if want := `{"type":"response-metadata","timestamp":"2025-12-31T23:00:00Z"}`; err != nil ||
		string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestPartsThatTheSDKWouldNotTakeAreNotEncoded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		part aisdkapi.Part
		want string
	}{
		"no part":     {nil, "aisdk: part: nothing to encode"},
		"not JSON":    {aisdkapi.RawPart{RawValue: jsontext.Value(`{"a"`)}, "aisdk: raw: /rawValue: not JSON"},
		"two values":  {aisdkapi.RawPart{RawValue: jsontext.Value(`1 2`)}, "aisdk: raw: /rawValue: not JSON"},
		"empty value": {aisdkapi.ErrorPart{Error: jsontext.Value{}}, "aisdk: error: /error: not JSON"},
		"null result": {aisdkapi.ToolResult{Result: jsontext.Value(`null`)}, "aisdk: tool-result: /result: a value other than null was expected"},
		"no result":   {aisdkapi.ToolResult{}, "aisdk: tool-result: /result: a value other than null was expected"},
		"metadata no object": {
			aisdkapi.TextStart{ProviderMetadata: aisdkapi.ProviderMetadata{"a/b~c": jsontext.Value(`[]`)}},
			"aisdk: text-start: /providerMetadata/a~1b~0c: an object was expected",
		},
		"metadata not JSON": {
			aisdkapi.TextStart{ProviderMetadata: aisdkapi.ProviderMetadata{"google": jsontext.Value(`{]`)}},
			"aisdk: text-start: /providerMetadata/google: not JSON",
		},
		"raw usage no object": {aisdkapi.Finish{
			Usage:        aisdkapi.Usage{Raw: jsontext.Value(`1`)},
			FinishReason: aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonStop},
		}, "aisdk: finish: /usage/raw: an object was expected"},
		"no finish reason": {aisdkapi.Finish{}, "aisdk: finish: /finishReason/unified: not a value that the SDK knows"},
		"input encoding":   {aisdkapi.ToolInputStart{InputEncoding: "xml"}, "aisdk: tool-input-start: /inputEncoding: not a value that the SDK knows"},
		"no warning": {
			warn(aisdkapi.OtherWarning{}, nil),
			"aisdk: stream-start: /warnings/1: not one of the variants, as a plain value",
		},
		"a pointer":   {&aisdkapi.TextEnd{ID: "0"}, "aisdk: text-end: not one of the variants, as a plain value"},
		"file by URL": {aisdkapi.File{Data: wiretype.FileData{URL: "https://example.com"}}, "aisdk: file: /data: only version 4 of the specification has this"},
		"file twice":  {aisdkapi.File{Data: wiretype.FileData{Base64: "AA==", URL: "a:b"}}, "aisdk: file: /data: a file has data or a URL, not both"},
		"ping":        {aisdkapi.Ping{}, "aisdk: ping: only version 4 of the specification has this"},
		"year 10000":  {aisdkapi.ResponseMetadata{Timestamp: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, "aisdk: response-metadata: /timestamp: a year of four digits was expected"},
	} {
		got, err := aisdk.EncodePart(c.part)
		if err == nil || err.Error() != c.want || got != nil {
			t.Errorf("%s: got %s and the error\n\t%v, want\n\t%s", name, got, err, c.want)
		}
	}
	_, err := aisdk.EncodePart(aisdkapi.Custom{Kind: "widget"}, aisdk.ForV4())
	if want := `aisdk: custom: /kind: "provider.kind" was expected`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func warn(warnings ...aisdkapi.Warning) aisdkapi.Part {
	return aisdkapi.StreamStart{Warnings: warnings}
}

func TestAnInvalidPartIsNotDecoded(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		``:                               "aisdk: part: it ends too early",
		`{"type":"text-end","id":"0"`:    "aisdk: part at byte 27: it ends too early",
		`[]`:                             "aisdk: part: an object was expected",
		`null`:                           "aisdk: part: an object was expected",
		`"text-end"`:                     "aisdk: part: an object was expected",
		`{"type":"text-end","id":"0"}}`:  "aisdk: part at byte 28: not JSON",
		`{"type":"text-end","id":"0"}1`:  "aisdk: part: something follows it",
		`{"type":"text-end","id":[0,x]}`: "aisdk: part at byte 27: /id/1: not JSON",
		`{"id":"0"}`:                     "aisdk: part: /type: a required member is missing",
		`{"type":7}`:                     "aisdk: part: /type: a string was expected",
		`{"type":"text"}`:                "aisdk: part: /type: not a known type of part",
		`{"type":"text-end"}`:            "aisdk: text-end: /id: a required member is missing",
		`{"type":"text-end","id":null}`:  "aisdk: text-end: /id: a required member is missing",
		`{"type":"text-delta","id":"0","text":"a"}`:                                                                   "aisdk: text-delta: /delta: a required member is missing",
		`{"type":"text-delta","id":"0","delta":["a"]}`:                                                                "aisdk: text-delta: /delta: a string was expected",
		`{"type":"text-delta","id":"0","delta":"a","x/y":1}`:                                                          "aisdk: text-delta: /x~1y: not a member of this part, or a duplicate",
		`{"type":"text-end","id":"0","id":"1"}`:                                                                       "aisdk: text-end: /id: not a member of this part, or a duplicate",
		`{"type":"tool-call","toolCallId":"c","toolName":"t","input":{}}`:                                             "aisdk: tool-call: /input: a string was expected",
		`{"type":"tool-call","toolCallId":"c","toolName":"t","args":"{}"}`:                                            "aisdk: tool-call: /input: a required member is missing",
		`{"type":"tool-call","toolCallId":"c","toolName":"t","input":"","dynamic":1}`:                                 "aisdk: tool-call: /dynamic: a boolean was expected",
		`{"type":"tool-result","toolCallId":"c","toolName":"t","result":null}`:                                        "aisdk: tool-result: /result: a required member is missing",
		`{"type":"tool-input-start","id":"c","toolName":"t","inputEncoding":"xml"}`:                                   "aisdk: tool-input-start: /inputEncoding: not a value that the SDK knows",
		`{"type":"finish","finishReason":"stop","usage":{"inputTokens":{},"outputTokens":{}}}`:                        "aisdk: finish: /finishReason: an object was expected",
		`{"type":"finish","finishReason":{"unified":"STOP"},"usage":{"inputTokens":{},"outputTokens":{}}}`:            "aisdk: finish: /finishReason/unified: not a value that the SDK knows",
		`{"type":"finish","finishReason":{"unified":"stop"},"usage":{"inputTokens":0,"outputTokens":0}}`:              "aisdk: finish: /usage/inputTokens: an object was expected",
		`{"type":"finish","finishReason":{"unified":"stop"},"usage":{"inputTokens":{"total":"1"},"outputTokens":{}}}`: "aisdk: finish: /usage/inputTokens/total: a whole number was expected",
		`{"type":"finish","finishReason":{"unified":"stop"},"usage":{"inputTokens":{"all":1},"outputTokens":{}}}`:     "aisdk: finish: /usage/inputTokens/all: not a member of this part, or a duplicate",
		`{"type":"finish","finishReason":{"unified":"stop"},"usage":{"inputTokens":{},"outputTokens":{},"raw":[]}}`:   "aisdk: finish: /usage/raw: an object was expected",
		`{"type":"text-end","id":"0","providerMetadata":{"google":1}}`:                                                "aisdk: text-end: /providerMetadata/google: an object was expected",
		`{"type":"text-end","id":"0","providerMetadata":{"google":null}}`:                                             "aisdk: text-end: /providerMetadata/google: an object was expected",
		`{"type":"text-end","id":"0","providerMetadata":[]}`:                                                          "aisdk: text-end: /providerMetadata: an object was expected",
		`{"type":"text-end","id":"0","citations":{}}`:                                                                 "aisdk: text-end: /citations: a list was expected",
		`{"type":"text-end","id":"0","citations":[{"source":{"type":"src","sourceType":"url","id":"","url":""}}]}`:    "aisdk: text-end: /citations/0/source/type: not a value that the SDK knows",
		`{"type":"stream-start","warnings":[1]}`:                                                                      "aisdk: stream-start: /warnings/0: an object was expected",
		`{"type":"stream-start","warnings":[{"type":"bad"}]}`:                                                         "aisdk: stream-start: /warnings/0/type: not a value that the SDK knows",
		`{"type":"stream-start"}`:                                                                                          "aisdk: stream-start: /warnings: a required member is missing",
		`{"type":"stream-start","warnings":null}`:                                                                          "aisdk: stream-start: /warnings: a required member is missing",
		`{"type":"finish","finishReason":{"unified":"stop"}}`:                                                              "aisdk: finish: /usage: a required member is missing",
		`{"type":"source","sourceType":"url","id":"s","url":"u","mediaType":"text/html"}`:                                  "aisdk: source: /mediaType: not a member of this part, or a duplicate",
		`{"type":"source","sourceType":"document","id":"s","mediaType":"a/b","title":"t","url":"u"}`:                       "aisdk: source: /url: not a member of this part, or a duplicate",
		`{"type":"stream-start","warnings":[{"type":"other","message":"m"},{"type":"other","message":"m","feature":"x"}]}`: "aisdk: stream-start: /warnings/1/feature: not a member of this part, or a duplicate",
		`{"type":"stream-start","warnings":[{"type":"unsupported","feature":"f","message":"x"}]}`:                          "aisdk: stream-start: /warnings/0/message: not a member of this part, or a duplicate",
		`{"type":"source","sourceType":"web","id":"s"}`:                                                                    "aisdk: source: /sourceType: not a value that the SDK knows",
		`{"type":"file","mediaType":"a/b","data":{"type":"bytes"}}`:                                                        "aisdk: file: /data/type: not a value that the SDK knows",
		`{"type":"file","mediaType":"a/b"}`:                                                                                "aisdk: file: /data: a required member is missing",
		`{"type":"custom","kind":"widget"}`:                                                                                `aisdk: custom: /kind: "provider.kind" was expected`,
		`{"type":"response-metadata","timestamp":"today"}`:                                                                 "aisdk: response-metadata: /timestamp: a time by RFC 3339 was expected",
		`{"type":"raw","rawValue":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) +
			`}`: "nested too deeply",
	} {
		got, err := aisdk.DecodePart([]byte(in))
		if got != nil || err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%.200s\n\tgot %v and the error\n\t%v, want\n\t%s", in, got, err, want)
		}
		if _, ok := errors.AsType[*aisdk.PartError](err); !ok {
			t.Errorf("%.200s: %T", in, err)
		}
	}
}

func TestNullCountsAsAbsentWhereAMemberIsOptional(t *testing.T) {
	t.Parallel()
	got, err := aisdk.DecodePart([]byte(`{"type":"tool-input-start","id":"c","toolName":"t","inputEncoding":null,` +
		`"providerExecuted":null,"dynamic":null,"title":null,"providerMetadata":null}`))
	if diff := cmp.Diff(aisdkapi.Part(aisdkapi.ToolInputStart{ID: "c", ToolName: "t"}),
		got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	got, err = aisdk.DecodePart([]byte(`{"type":"finish","finishReason":{"unified":"stop","raw":null},` +
		`"usage":{"inputTokens":{"total":null},"outputTokens":{"text":null},"raw":null}}`))
	if diff := cmp.Diff(finish(aisdkapi.UnifiedFinishReasonStop), got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestADecodedPartDoesNotShareItsInput(t *testing.T) {
	t.Parallel()
	in := []byte(`{"type":"raw","rawValue":{"a":1}}`)
	part, err := aisdk.DecodePart(in)
	if err != nil {
		t.Fatal(err)
	}
	clear(in)
	if got := string(part.(aisdkapi.RawPart).RawValue); got != `{"a":1}` {
		t.Errorf("got %q", got)
	}
}

func TestPartsAreWrittenAsOneLineInOneCall(t *testing.T) {
	t.Parallel()
	var w writes
	for _, c := range v3Parts {
		if err := aisdk.WritePart(&w, c.part); err != nil {
			t.Fatal(err)
		}
	}
	if err := aisdk.WritePart(&w, aisdkapi.Ping{}); err == nil {
		t.Error("a ping was written in V3")
	}
	if len(w) != len(v3Parts) || strings.Join(w, "") != lines(v3Parts) {
		t.Errorf("got %d writes: %q", len(w), w)
	}

	broken := errors.New("broken pipe")
	err := aisdk.WritePart(failingWriter{broken}, aisdkapi.TextEnd{ID: "0"})
	if !errors.Is(err, broken) || err.Error() != "aisdk: text-end: broken pipe" {
		t.Errorf("got %v", err)
	}
}

// writes records each call of Write.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestPartsAreReadBackFromLines(t *testing.T) {
	t.Parallel()
	i := 0
	for part, err := range aisdk.ReadParts(
		iotest.OneByteReader(strings.NewReader(lines(v3Parts)))) {
		if diff := cmp.Diff(v3Parts[i].part, part); err != nil || diff != "" {
			t.Fatalf("part %d: %v\n%s", i, err, diff)
		}
		i++
	}
	if i != len(v3Parts) {
		t.Errorf("read %d parts of %d", i, len(v3Parts))
	}
}

func TestReadingPartsEndsAtTheFirstError(t *testing.T) {
	t.Parallel()
	const good = `{"type":"text-end","id":"0"}` + "\n"
	for in, want := range map[string]string{
		good + `{"type":"text-end"}` + "\n" +
			good: "aisdk: text-end at byte 29: /id: a required member is missing",
		good + `{"type":"text-end",`: "aisdk: part at byte 48: it ends too early",
		good + `7` + "\n" +
			good: "aisdk: part at byte 29: an object was expected",
		good + `{"type":7 7}`: "aisdk: part at byte 39: not JSON",
	} {
		parts, err := collect(t, strings.NewReader(in))
		if len(parts) != 1 || err == nil || err.Error() != want {
			t.Errorf("%s\n\tgot %v and the error\n\t%v, want\n\t%s", in, parts, err, want)
		}
	}
	reset := errors.New("connection reset")
	parts, err := collect(t, io.MultiReader(strings.NewReader(good), iotest.ErrReader(reset)))
	if len(parts) != 1 || !errors.Is(err, reset) {
		t.Errorf("got %v, %v", parts, err)
	}
	for range aisdk.ReadParts(strings.NewReader(good + good)) {
		break // must not continue
	}
}

// collect reads parts until the error, after which nothing may follow.
func collect(t *testing.T, r io.Reader) (parts []aisdkapi.Part, failed error) {
	t.Helper()
	for part, err := range aisdk.ReadParts(r) {
		if failed != nil {
			t.Fatal("something came after an error")
		}
		if failed = err; err == nil {
			parts = append(parts, part)
		} else if part != nil {
			t.Fatalf("a part came with an error: %v", part)
		}
	}
	return parts, failed
}
