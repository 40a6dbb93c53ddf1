package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean returns a question for the names that a mistyped one may stand for, "" when there is none. They are
// those that cobra would suggest if they were commands.
func didYouMean(typed string, names []string) string {
	known := &cobra.Command{SuggestionsMinimumDistance: 2}
	if len(strings.TrimLeft(typed, "-")) < 5 {
		known.SuggestionsMinimumDistance = 1
	}
	for _, name := range names {
		known.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	meant := known.SuggestionsFor(typed)
	for _, name := range names {
		if isReordered(typed, name) && !slices.Contains(meant, name) {
			meant = append(meant, name)
		}
	}
	if typed != "" && len(meant) > 0 {
		return "; did you mean " + list(meant, "or") + "?"
	}
	return ""
}

// isReordered reports whether a word has the letters of a name in another order, as --form has those of --from: a
// slip that cobra counts as two.
func isReordered(word, name string) bool {
	letters := func(text string) []byte { return slices.Sorted(slices.Values([]byte(text))) }
	return slices.Equal(letters(word), letters(name))
}

// list returns words in a row, "a, b or c" with the conjunction or.
func list[T ~string](words []T, conjunction string) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " " + conjunction + " " + texts[last]
}

// noCommand is the error of a call whose first word is no command of root.
func noCommand(root *cobra.Command, args []string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" {
			names = append(names, c.Name())
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("a command is missing: %s", list(names, "or"))
	}
	return fmt.Errorf("unknown command %q%s", args[0], didYouMean(args[0], names))
}

// explainFlag says more of an error about a flag than the library does, and nothing of how it reads numbers.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		slices.Sort(names)
		return fmt.Errorf("%w%s", err, didYouMean("--"+unknown.GetSpecifiedName(), names))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		want := "must be " + map[string]string{"int64": "a whole number", "bool": "true or false"}[invalid.GetFlag().Value.Type()]
		return fmt.Errorf("invalid argument %q for %q flag: %s", invalid.GetValue(), "--"+invalid.GetFlag().Name, want)
	}
	return err
}
