package gateway

import (
	"slices"
	"testing"
)

func TestTheNameAndThenTheLongestPatternNamesTheModel(t *testing.T) {
	t.Parallel()
	table := aliasTable{"gemini-*": "a", "gemini-*-flash": "b", "gemini-3.8-flash": "c", "gpt-4o": "d",
		"*mini": "e", "claude-*-4-*": "f", "x*": "1", "*x": "2"}
	for name, want := range map[string]string{
		"gemini-2.5-pro": "a", "gemini-": "a", "gemini-3.6-flash": "b", "gemini-3.8-flash": "c",
		"gpt-4o": "d", "gpt-4o-mini": "e", "mini": "e", "claude-opus-4-1": "f",
		"gpt-5": "", "gem": "", "claude-opus-4": "", "": "",
		"gemini-flash": "a", // both * would need the same dash
		"xx":           "2", // of equally long ones the first
	} {
		if got, isAlias := table.find(name); got != want || isAlias != (want != "") {
			t.Errorf("%q is %q, %v; want %q", name, got, isAlias, want)
		}
	}
	if got, want := table.names(), []string{"gemini-3.8-flash", "gpt-4o"}; !slices.Equal(got, want) {
		t.Errorf("the names are %q; want %q", got, want)
	}
}
