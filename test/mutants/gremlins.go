package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// module is the module whose code is changed.
type module struct {
	settings
	path     string // of its imports
	gremlins string // the program
	folder   string // temporary, of this run
}

// openModule finds the module and builds gremlins.
func openModule(ctx context.Context, s settings) (*module, error) {
	root, err := filepath.Abs(s.root)
	if err != nil {
		return nil, err
	}
	s.root = root
	m := &module{settings: s}
	name, err := m.output(ctx, root, "go", "list", "-m")
	if err != nil {
		return nil, err
	}
	// the first module of the workspace, whose path the others begin with
	m.path, _, _ = strings.Cut(name, "\n")
	if m.gremlins, err = m.output(ctx, "", "go", "tool", "-n", "gremlins"); err != nil {
		return nil, err
	}
	m.folder, err = os.MkdirTemp("", "mutants-")
	return m, err
}

func (m *module) close() { os.RemoveAll(m.folder) }

// output returns what a command prints, without the space around it. Its error has what the command
// said.
func (m *module) output(ctx context.Context, folder, name string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = folder
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err,
			said.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

// listedMutant is one row of gremlins' list.
type listedMutant struct {
	Type   string `json:"type"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// list is the part of gremlins' output that says which mutants there are.
type list struct {
	Files []struct {
		Name      string         `json:"file_name"`
		Mutations []listedMutant `json:"mutations"`
	} `json:"files"`
}

// kinds turns on the kinds of mutants that gremlins leaves out by default.
var kinds = []string{
	"--invert-assignments", "--invert-bitwise", "--invert-bwassign", "--invert-logical",
	"--invert-loopctrl",
	"--remove-self-assignments",
}

// mutants returns all mutants of a room, as gremlins lists them in a dry run. Generated files have
// none.
//
// A dry run begins with the coverage of all tests, which only says what the tests show anyway: a
// mutant that no test reaches survives. The flags save the time: no test runs, and no package is
// instrumented or vetted.
func (m *module) mutants(ctx context.Context, r room) ([]mutant, error) {
	target := filepath.Join(m.folder, r.name+".json")
	args := append([]string{"unleash", "--silent", "--dry-run", "--workers", "1", "--output",
		target,
		"--exclude-files", `\.gen\.go$`}, kinds...)
	module, folder := moduleOf(m.root, r.folder)
	command := exec.CommandContext(ctx, m.gremlins, append(args, "./"+folder)...)
	command.Dir = module
	command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+
		" -run=^$ -vet=off -coverpkg=example.invalid/none")
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gremlins: %w\n%s", err, out)
	}
	data, err := os.ReadFile(target)
	if err != nil {
		return nil, err
	}
	var listed list
	if err := json.Unmarshal(data, &listed); err != nil {
		return nil, fmt.Errorf("gremlins: %w", err)
	}
	return m.resolve(r, listed)
}

// moduleOf returns the folder of the module that a folder below root is in, and the folder below
// that: gremlins finds nothing in another module of the workspace.
func moduleOf(root, folder string) (module, rest string) {
	for at := folder; at != "."; at = path.Dir(at) {
		if _, err := os.Stat(filepath.Join(root, at, "go.mod")); err == nil {
			return filepath.Join(root, at), strings.TrimPrefix(folder, at+"/")
		}
	}
	return root, folder
}

// resolve returns the mutants that a list names, without the rooms inside r.
func (m *module) resolve(r room, listed list) ([]mutant, error) {
	var mutants []mutant
	for _, file := range listed.Files {
		name := path.Join(r.folder, filepath.ToSlash(file.Name))
		// packages of that name are for tests
		if !r.has(name) || strings.HasSuffix(path.Dir(name), "test") {
			continue
		}
		of, err := mutantsOf(m.root, name, file.Mutations)
		if err != nil {
			return nil, err
		}
		mutants = append(mutants, of...)
	}
	return mutants, nil
}
