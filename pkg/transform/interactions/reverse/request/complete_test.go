package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// The corpus has only recorded values. These requests have every member of the description, so a
// new member that the conversion ignores fails the test.
func TestNothingOfTheDescriptionIsLostSilently(t *testing.T) {
	t.Parallel()
	tests := map[string]*geminiapi.GenerateContentRequest{}
	for name, in := range leaftest.FillEach[geminiapi.GenerateContentRequest]() {
		in.CachedContent = nil
		tests[name] = withRoles(&in)
	}
	for name, config := range leaftest.FillEach[geminiapi.GenerationConfig]() {
		tests[name] = request1(geminiapi.Part{Text: new("?")}, "user")
		tests[name].GenerationConfig = &config
	}
	for name, format := range leaftest.FillEach[geminiapi.ResponseFormatConfig]() {
		tests[name] = request1(geminiapi.Part{Text: new("?")}, "user")
		tests[name].GenerationConfig = &geminiapi.GenerationConfig{ResponseFormat: &format}
	}
	for name, tool := range leaftest.FillEach[geminiapi.Tool]() {
		tests[name] = request1(geminiapi.Part{Text: new("?")}, "user")
		tests[name].Tools = []geminiapi.Tool{tool}
	}
	for name, part := range leaftest.FillEach[geminiapi.Part]() {
		tests[name+" of the user"] = request1(part, "user")
		tests[name+" of the model"] = request1(part, "model")
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire, err := gemini.EncodeRequest(in)
			if err != nil {
				t.Fatal(err)
			}
			for _, mode := range []string{"gemini api", "vertex ai"} {
				if checkLeaves(t, mode, wire, modes[mode]) == 0 {
					t.Errorf("%s: refused", mode)
				}
			}
		})
	}
}

// request1 returns a request with one part.
func request1(part geminiapi.Part, role string) *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{{
		Parts: []geminiapi.Part{part}, Role: &role}}}
}

// withRoles gives the contents of a filled request a role that Gemini knows.
func withRoles(in *geminiapi.GenerateContentRequest) *geminiapi.GenerateContentRequest {
	for i := range in.Contents {
		in.Contents[i].Role = new("user")
	}
	return in
}
