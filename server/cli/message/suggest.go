package message

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// DidYouMean returns a question with the names that are similar to a mistyped one, or "". They are
// the names that cobra would suggest for commands.
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

// isReordered reports whether a word has the letters of a name in another order, such as --form for
// --from. Cobra counts such a slip as two.
func isReordered(word, name string) bool {
	letters := func(text string) []byte { return slices.Sorted(slices.Values([]byte(text))) }
	return slices.Equal(letters(word), letters(name))
}

// List joins words as "a, b or c", where or is the conjunction.
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
