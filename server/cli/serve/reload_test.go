package serve_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAReloadDropsNoRequest keeps streams open over three reloads, each of which changes an alias.
func TestAReloadDropsNoRequest(t *testing.T) {
	t.Parallel()
	upstream := newSlowGemini(t)
	file := filepath.Join(t.TempDir(), "gateway.yaml")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("alias: {one: gemini-x}")
	r := serve(t, append(upstream.upstream(t), "--config", file)...)
	var streams []*bufio.Reader
	open := func(model string) {
		t.Helper()
		for range 10 {
			streams = append(streams, firstChunk(t, r.ask(t, model, true)))
		}
	}
	open("one")
	for i, name := range []string{"two", "three", "four"} {
		write("alias: {" + name + ": gemini-x}\naddr: 127.0.0.1:" + string(rune('1'+i)))
		if !r.HangUp() {
			t.Fatal("no process catches a hangup")
		}
		r.Stderr.WaitFor(t, strings.Repeat(`(?s)settings reloaded.*`, i+1))
		open(name)
	}
	close(upstream.release)
	for i, stream := range streams {
		if rest, err := io.ReadAll(stream); err != nil || !strings.Contains(string(rest), "last") ||
			!strings.HasSuffix(string(rest), "data: [DONE]\n\n") {
			t.Errorf("stream %d: %s, %v", i, rest, err)
		}
	}
	if model := r.ask(t, "four", true).Header.Get("X-Gemwire-Model"); model != "gemini-x" {
		t.Errorf("the new alias leads to %q", model)
	}
	if model := r.ask(t, "one", true).Header.Get("X-Gemwire-Model"); model != "one" {
		t.Errorf("the old alias leads to %q", model)
	}
	// counted on, over the reloads
	if _, metrics := r.Get(t, "/metrics"); !strings.Contains(metrics, `status="200"} 4`) {
		t.Error(metrics)
	}
}

func TestSettingsThatMakeNoSenseStayAsTheyWere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "gateway.yaml")
	if err := os.WriteFile(file, []byte("alias: {one: gemini-3.6-flash}"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t, "--config", file)
	for _, content := range []string{"alias: {one", "adr: x", "upstream: gemini",
		"base_url: x\nupstream: embedded"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		before := strings.Count(r.Stderr.String(), "level=ERROR")
		r.HangUp()
		r.Stderr.WaitFor(t,
			strings.Repeat(`(?s)level=ERROR msg="reload failed; the settings stay unchanged.*`, before+1))
		if reply := r.ask(t, "one", false); reply.StatusCode != http.StatusOK ||
			reply.Header.Get("X-Gemwire-Model") != "gemini-3.6-flash" {
			t.Errorf("%s: %s %s", content, reply.Status, text(t, reply))
		}
	}
}

func TestASettingThatNeedsAStartIsNamed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "gateway.yaml")
	if err := os.WriteFile(file, []byte("shutdown_grace: 30s"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t, "--config", file)
	if err := os.WriteFile(file, []byte("shutdown_grace: 5s"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.HangUp()
	r.Stderr.WaitFor(t, `level=WARN msg="a changed setting takes effect after a restart" setting=shutdown_grace is=30s next=5s`)
}
