package gateway

import (
	"maps"
	"slices"
	"strings"
)

// aliasTable has the models of the upstream by their other names. A name with * is a pattern, where
// * stands for any text.
type aliasTable map[string]string

const anyText = "*"

// find returns the model that a name stands for. The name itself precedes patterns, and a longer
// pattern precedes a shorter one.
func (t aliasTable) find(name string) (model string, isAlias bool) {
	if model, isAlias = t[name]; isAlias {
		return model, true
	}
	best := ""
	for pattern, named := range t {
		if !matches(pattern, name) {
			continue
		}
		if longer := len(pattern) - len(best); longer > 0 || longer == 0 && pattern < best {
			best, model, isAlias = pattern, named, true
		}
	}
	return model, isAlias
}

// matches reports whether a name matches a pattern. A name without * is no pattern.
func matches(pattern, name string) bool {
	pieces := strings.Split(pattern, anyText)
	if len(pieces) == 1 || !strings.HasPrefix(name, pieces[0]) {
		return false
	}
	rest, last := name[len(pieces[0]):], pieces[len(pieces)-1]
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(rest, piece)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}

// names returns the sorted aliases without patterns.
func (t aliasTable) names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(t)),
		func(name string) bool { return strings.Contains(name, anyText) })
}
