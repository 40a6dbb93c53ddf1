package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// upstream is a fake server of Gemini's API that fails as real ones do.
type upstream struct {
	*process
	url string
}

func (p *plan) upstream() (*upstream, error) {
	script := filepath.Join(p.folder, "faults.yaml")
	if err := os.WriteFile(script, []byte(faults), 0o600); err != nil {
		return nil, err
	}
	process, err := start(nil, p.command, "emulate", "--addr", "127.0.0.1:0", "--script", script)
	if err != nil {
		return nil, err
	}
	line, err := process.waitFor("http://", 30*time.Second)
	if err != nil {
		process.kill()
		return nil, err
	}
	for _, word := range strings.Fields(line) {
		if url := strings.Trim(word, `"',;`); strings.HasPrefix(url, "http://") {
			return &upstream{process, url}, nil
		}
	}
	process.kill()
	return nil, errors.New("the fake server does not say where it is: " + line)
}

// flags have a command ask the fake server.
func (u *upstream) flags() []string { return []string{"--upstream", "gemini", "--base-url", u.url} }

// environment is the key, which the fake server does not look at.
func (u *upstream) environment() []string { return []string{"GEMINI_API_KEY=any"} }
