package reverse

import "strings"

// accumulated is a text of which each delta has all so far.
type accumulated struct{ text strings.Builder }

// news returns what is new in a delta.
func (a *accumulated) news(delta string) string {
	rest, isLonger := strings.CutPrefix(delta, a.text.String())
	if !isLonger {
		rest = delta
	}
	a.text.WriteString(rest)
	return rest
}
