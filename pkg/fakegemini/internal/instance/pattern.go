package instance

import (
	"regexp/syntax"
	"strings"
)

// generate returns a short text that should match a regular expression. It repeats unlimited and
// optional parts the given number of times.
func generate(pattern string, repeat int) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	write(&b, tree, repeat)
	return b.String()
}

func write(b *strings.Builder, tree *syntax.Regexp, repeat int) {
	switch tree.Op {
	case syntax.OpLiteral:
		b.WriteString(string(tree.Rune))
	case syntax.OpCharClass:
		b.WriteRune(member(tree.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpCapture:
		write(b, tree.Sub[0], repeat)
	case syntax.OpStar, syntax.OpQuest:
		writeTimes(b, tree.Sub[0], repeat, atMost(repeat, tree.Op == syntax.OpQuest))
	case syntax.OpPlus:
		writeTimes(b, tree.Sub[0], repeat, max(1, repeat))
	case syntax.OpRepeat:
		times := max(tree.Min, repeat)
		if tree.Max >= 0 {
			times = min(times, tree.Max)
		}
		writeTimes(b, tree.Sub[0], repeat, times)
	case syntax.OpConcat:
		for _, sub := range tree.Sub {
			write(b, sub, repeat)
		}
	case syntax.OpAlternate:
		write(b, tree.Sub[0], repeat)
	}
}

func atMost(repeat int, one bool) int {
	if one {
		return min(repeat, 1)
	}
	return repeat
}

func writeTimes(b *strings.Builder, tree *syntax.Regexp, repeat, times int) {
	for range min(times, 1000) {
		write(b, tree, repeat)
	}
}

// member returns a character of a class, which is a list of ranges. It prefers a letter or digit.
func member(class []rune) rune {
	for _, plain := range "a0A" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= plain && plain <= class[i+1] {
				return plain
			}
		}
	}
	if len(class) == 0 {
		return 'x'
	}
	return class[0]
}
