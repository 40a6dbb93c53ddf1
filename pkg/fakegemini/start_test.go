package fakegemini_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestAProgramHasAServerWithoutATest(t *testing.T) {
	t.Parallel()
	server, err := fakegemini.Start(fakegemini.WithAPIKeys("the only one"))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := server.NewClient(gemini.WithModel("gemini-3.6-flash"))
	if err != nil {
		t.Fatal(err)
	}
	request := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText("Hello")}}
	if response, err := client.GenerateContent(t.Context(), request); err != nil ||
		len(response.Candidates) != 1 {
		t.Errorf("%+v, %v", response, err)
	}
	if url, err := server.URL(); !strings.HasPrefix(url, "http://127.0.0.1:") || err != nil ||
		len(server.Requests()) != 1 {
		t.Errorf("%q, %v, %d requests", url, err, len(server.Requests()))
	}
	if _, err := fakegemini.Start(fakegemini.WithScriptFile("no-such-file")); err == nil {
		t.Error("a script that is not there was taken")
	}
	if _, err := server.NewClient(gemini.WithBaseURL("no address")); err == nil {
		t.Error("an option that makes no sense was taken")
	}
}
