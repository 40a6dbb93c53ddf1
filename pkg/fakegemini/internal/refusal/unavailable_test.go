package refusal_test

import (
	"path"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// The failures of scripts equal the recorded ones.
func TestFailuresAreThoseThatWereRecorded(t *testing.T) {
	t.Parallel()
	recordings := map[string]corpustest.Payload{}
	for _, p := range corpustest.Payloads(t, corpustest.Error) {
		recordings[path.Base(p.Name)] = p
	}
	for name, given := range map[string]*refusal.Refusal{
		"500-internal.error.json":                    refusal.Internal(),
		"429-resource-has-been-exhausted.error.json": refusal.Exhausted(),
		"400-request-contains-invalid-argument.error.json": refusal.New("INVALID_ARGUMENT",
			"Request contains an invalid argument."),
	} {
		recording, known := recordings[name]
		if !known {
			t.Errorf("%s is not there", name)
			continue
		}
		envelope, err := given.Envelope()
		if err != nil {
			t.Fatal(err)
		}
		want, got := gemini.DecodeError(0, nil, recording.Read(t)),
			gemini.DecodeError(0, nil, envelope)
		if diff := cmp.Diff(want.Summary(), got.Summary()) +
			cmp.Diff(encoded(t, want), encoded(t, got)); diff != "" {
			t.Errorf("%s (-recorded +given): %s", name, diff)
		}
	}
}

// encoded returns the details of an error as JSON.
func encoded(t *testing.T, err *gemini.Error) string {
	t.Helper()
	out, failure := json.Marshal(err.Details, jsontext.WithIndent(" "))
	if failure != nil {
		t.Fatal(failure)
	}
	return string(out)
}
