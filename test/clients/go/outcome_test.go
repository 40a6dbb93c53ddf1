package clients_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAFailedConversionHasAMessageAndTheOthersAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.json"), filepath.Join(dir, "bad.json")
	for path, content := range map[string]string{good: `{"candidates":[{"finishReason":"STOP"}]}`,
		bad: `{"candidates":[`} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	outputs, err := buildCommand(t).convert(t, out, []string{bad, good}, "--from",
		"gemini-response", "--to", "openai-response")
	if err != nil {
		t.Fatal(err)
	}
	if got := outputs["bad.json"]; got.failure == "" || got.path != "" {
		t.Errorf("bad.json: %+v", got)
	}
	if got := outputs["good.json"]; got.failure != "" ||
		got.path != filepath.Join(out, "good.json") {
		t.Errorf("good.json: %+v", got)
	}
}

func TestAMissingConversionHasItsOwnError(t *testing.T) {
	t.Parallel()
	_, err := buildCommand(t).convert(t, t.TempDir(), []string{"any.json"}, "--from",
		"gemini-request", "--to", "openai-response")
	if !errors.Is(err, errNoConversion) {
		t.Errorf("%v", err)
	}
}
