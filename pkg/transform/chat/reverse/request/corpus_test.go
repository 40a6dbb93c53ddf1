package request_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	forward "github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/go-json-experiment/json/jsontext"
)

// modes are the conversions in which nothing may be lost silently.
var modes = map[string][]request.Option{
	"with extensions": nil,
	"plain":           {request.WithoutExtensions()},
	"for older servers": {request.WithoutExtensions(), request.WithMaxTokens(), request.WithTopK(),
		request.WithLabelsAsMetadata(),
		request.WithoutAllowedTools(), request.WithWebSearch()},
}

const model = "gpt-5.1"

func convert(document []byte, opts ...request.Option) ([]byte, report.Report, error) {
	in, err := gemini.DecodeRequest(document)
	if err != nil {
		return nil, nil, err
	}
	out, report, err := request.FromGemini(in,
		append([]request.Option{request.ForModel(model)}, opts...)...)
	if err != nil {
		return nil, report, err
	}
	data, err := openai.EncodeRequest(out)
	return data, report, err
}

// recorded returns the recorded requests that generate content.
func recorded(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		switch p.Endpoint {
		case "generateContent", "streamGenerateContent":
			out[p.Name] = p.Read(t)
		}
	}
	return out
}

func TestEveryRecordedRequestIsConverted(t *testing.T) {
	t.Parallel()
	for mode, opts := range modes {
		refused := 0
		for name, document := range recorded(t) {
			if _, _, err := convert(document, opts...); err != nil {
				refused++
				t.Logf("%s: %s: %v", mode, name, err)
			}
		}
		if t.Logf("%s: %d refused", mode, refused); refused > 6 {
			t.Errorf("%s: %d refused", mode, refused)
		}
	}
}

func TestNothingOfARecordedRequestIsLostSilently(t *testing.T) {
	t.Parallel()
	changed := 0
	for name, document := range recorded(t) {
		for mode, opts := range modes {
			changed += checkLeaves(t, mode+": "+name, document, opts)
		}
	}
	if t.Logf("%d leaves changed", changed); changed < corpustest.AtLeast(20_000) {
		t.Errorf("only %d leaves were changed", changed)
	}
}

// checkLeaves changes values of a document one after the other. The converted request or a report
// must show the change, or the changed request is refused. It returns the number of changes.
func checkLeaves(t *testing.T, name string, document []byte, opts []request.Option) int {
	t.Helper()
	opts = append([]request.Option{request.WithoutValidation()}, opts...)
	before, report, err := convert(document, opts...)
	if err != nil {
		return 0 // the error reports the missing value
	}
	leaves, err := leaftest.All(document)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	leaves = leaftest.Sample(leaves, leaftest.Enough(60))
	for _, l := range leaves {
		changed := l.Change(document)
		after, reportAfter, err := convert(changed, opts...)
		if err == nil && bytes.Equal(before, after) && !covers(document, report, l.Pointer) &&
			!covers(changed, reportAfter, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
	return len(leaves)
}

// covers reports whether a report has an entry for a value, or above it.
func covers(document []byte, entries report.Report, pointer string) bool {
	return report.SpellingOf(document).Report(entries).Covers(pointer)
}

func TestRecordedRequestsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	same, excused := 0, 0
	for name, document := range recorded(t) {
		in, err := gemini.DecodeRequest(document)
		if err != nil {
			t.Fatal(err)
		}
		out, report, err := request.FromGemini(in, request.WithoutValidation())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back, reportBack, err := forward.ToGemini(out, forward.WithoutValidation())
		if err != nil {
			// for example a call without a result, which only this side accepts
			t.Logf("%s: %v", name, err)
			continue
		}
		want, got := withoutReported(t, in, report), withoutReported(t, back, report)
		switch {
		case bytes.Equal(want, got):
			same++
		case isRearranged(report) || isRearranged(reportBack):
			excused++
		default:
			t.Errorf("%s: %s", name, firstDifference(want, got))
		}
	}
	if t.Logf("%d came back as they were, %d with their contents joined", same,
		excused); same < corpustest.AtLeast(420) {
		t.Errorf("only %d came back", same)
	}
}

// withoutReported returns a request without the values that the report says have changed, and
// without an empty configuration.
func withoutReported(t *testing.T, in *geminiapi.GenerateContentRequest,
	entries report.Report) []byte {
	t.Helper()
	data, err := gemini.EncodeRequest(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if start, end := jsonx.Find(data, jsontext.Pointer(e.Pointer)); e.Kind != report.Added &&
			end > start {
			data = slices.Concat(data[:start], []byte("null"), data[end:])
		}
	}
	data = bytes.Replace(data, []byte(`"generationConfig":{}`), []byte(`"generationConfig":null`),
		1)
	out, err := gemini.DecodeRequest(data)
	spellOut(out)
	if out.Model != nil {
		out.Model = new(strings.TrimPrefix(*out.Model, "models/"))
	}
	if err != nil {
		t.Fatal(err)
	}
	data, _ = gemini.EncodeRequest(out)
	return data
}

// firstDifference returns the text around the first byte that differs.
func firstDifference(want, got []byte) string {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	around := func(data []byte) []byte { return data[max(0, at-40):min(len(data), at+60)] }
	return fmt.Sprintf("byte %d: want ...%s..., got ...%s...", at, around(want), around(got))
}

// isRearranged reports whether contents were joined, split or omitted, so that later contents have
// other positions.
func isRearranged(entries report.Report) bool {
	return slices.ContainsFunc(entries, func(e report.Entry) bool {
		isWhole := strings.HasPrefix(e.Pointer, "/contents/") ||
			strings.HasPrefix(e.Pointer, "/messages/")
		return isWhole && strings.Count(e.Pointer, "/") == 2 ||
			strings.HasPrefix(e.Detail, "converted to a tool message") ||
			strings.Contains(e.Detail, "piece")
	})
}

// spellOut writes omitted empty values: empty arguments, and the text of a part with only a
// signature.
func spellOut(in *geminiapi.GenerateContentRequest) {
	for i := range in.Contents {
		for j := range in.Contents[i].Parts {
			p := &in.Contents[i].Parts[j]
			if p.FunctionCall != nil && p.FunctionCall.Args == nil {
				p.FunctionCall.Args = jsontext.Value("{}")
			}
			if bare := *p; p.ThoughtSignature != nil {
				bare.ThoughtSignature, bare.Thought = nil, nil
				if bare.IsEmpty() {
					p.Text = new("")
				}
			}
		}
	}
}
