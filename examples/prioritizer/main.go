package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"

	"github.com/gemwire/gemwire/pkg/structured"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "prioritizer:", err)
		os.Exit(1)
	}
}

//go:embed features/*.md
var sample embed.FS

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("prioritizer", flag.ContinueOnError)
	flags.SetOutput(stderr)
	model := flags.String("m", "gemini-3.6-flash", "the `model`")
	top := flags.Int("n", defaultTopN, "how many `features` to recommend")
	why := flags.Bool("why", false, "ask for an analysis")
	if err := flags.Parse(args); err != nil {
		return err
	}
	prds, err := features(flags.Args())
	if err != nil {
		return err
	}
	client, closeClient, err := newClient(stderr)
	if err != nil {
		return err
	}
	defer closeClient()
	agent := &Gemini{Client: client, Model: *model, OnTry: func(try structured.Try) {
		if try.Err != nil {
			fmt.Fprintf(stderr, "answer %d: %v\n", try.Number, try.Err)
		}
	}}
	result, err := Prioritize(ctx, agent, prds, nil,
		PrioritizeOptions{TopN: *top, ShowReason: *why})
	if err != nil {
		return err
	}
	return print(stdout, result)
}

// features reads the documents in files, or those that the program has with it.
func features(names []string) ([]PRD, error) {
	if len(names) > 0 {
		return readPRDs(os.ReadFile, names)
	}
	names, err := fs.Glob(sample, "features/*.md")
	if err != nil {
		return nil, err
	}
	return readPRDs(sample.ReadFile, names)
}

// print writes the recommendations, one a line.
func print(w io.Writer, result *PriorityResult) error {
	for _, r := range result.Recommendations {
		if _, err := fmt.Fprintf(w, "%d. %s (%s): %s\n", r.Priority, r.Title, r.PRDID,
			r.Reasoning); err != nil {
			return err
		}
	}
	if result.Analysis == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s\n", result.Analysis)
	return err
}
