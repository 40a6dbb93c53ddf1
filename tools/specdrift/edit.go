package main

import (
	"regexp"
	"slices"
	"strings"
)

// edits are additions to a text. The other text does not change.
type edits struct {
	lines  []string
	inline map[int][]insertion // into a line, by its number from 1
	behind map[int][]insertion // whole lines after a line
}

// insertion is a text to insert before the rune at an offset in a line, or lines with a given
// indent.
type insertion struct {
	offset int
	text   string
}

func newEdits(text []byte) edits {
	return edits{lines: strings.Split(string(text), "\n"), inline: map[int][]insertion{},
		behind: map[int][]insertion{}}
}

func (e *edits) isEmpty() bool { return len(e.inline)+len(e.behind) == 0 }

// addMember adds a member to a mapping, in block style. It comes after the nearest member that it
// follows, or else at the end.
func (e *edits) addMember(mapping *value, follows []string, added entry) {
	if mapping.isFlow() {
		e.insert(mapping.Line, mapping.Column, " "+added.flow()+",")
		return
	}
	keys := make([]string, len(mapping.members))
	for i, m := range mapping.members {
		keys[i] = m.key.Value
	}
	key := mapping.members[position(keys, follows)].key
	end := e.end(key.Line, key.Column-1, true)
	lines := added.lines(strings.Repeat(" ", key.Column-1))
	e.behind[end] = append(e.behind[end], insertion{key.Column - 1, strings.Join(lines, "\n")})
}

// addItem adds a scalar to a non-empty list. It comes after the nearest item that it follows, or
// else at the end.
func (e *edits) addItem(list *value, follows []string, text string) {
	texts := make([]string, len(list.items))
	for i, item := range list.items {
		texts[i] = item.Value
	}
	item := list.items[position(texts, follows)]
	if list.isFlow() {
		rest := []rune(e.lines[item.Line-1])[item.Column-1:]
		length := len([]rune(flowScalar.FindString(string(rest))))
		e.insert(item.Line, item.Column-1+length, ", "+quote(text))
		return
	}
	line := e.lines[item.Line-1]
	indent := line[:depth(line)]
	end := e.end(item.Line, len(indent), false)
	e.behind[end] = append(e.behind[end], insertion{len(indent), indent + "- " + quote(text)})
}

// position returns the index of the first wanted name in names, or the last index.
func position(names, wanted []string) int {
	for _, w := range wanted {
		if i := slices.Index(names, w); i >= 0 {
			return i
		}
	}
	return len(names) - 1
}

func (e *edits) insert(line, offset int, text string) {
	e.inline[line] = append(e.inline[line], insertion{offset, text})
}

// end returns the last line of the node that begins on a line with an indent. The node has all
// lines that are indented more. For a member of a mapping, it also has the items of a list at the
// same indent.
func (e *edits) end(line, indent int, isMember bool) int {
	end := line
	for i := line; i < len(e.lines); i++ {
		content := strings.TrimSpace(e.lines[i])
		if content == "" {
			continue
		}
		inside := depth(e.lines[i]) > indent ||
			isMember && depth(e.lines[i]) == indent && strings.HasPrefix(content, "- ")
		if !inside {
			break
		}
		end = i + 1
	}
	return end
}

func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// flowScalar matches a scalar at the beginning of the rest of a line in flow style.
var flowScalar = regexp.MustCompile(`^("(\\.|[^"\\])*"|'(''|[^'])*'|[^],]*[^], ])`)

// apply returns the text with the additions. If several additions end on one line, the innermost
// comes first.
func (e *edits) apply() []byte {
	var out []string
	for i, line := range e.lines {
		runes := []rune(line)
		slices.SortStableFunc(e.inline[i+1],
			func(a, b insertion) int { return a.offset - b.offset })
		for _, in := range slices.Backward(e.inline[i+1]) {
			runes = slices.Insert(runes, in.offset, []rune(in.text)...)
		}
		out = append(out, string(runes))
		slices.SortStableFunc(e.behind[i+1],
			func(a, b insertion) int { return b.offset - a.offset })
		for _, in := range e.behind[i+1] {
			out = append(out, in.text)
		}
	}
	return []byte(strings.Join(out, "\n"))
}
