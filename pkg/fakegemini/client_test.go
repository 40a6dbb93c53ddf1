package fakegemini_test

import (
	"context"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// generateBy calls a client and returns the text of the answer.
func generateBy(t *testing.T, client *gemini.Client, prompt string) string {
	t.Helper()
	response, err := client.GenerateContent(t.Context(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-2.5-flash"),
		Contents: []geminiapi.Content{gemini.UserText(prompt)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return *response.Candidates[0].Content.Parts[0].Text
}

type constantToken string

func (c constantToken) Token(context.Context) (string, error) { return string(c), nil }

func TestClientReachesTheServerOnEitherService(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithAPIKeys("the key"),
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("scripted"))))
	for name, client := range map[string]*gemini.Client{
		"Gemini API": srv.Client(),
		"loopback": srv.Client(gemini.WithBaseURL(srv.URL()),
			gemini.WithHTTPClient(srv.HTTPClient())),
	} {
		if got := generateBy(t, client, "Hi"); got != "scripted" {
			t.Errorf("%s: %s", name, got)
		}
	}
	vertex, err := gemini.NewClient(gemini.WithVertexAI("p", "us-central1"),
		gemini.WithTokenSource(constantToken("t0ken")), gemini.WithHTTPClient(srv.HTTPClient()))
	if err != nil {
		t.Fatal(err)
	}
	if got := generateBy(t, vertex, "Hi"); got != "scripted" {
		t.Error(got)
	}
	srv.AssertCalls(3)
}

func TestFixturesCanBeAddedLater(t *testing.T) {
	t.Parallel()
	shared := geminitest.On(geminitest.Prompt("Hi")).Reply(geminitest.Text("shared"))
	srv := geminitest.NewServer(t, geminitest.WithScript(shared), geminitest.WithStrict())
	srv.AddFixtures(geminitest.On().Reply(geminitest.Text("added")))
	if got := generateBy(t, srv.Client(), "Hi") + " " +
		generateBy(t, srv.Client(), "Bye"); got != "shared added" {
		t.Error(got)
	}
}

func TestAFixtureServesManyServersAtOnce(t *testing.T) {
	t.Parallel()
	shared := geminitest.On().Reply(geminitest.Text("a")).Reply(geminitest.Text("b"))
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			srv := geminitest.NewServer(t, geminitest.WithScript(shared),
				geminitest.WithAllFixturesUsed())
			if got := generateBy(t, srv.Client(), "Hi") +
				generateBy(t, srv.Client(), "Hi"); got != "ab" {
				t.Error(got)
			}
		})
	}
}
