package refusal

import (
	"regexp"
	"strings"
	"testing"
)

// Each row has one message, with known placeholders, and no earlier row hides it.
func TestWordings(t *testing.T) {
	t.Parallel()
	placeholder := regexp.MustCompile(`\{[a-z]+\}`)
	known := []string{"{value}", "{name}", "{field}", "{call}", "{content}", "{model}", "{lowest}",
		"{highest}", "{above}"}
	for i, w := range wordings {
		said := 0
		for _, is := range []bool{w.reader != nil, w.field != "", w.whole != ""} {
			if is {
				said++
			}
		}
		if said != 1 {
			t.Errorf("row %d (%s at %q) says %d things", i, w.rule, w.at, said)
		}
		for _, found := range placeholder.FindAllString(w.field+w.whole, -1) {
			if !strings.Contains(strings.Join(known, " "), found) {
				t.Errorf("row %d (%s at %q) has the unknown placeholder %s", i, w.rule, w.at, found)
			}
		}
		for j, before := range wordings[:i] {
			if before.rule == w.rule && before.when == nil && before.backend == 0 &&
				(before.at == "" || before.at == w.at || strings.HasSuffix(w.at, "."+before.at)) {
				t.Errorf("row %d (%s at %q) is hidden by row %d", i, w.rule, w.at, j)
			}
		}
	}
}
