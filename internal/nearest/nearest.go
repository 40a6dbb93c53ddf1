// Package nearest finds the known name that is most similar to a mistyped name, for suggestions in
// errors.
package nearest

import "strings"

// Name returns the name that differs from a mistyped name in the fewest letters. It returns "" if
// every name differs in more than a third of the mistyped letters.
func Name(typed string, names []string) string { return Within(len(typed)/3, typed, names) }

// Within returns the name that differs from a mistyped name in the fewest letters. It returns "" if
// every name differs in more than most letters. If several names are equally near, it returns the
// first.
func Within(most int, typed string, names []string) string {
	typed = strings.ToLower(typed)
	nearest, least := "", most+1
	for _, name := range names {
		lower := strings.ToLower(name)
		// each additional or missing letter is a difference
		if max(len(lower)-len(typed), len(typed)-len(lower)) >= least {
			continue
		}
		if d := distance(typed, lower); d < least {
			nearest, least = name, d
		}
	}
	return nearest
}

// distance returns the number of letters to insert, delete, change or swap with the next letter, to
// turn one text into the other.
func distance(a, b string) int {
	previous, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	before := make([]int, len(b)+1)
	for i := 1; i <= len(a); i++ {
		before, previous, row = previous, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := previous[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(previous[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
