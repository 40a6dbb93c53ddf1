package cassette

import "strings"

// The limits of a difference in a report.
const (
	// longestDifference is in bytes.
	longestDifference = 4_000
	// largestTable is the maximum number of pairs of lines that are compared. Longer texts are
	// shown as replaced.
	largestTable = 1_000_000
	// linesAround is the number of equal lines shown before and after a change.
	linesAround = 3
)

// difference shows the lines that differ between a recorded request (-) and another request (+).
func (q Request) difference(other Request) string {
	text := strings.Join(hunks(changes(q.lines(), other.lines())), "\n")
	if len(text) > longestDifference {
		text = strings.ToValidUTF8(text[:longestDifference], "") + "\n... and more"
	}
	return text
}

// lines are the compared lines of a request.
func (q Request) lines() []string {
	body := strings.TrimSuffix(string(q.Body.sorted()), "\n")
	return append([]string{q.Method + " " + q.URL}, strings.Split(body, "\n")...)
}

// changes returns all lines of two texts. "-" marks lines of a, "+" lines of b, and a space lines
// of both.
func changes(a, b []string) []string {
	var out []string
	add := func(mark string, lines []string) {
		for _, line := range lines {
			out = append(out, mark+" "+line)
		}
	}
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	add(" ", a[:first])
	tail := a[len(a)-last:]
	a, b = a[first:len(a)-last], b[first:len(b)-last]
	if len(a)*len(b) <= largestTable {
		common := commonLengths(a, b)
		for len(a) > 0 && len(b) > 0 {
			i, j := len(common)-1-len(a), len(common[0])-1-len(b)
			switch {
			case a[0] == b[0]:
				add(" ", a[:1])
				a, b = a[1:], b[1:]
			case common[i+1][j] >= common[i][j+1]:
				add("-", a[:1])
				a = a[1:]
			default:
				add("+", b[:1])
				b = b[1:]
			}
		}
	}
	add("-", a)
	add("+", b)
	add(" ", tail)
	return out
}

// commonLengths returns at [i][j] the length of the longest common subsequence of a[i:] and b[j:].
func commonLengths(a, b []string) [][]int {
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	return lengths
}

// hunks omits equal lines that are far from a change.
func hunks(lines []string) []string {
	near := make([]bool, len(lines))
	for i, line := range lines {
		if line[0] == ' ' {
			continue
		}
		for j := max(0, i-linesAround); j <= min(len(lines)-1, i+linesAround); j++ {
			near[j] = true
		}
	}
	var out []string
	for i, line := range lines {
		if near[i] {
			out = append(out, line)
		} else if i == 0 || near[i-1] {
			out = append(out, "  ...")
		}
	}
	return out
}
