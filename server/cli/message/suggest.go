package message

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// DidYouMean returns a question for the names that a mistyped one may stand for, "" when there is
// none. They are those that cobra would suggest if they were commands.
func DidYouMean(typed string, names []string) string {
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
		return "; did you mean " + List(meant, "or") + "?"
	}
	return ""
}

// isReordered reports whether a word has the letters of a name in another order, as --form has
// those of --from: a slip that cobra counts as two.
func isReordered(word, name string) bool {
	letters := func(text string) []byte { return slices.Sorted(slices.Values([]byte(text))) }
	return slices.Equal(letters(word), letters(name))
}

// List returns words in a row, "a, b or c" with the conjunction or.
func List[T ~string](words []T, conjunction string) string {
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
