package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// modes are the two forms of the output.
var modes = map[string][]chat.Option{
	"with extensions":    nil,
	"without extensions": {chat.WithoutExtensions()},
}

func TestEveryRecordedResponseConverts(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, wire []byte) {
			for name, opts := range modes {
				out, entries, err := chat.FromGemini(in, opts...)
				if err != nil {
					t.Fatal(err)
				}
				checkCompletion(t, name, out)
				checkPointers(t, name, wire, entries)
				if opts == nil {
					checkRestored(t, in, out)
					if lost := entries.Of(report.Lost); lost != nil {
						t.Errorf("%s: %v", name, lost)
					}
				}
			}
		})
}

// checkCompletion checks what must hold for every completion.
func checkCompletion(t testing.TB, name string, out *openaiapi.CreateChatCompletionResponse) {
	t.Helper()
	if err := openai.ValidateResponse(out); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	data, err := openai.EncodeResponse(out)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	library, err := json.Marshal(out, json.Deterministic(true), jsontext.PreserveRawStrings(true))
	// an error means a number that JSON cannot represent
	if err == nil && string(library) != string(data) {
		t.Errorf("%s: the JSON library writes something else: %s", name,
			cmp.Diff(string(library), string(data)))
	}
	again, err := openai.DecodeResponse(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if diff := cmp.Diff(out, again, sameCompletion); diff != "" {
		t.Errorf("%s: the bytes say something else: %s", name, diff)
	}
}

// checkPointers checks that a report points to existing values, or for added values to missing
// ones.
func checkPointers(t testing.TB, name string, wire []byte, entries report.Report) {
	t.Helper()
	document := openaitest.Tree(t, wire)
	for _, e := range entries {
		if e.Kind != report.Added && !openaitest.Exists(document, e.Pointer) {
			t.Errorf("%s: the input has no %s", name, e.Pointer)
		}
		if e.Detail == "" {
			t.Errorf("%s: %s has no detail", name, e.Pointer)
		}
	}
}

func checkRestored(t testing.TB, in *geminiapi.GenerateContentResponse,
	out *openaiapi.CreateChatCompletionResponse) {
	t.Helper()
	for i := range in.Candidates {
		var want []geminiapi.Part
		if content := in.Candidates[i].Content; content != nil {
			want = content.Parts
		}
		got := restore(t, &out.Choices[i].Message)
		if diff := cmp.Diff(openaitest.SameParts(t, want),
			openaitest.SameParts(t, got)); diff != "" {
			t.Errorf("candidate %d: %s", i, diff)
		}
	}
}

// A conversion that loses something silently gives the same output and report for two inputs that
// differ there.
func TestNothingOfARecordedResponseIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(20)
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, _ *geminiapi.GenerateContentResponse, wire []byte) {
			for name, opts := range modes {
				checkComplete(t, name, wire, most, opts...)
			}
		})
}

// checkComplete changes each value of the input in turn, up to a limit. Then the output must
// change, or the report of either input must have an entry at the value or above it.
func checkComplete(t testing.TB, name string, wire []byte, most int, opts ...chat.Option) {
	t.Helper()
	leaves, err := leaftest.All(wire)
	if err != nil {
		t.Fatal(err)
	}
	before, report := visible(t, wire, opts...)
	for _, l := range leaftest.Sample(leaves, most) {
		after, changed := visible(t, l.Change(wire), opts...)
		if after == before && !tells(report, l.Pointer) && !tells(changed, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
}

// visible returns the output, or the error for an input that cannot be converted.
func visible(t testing.TB, wire []byte, opts ...chat.Option) (string, report.Report) {
	t.Helper()
	in, err := gemini.DecodeResponse(wire)
	if err != nil {
		return err.Error(), nil
	}
	out, report, err := chat.FromGemini(in, opts...)
	if err != nil {
		return err.Error(), nil
	}
	return openaitest.Encode(t, out), report
}

// tells reports whether an entry at the pointer or above it says how a value was converted. An
// entry for an added value does not, and neither does the entry for joined texts, which is about
// their limits.
func tells(entries report.Report, pointer string) bool {
	var about report.Report
	for _, e := range entries {
		if e.Kind != report.Added && !isJoined(e) {
			about = append(about, e)
		}
	}
	return about.Covers(pointer)
}

func isJoined(e report.Entry) bool {
	return e.Kind == report.Approximated && len(e.Pointer) > 6 &&
		e.Pointer[len(e.Pointer)-6:] == "/parts"
}
