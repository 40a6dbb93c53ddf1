package paging_test

import (
	"strconv"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/internal/paging"
)

func TestATokenIsSaidToRepeatWhenItDoes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ tail, circle, noticed int }{
		"the same again":       {0, 1, 2},
		"two in turns":         {0, 2, 3},
		"after other pages":    {7, 3, 11},
		"as many as are known": {0, 256, 257},
	} {
		if got := firstRepetition(tt.tail, tt.circle, 1000); got != tt.noticed {
			t.Errorf("%s: at token %d, want %d", name, got, tt.noticed)
		}
	}
	for _, circle := range []int{257, 1000, 10_000} {
		if got := firstRepetition(300, circle, 4*(300+circle)); got == 0 {
			t.Errorf("a circle of %d is never noticed", circle)
		}
	}
}

func TestDifferentTokensDoNotRepeat(t *testing.T) {
	t.Parallel()
	if got := firstRepetition(100_000, 1, 100_000); got != 0 {
		t.Errorf("at token %d", got)
	}
}

// firstRepetition returns the ordinal of the first repeated token, in a list that begins with a
// number of unique tokens and then enters a cycle. It returns 0 if none repeats up to a limit.
func firstRepetition(tail, circle, limit int) int {
	var tokens paging.Tokens
	for i := range limit {
		page := i
		if i > tail {
			page = tail + (i-tail)%circle
		}
		if tokens.Repeats(strconv.Itoa(page)) {
			return i + 1
		}
	}
	return 0
}
