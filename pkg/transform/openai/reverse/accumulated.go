package reverse

import "strings"

// accumulated is a text of which each delta has all so far.
type accumulated string

// news returns what is new in a delta.
func (a *accumulated) news(delta string) string {
	if rest, isLonger := strings.CutPrefix(delta, string(*a)); isLonger {
		*a = accumulated(delta)
		return rest
	}
	*a += accumulated(delta)
	return delta
}
