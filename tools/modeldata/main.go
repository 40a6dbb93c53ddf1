// Command modeldata generates Go tables from the facts about Google's models in models.yaml, and
// reports facts that must be checked again.
//
//	go run ./tools/modeldata generate pkg/gemini/models/models.yaml pkg/gemini/models/tables.gen.go
//	go run ./tools/modeldata check pkg/gemini/models/models.yaml
//
// The head of models.yaml says what a row is. generate fails with the line of a row that names an
// unknown model, source or fact, or that contradicts another row.
//
// check fails when a row was checked more than 90 days ago. With an API key in GEMINI_API_KEY it
// also asks the Gemini API for its models, and fails when the list has a model that the file does
// not have. GEMINI_BASE_URL is another address of the API.
//
// The exit code is 1 for these failures, and 2 when the arguments are wrong.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `usage: modeldata generate FACTS.yaml TABLES.go
       modeldata check FACTS.yaml`

func run(args []string, out, errOut io.Writer) int {
	var err error
	switch {
	case len(args) == 3 && args[0] == "generate":
		err = generate(args[1], args[2])
	case len(args) == 2 && args[0] == "check":
		err = check(context.Background(), args[1], time.Now(), os.Getenv, out)
	default:
		fmt.Fprintln(errOut, usage)
		return 2
	}
	if err != nil {
		fmt.Fprintln(errOut, "modeldata:", err)
		return 1
	}
	return 0
}

// generate writes the tables, unless they are up to date.
func generate(from, to string) error {
	facts, err := readFile(from)
	if err != nil {
		return err
	}
	source, err := tables(facts)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, source) {
		return nil
	}
	return os.WriteFile(to, source, 0o644)
}
