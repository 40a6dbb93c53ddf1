package main

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// What a program that only asks Gemini may cost. A service, the check of requests, an observer are
// linked by those who use them. The client itself joins an answer that Gemini 4 Argon sends in
// several replies, which takes 0.3 MB.
const (
	maxBytes   = 9_400_000
	maxModules = 6
)

func TestAProgramThatOnlyAsksIsSmall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("links a program; left out by -short")
	}
	if platform := runtime.GOOS + "/" + runtime.GOARCH; platform != "linux/amd64" {
		t.Skip("the size is known for linux/amd64, and this is " + platform)
	}
	program := filepath.Join(t.TempDir(), "minimal")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d modules besides this one", file.Size(), len(info.Deps))
	if file.Size() > maxBytes {
		t.Errorf("the program has %d bytes, more than %d", file.Size(), maxBytes)
	}
	if len(info.Deps) > maxModules {
		t.Errorf("the program has %d modules, more than %d", len(info.Deps), maxModules)
	}
}
