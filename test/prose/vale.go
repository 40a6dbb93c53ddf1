package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The levels of findings, as vale names them.
const (
	levelError      = "error"
	levelWarning    = "warning"
	levelSuggestion = "suggestion"
)

// finding is a place whose words or lines break a rule.
type finding struct {
	Path     string
	Line     int
	Rule     string
	Severity string
	Message  string
	Match    string
}

// alert is a finding as vale reports it.
type alert struct {
	Check    string
	Line     int
	Message  string
	Severity string
	Match    string
	Span     [2]int
}

// runVale runs vale over documents and returns what it finds, at the positions of the sources. The
// module has vale as a tool, so vale runs in the folder of the module.
func runVale(module, config, level string, documents []*document) ([]finding, error) {
	folder, err := os.MkdirTemp("", "prose")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return nil, err
	}
	byPath := map[string]*document{}
	for _, d := range documents {
		path := filepath.Join(folder, filepath.FromSlash(d.path)) + d.ext
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(d.write()), 0o600); err != nil {
			return nil, err
		}
		byPath[path] = d
	}
	command := exec.Command("go", "tool", "vale", "--no-global", "--no-exit", "--output=JSON",
		"--minAlertLevel="+level, "--config="+config, folder)
	command.Dir = module
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("run vale: %w: %s%s", err, stderr.String(), stdout.String())
	}
	var alerts map[string][]alert
	if err := json.Unmarshal(stdout.Bytes(), &alerts); err != nil {
		return nil, fmt.Errorf("read the output of vale: %w: %s", err, stdout.String())
	}
	var found []finding
	for path, list := range alerts {
		d := byPath[path]
		if d == nil {
			return nil, fmt.Errorf("vale reports an unknown file %s", path)
		}
		for _, a := range list {
			found = append(found, finding{
				Path: d.path, Line: d.source(a.Line, a.Span[0]), Rule: a.Check, Severity: a.Severity,
				Message: a.Message, Match: strings.Join(strings.Fields(a.Match), " "),
			})
		}
	}
	return found, nil
}
