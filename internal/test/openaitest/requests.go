package openaitest

import (
	"embed"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
)

// DecodeRequest decodes a request, and fails the test if it is invalid.
func DecodeRequest(t testing.TB, wire string) *openaiapi.CreateChatCompletionRequest {
	t.Helper()
	in, err := openai.DecodeRequest([]byte(wire))
	if err != nil {
		t.Fatalf("%v in %s", err, wire)
	}
	return in
}

//go:embed requests/*.json
var requests embed.FS

// Requests returns example requests by their names.
func Requests(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := requests.ReadDir("requests")
	if err != nil || len(files) == 0 {
		t.Fatalf("no requests: %v", err)
	}
	out := make(map[string][]byte, len(files))
	for _, file := range files {
		data, err := requests.ReadFile("requests/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(file.Name(), ".json")] = data
	}
	return out
}

// EncodeRequest encodes a request.
func EncodeRequest(t testing.TB, r *openaiapi.CreateChatCompletionRequest) []byte {
	t.Helper()
	data, err := openai.EncodeRequest(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
