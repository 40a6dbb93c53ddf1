package fakegemini_test

import (
	"context"
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/google/go-cmp/cmp"
)

// interactionCalls makes each call of the Interactions API, with a key, and returns what came, as
// JSON or as an error.
func interactionCalls(t *testing.T, srv *geminitest.Server, key string) (out []string) {
	t.Helper()
	client, err := gemini.NewClient(gemini.WithAPIKey(key), gemini.WithBaseURL(srv.URL()),
		gemini.WithHTTPClient(srv.HTTPClient()), gemini.WithMaxAttempts(1),
		gemini.WithStorage(gemini.StorageOn),
		gemini.WithClock(nil, func(ctx context.Context, _ time.Duration) error { return ctx.Err() }))
	if err != nil {
		t.Fatal(err)
	}
	service := client.Interactions
	note := func(in *interactionsapi.Interaction, err error) string {
		t.Helper()
		if err != nil {
			out = append(out, err.Error())
			return "none"
		}
		body, err := interactions.EncodeResponse(in)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(body))
		return jsonx.Deref(in.ID)
	}
	request := func(text string) *interactionsapi.CreateInteractionRequest {
		return &interactionsapi.CreateInteractionRequest{Model: new("gemini-3.6-flash"),
			Input: interactions.InputOf(interactions.UserText(text))}
	}
	whole := note(service.Create(t.Context(), request("Hello")))
	for _, list := range []func(func(*interactionsapi.StreamEvent, error) bool){
		service.Stream(t.Context(), request("Hello, streamed")),
		service.Events(t.Context(), whole, "2"),
	} {
		for event, err := range list {
			if err != nil {
				t.Fatal(err)
			}
			data, err := interactions.EncodeEvent(event)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(data))
		}
	}
	note(service.Get(t.Context(), whole, gemini.InputIncluded()))
	background := request("Think")
	background.Background = new(true)
	polled := note(service.Create(t.Context(), background))
	note(service.Wait(t.Context(), polled))
	cancelled := note(service.Create(t.Context(), background))
	note(service.Cancel(t.Context(), cancelled))
	if err := service.Delete(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	note(service.Get(t.Context(), whole)) // which is not found
	return out
}

func TestACassetteReplaysInteractions(t *testing.T) {
	t.Parallel()
	const key = "AIza-the-s3cret+key/of"
	upstream := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Text("Hel", "lo"), geminitest.Call("f", `{"b":1.0,"a":2}`))))
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	recorded := interactionCalls(t, recorder(t, path, geminitest.RecordAll, upstream), key)
	asked := len(upstream.Requests())
	replaying := recorder(t, path, geminitest.Replay, nil, geminitest.WithAllFixturesUsed())
	replayed := interactionCalls(t, replaying, "any other key")
	if diff := cmp.Diff(recorded, replayed); diff != "" {
		t.Errorf("-recorded +replayed:\n%s", diff)
	}
	all := strings.Join(recorded, "\n")
	for _, want := range []string{`"status":"requires_action"`, `"status":"in_progress"`,
		`"status":"cancelled"`, `"input":`, `"event_type":"step.delta"`, "404"} {
		if !strings.Contains(all, want) {
			t.Errorf("the calls do not have %s:\n%s", want, all)
		}
	}
	written := read(t, path)
	for _, want := range []string{"POST", "GET", "DELETE", "/v1beta/interactions", "/cancel",
		"stream=true", "event: interaction.completed"} {
		if !strings.Contains(written, want) {
			t.Errorf("the cassette does not have %q", want)
		}
	}
	if got := strings.Count(written, "- request:"); got != asked {
		t.Errorf("%d exchanges of %d requests", got, asked)
	}
	for _, secret := range []string{key, base64.StdEncoding.EncodeToString([]byte(key))} {
		if strings.Contains(written, secret) {
			t.Errorf("the cassette has %s", secret)
		}
	}
}
