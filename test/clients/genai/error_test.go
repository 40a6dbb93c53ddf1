package genai_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/genai"
)

func TestWrongKeyIsRefused(t *testing.T) {
	t.Parallel()
	url := emulate(t, "--key", "right")
	_, err := newClient(t, url, "wrong").Models.GenerateContent(t.Context(), model,
		genai.Text("Hello"), nil)
	checkError(t, err, http.StatusBadRequest, "API key not valid. Please pass a valid API key.")
	if refused, _ := errors.AsType[genai.APIError](err); len(refused.Details) == 0 ||
		refused.Details[0]["reason"] != "API_KEY_INVALID" {
		t.Errorf("details: %v", refused.Details)
	}
	_, err = newClient(t, url, "right").Models.GenerateContent(t.Context(), model,
		genai.Text("Hello"), nil)
	check(t, err)
}

func TestUnknownModelIsRefused(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		_, err := client.Models.GenerateContent(t.Context(), "gemmini-9", genai.Text("Hello"), nil)
		checkError(t, err, http.StatusNotFound, "gemmini-9")
		for _, err := range client.Models.GenerateContentStream(t.Context(), "gemmini-9",
			genai.Text("Hello"), nil) {
			checkError(t, err, http.StatusNotFound, "gemmini-9")
		}
	})
}

func TestWrongRequestIsRefused(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		_, err := client.Models.GenerateContent(t.Context(), model,
			[]*genai.Content{genai.NewContentFromText("Hello", "assistant")}, nil)
		checkError(t, err, http.StatusBadRequest, "valid role: user, model")
	})
}

const exhausted = `
fixtures:
  - match: {prompt: quota}
    reply:
      - fault: {kind: rateLimited, retryDelay: 23.5s}
  - match: {prompt: middle}
    reply:
      - text: The beginning
      - fault: {kind: unavailable}
`

func TestFaultsOfAScriptArrive(t *testing.T) {
	t.Parallel()
	client := newClient(t, emulate(t, "--script", script(t, exhausted)), "any")
	_, err := client.Models.GenerateContent(t.Context(), model, genai.Text("quota"), nil)
	checkError(t, err, http.StatusTooManyRequests, "quota")
	refused, _ := errors.AsType[genai.APIError](err)
	delay := ""
	for _, detail := range refused.Details {
		if detail["@type"] == "type.googleapis.com/google.rpc.RetryInfo" {
			delay, _ = detail["retryDelay"].(string)
		}
	}
	if refused.Status != "RESOURCE_EXHAUSTED" || delay != "23.5s" {
		t.Errorf("status %s, retry delay %q", refused.Status, delay)
	}
	text := ""
	for chunk, streamed := range client.Models.GenerateContentStream(t.Context(), model,
		genai.Text("middle"), nil) {
		if err = streamed; err == nil {
			text += chunk.Text()
		}
	}
	if text != "The beginning" {
		t.Errorf("got %q before the error", text)
	}
	checkError(t, err, http.StatusServiceUnavailable, "")
}

// script writes a script for the emulator.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.yaml")
	check(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}
