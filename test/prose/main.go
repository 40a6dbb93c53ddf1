// Command prose checks the English of the project by the rules in .vale/styles/gemwire, and that
// lines of comments and Markdown end at column 100. It reads Markdown, the comments and strings of
// Go files, and the texts of the inspector's page.
//
// Without -room it fails if a clean room has an error. The clean rooms are listed in
// .vale/clean.txt. With -room it prints each finding in that folder or file, and fails if there is
// an error.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", "../..", "root of the repository")
	flag.StringVar(&o.room, "room", "", "folder or file to check, relative to the root")
	flag.BoolVar(&o.counts, "counts", false, "print the number of findings of each room and do not fail")
	flag.BoolVar(&o.suggestions, "suggestions", false, "also print suggestions, for example long sentences")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

type options struct {
	root        string
	room        string
	counts      bool
	suggestions bool
}

var errFound = errors.New("the prose has errors; see .vale/styles/gemwire for the rules")

func run(out io.Writer, o options) error {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	var rooms []string
	level := levelError
	switch {
	case o.counts:
		rooms, level = []string{"."}, levelSuggestion
	case o.room != "":
		rooms, level = []string{path.Clean(o.room)}, levelWarning
		if _, err := os.Stat(filepath.Join(root, rooms[0])); err != nil {
			return fmt.Errorf("the room %q does not exist", rooms[0])
		}
	default:
		if rooms, err = readClean(root); err != nil {
			return err
		}
	}
	if o.suggestions {
		level = levelSuggestion
	}
	found, err := check(root, rooms, level)
	if err != nil {
		return err
	}
	if o.counts {
		return printCounts(out, found)
	}
	failed := false
	for _, f := range found {
		fmt.Fprintf(out, "%s:%d: %s: %s (%s)\n", f.Path, f.Line, f.Severity, f.Message, f.Rule)
		failed = failed || f.Severity == levelError
	}
	if failed {
		return errFound
	}
	return nil
}

// check returns the findings of the files in rooms that have at least the given level, in their
// order.
func check(root string, rooms []string, level string) ([]finding, error) {
	files, err := sources(root)
	if err != nil {
		return nil, err
	}
	var documents []*document
	var found []finding
	for _, f := range files {
		if !within(f, rooms) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f)))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and still in the index of git
		}
		if err != nil {
			return nil, err
		}
		d, err := read(f, content)
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		documents = append(documents, d)
		found = append(found, longLines(f, content)...)
	}
	if len(documents) == 0 {
		return nil, nil
	}
	module := filepath.Join(root, "test", "prose")
	alerts, err := runVale(module, filepath.Join(root, ".vale.ini"), level, documents)
	if err != nil {
		return nil, err
	}
	found = append(found, alerts...)
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Match, b.Match))
	})
	return found, nil
}

// read returns the prose of a file, or nil if the file has none.
func read(file string, content []byte) (*document, error) {
	switch path.Ext(file) {
	case ".go":
		return goFile(file, content)
	case ".md":
		return markdown(file, content), nil
	case ".html":
		return htmlFile(file, content), nil
	default:
		return script(file, content), nil
	}
}

// printCounts prints a table of the findings of each room.
func printCounts(out io.Writer, found []finding) error {
	type counts struct{ errors, warnings, suggestions, long int }
	byRoom := map[string]*counts{}
	total := &counts{}
	for _, f := range found {
		room := roomOf(f.Path)
		if byRoom[room] == nil {
			byRoom[room] = &counts{}
		}
		for _, c := range []*counts{byRoom[room], total} {
			switch {
			case f.Rule == "gemwire.LineLength":
				c.long++
			case f.Severity == levelError:
				c.errors++
			case f.Severity == levelWarning:
				c.warnings++
			default:
				c.suggestions++
			}
		}
	}
	var rooms []string
	for room := range byRoom {
		rooms = append(rooms, room)
	}
	slices.Sort(rooms)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "errors\twarnings\tlong sentences\tlong lines\t")
	row := func(c *counts, name string) {
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t  %s\n", c.errors, c.warnings, c.suggestions, c.long, name)
	}
	for _, room := range rooms {
		row(byRoom[room], room)
	}
	row(total, "total")
	return table.Flush()
}
