package docreference

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandPage lists all commands with their flags, from what --help shows.
func commandPage(*testing.T) string {
	top := cli.NewCommand()
	var b strings.Builder
	b.WriteString("# Commands and flags\n\n```sh\ngemwire COMMAND --help\n```\n\n" +
		"This page has the same text for all commands. [The command](../command.md) shows the most used ones with\n" +
		"their output.\n\n" + head("command", "purpose"))
	var all []*cobra.Command
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			if below.IsAvailableCommand() && below.Name() != "help" {
				all = append(all, below)
				walk(below)
			}
		}
	}
	walk(top)
	for _, cmd := range all {
		link := fmt.Sprintf("[`%s`](#%s)", cmd.CommandPath(), strings.ReplaceAll(cmd.CommandPath(), " ", "-"))
		b.WriteString(row(link, cmd.Short))
	}
	for _, cmd := range all {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n```text\n%s\n```\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."), cmd.UseLine())
		if cmd.Long != "" {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", strings.TrimRight(cmd.Long, "\n"))
		}
		if cmd.Example != "" {
			fmt.Fprintf(&b, "\nExamples:\n\n```sh\n%s\n```\n", unindented(cmd.Example))
		}
		if cmd.Name() == "serve" && cmd.Parent() == top {
			b.WriteString("\nThe flags are the [settings of the gateway](settings.md), and these:\n")
		}
		if rows := flagRows(cmd); rows != "" {
			b.WriteString("\n" + head("flag", "default", "meaning") + rows)
		}
	}
	return b.String()
}

func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return strings.TrimRight(b.String(), "\n")
}

// flagRows returns the rows of the flags of a command. It leaves out the flags of serve that are
// settings, because these have their own page.
func flagRows(cmd *cobra.Command) string {
	isSetting := settingFlags()
	var b strings.Builder
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || cmd.Name() == "serve" && isSetting[f.Name] {
			return
		}
		takes, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		standard := f.DefValue
		if standard == "false" || standard == "[]" || standard == "0" && strings.Contains(usage, "0") {
			standard = ""
		}
		b.WriteString(row(code(strings.TrimSpace(name+" "+takes)), code(standard), usage))
	})
	return b.String()
}
