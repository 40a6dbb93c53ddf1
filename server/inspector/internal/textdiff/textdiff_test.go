package textdiff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTheDifferenceIsOfWholeWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ left, right, want string }{
		{"", "", ""},
		{"a b", "a b", "[same a b]"},
		{"a red bus", "a blue bus", "[same a ][left red ][right blue ][same bus]"},
		{"a", "a b", "[left a][right a b]"},
		{"a b c d", "a c d", "[same a ][left b ][same c d]"},
		{"", "x", "[right x]"},
		{"x y z", "z y x", "[left x ][right z ][same y ][left z][right x]"},
	} {
		got := ""
		for _, piece := range Of(test.left, test.right) {
			got += fmt.Sprintf("[%s %s]", piece.Op, piece.Text)
		}
		if got != test.want {
			t.Errorf("%q and %q: got %s, expected %s", test.left, test.right, got, test.want)
		}
	}
}

// check fails if the pieces are not both texts.
func check(t *testing.T, left, right string) {
	t.Helper()
	texts := map[Op]string{}
	for _, piece := range Of(left, right) {
		if piece.Op != Right {
			texts[Left] += piece.Text
		}
		if piece.Op != Left {
			texts[Right] += piece.Text
		}
	}
	if texts[Left] != left || texts[Right] != right {
		t.Fatalf("%q and %q: got %q and %q", left, right, texts[Left], texts[Right])
	}
}

func TestThePiecesAreBothTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString([]string{"a", "b ", " c", "\n", "d e"}[random.IntN(5)])
		}
		return b.String()
	}
	for range 3000 {
		check(t, text(), text())
	}
}

func TestTextsWithNothingInCommonAreTwoPieces(t *testing.T) {
	t.Parallel()
	left, right := strings.Repeat("a ", 100_000), strings.Repeat("b ", 100_000)
	if got := Of(left, right); len(got) != 2 || got[0].Op != Left || got[1].Op != Right {
		t.Errorf("%d pieces", len(got))
	}
	check(t, left, right)
}

func FuzzOf(f *testing.F) {
	f.Add("a b c", "a c b")
	f.Add("é\u00a0x", "\xff x")
	f.Fuzz(check)
}
