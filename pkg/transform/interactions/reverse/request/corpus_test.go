package request_test

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
)

// modes are the conversions in which nothing may be lost silently.
var modes = map[string][]request.Option{
	"gemini api": nil,
	"vertex ai":  {request.ForVertexAI()},
	"gemini 2.5": {request.ForModel("gemini-2.5-flash"), request.WithStore()},
	"an agent":   {request.ForAgent("deep-research-preview-04-2026"), request.WithStore()},
	"without extensions": {request.WithoutExtensions(), request.WithStream(),
		request.WithStore(), request.WithPreviousInteraction("v1_a")},
}

const model = "gemini-3.6-flash"

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
	data, err := interactions.EncodeRequest(out)
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

// checkLeaves changes values of a document one after the other, and adds members, elements and
// values of enums that no description has. The converted request or a report must show the change,
// or the changed request is refused. It returns the number of changes.
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
	inventions, err := leaftest.Inventions(document)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	leaves = leaftest.Sample(append(leaves, inventions...), leaftest.Enough(60))
	for _, l := range leaves {
		changed := l.Change(document)
		after, reportAfter, err := convert(changed, opts...)
		if err == nil && bytes.Equal(before, after) && !covers(document, report, l.Pointer) &&
			!coversChange(changed, reportAfter, l.Pointer) {
			t.Errorf("%s: %s is lost silently: %s\n%s", name, l.Pointer, changed, after)
		}
	}
	return len(leaves)
}

// covers reports whether a report has an entry for a value, or above it.
func covers(document []byte, entries report.Report, pointer string) bool {
	return report.SpellingOf(document).Report(entries).Covers(pointer)
}

// coversChange also accepts an entry for a member or an element that an invention has added.
func coversChange(document []byte, entries report.Report, pointer string) bool {
	return covers(document, entries, pointer) ||
		covers(document, entries, pointer+"/"+leaftest.Invented+"Member") ||
		covers(document, entries, pointer+"/0/"+leaftest.Invented+"Kind")
}
