// Command manpages writes the manual pages of gemwire and its completions for shells.
//
//	go run ./tools/manpages DIR
//
// DIR gets the folders that /usr/local/share has: man/man1, bash-completion/completions,
// zsh/site-functions and fish/vendor_completions.d. The pages say what --help says. Their date is
// SOURCE_DATE_EPOCH, if it is set, and today else. The exit code is 1 when something cannot be
// written, 2 when the arguments are wrong.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/gemwire/gemwire/server/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manpages DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

// write writes all files below a folder.
func write(dir string) error {
	root := cli.NewCommand()
	completions := []struct {
		file  string
		write func(file string) error
	}{
		{"bash-completion/completions/gemwire",
			func(file string) error { return root.GenBashCompletionFileV2(file, true) }},
		{"zsh/site-functions/_gemwire", root.GenZshCompletionFile},
		{"fish/vendor_completions.d/gemwire.fish",
			func(file string) error { return root.GenFishCompletionFile(file, true) }},
	}
	for _, c := range completions {
		file := filepath.Join(dir, filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := c.write(file); err != nil {
			return err
		}
	}
	pages := filepath.Join(dir, "man", "man1")
	if err := os.MkdirAll(pages, 0o777); err != nil {
		return err
	}
	asMarkdown(root)
	return doc.GenManTree(root, &doc.GenManHeader{Source: "gemwire", Manual: "gemwire"}, pages)
}

// asMarkdown converts the help texts of a command and its subcommands to Markdown for the pages.
// Indented lines keep their form.
func asMarkdown(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	cmd.Long = keepIndented(cmd.Long)
	for _, below := range cmd.Commands() {
		asMarkdown(below)
	}
}

// keepIndented puts paragraphs of indented lines into code blocks.
func keepIndented(text string) string {
	var b strings.Builder
	wasIndented := false
	for line := range strings.Lines(text) {
		isIndented := strings.HasPrefix(line, "  ")
		switch {
		case isIndented && !wasIndented:
			b.WriteString("\n```\n")
		case wasIndented && !isIndented:
			b.WriteString("```\n\n")
		}
		b.WriteString(line)
		wasIndented = isIndented
	}
	if wasIndented {
		b.WriteString("\n```\n")
	}
	return b.String()
}
