package jsonx_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/jsonx"
)

func TestATextIsThatOfItsPieces(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"a", "äö", "日本語🗼", strings.Repeat("word ", 40),
		strings.Repeat("é", 1000)} {
		for _, count := range []int{0, 1, 2, 3, 50, 700} {
			var text jsonx.PiecedText
			for range count {
				text.Add(piece)
				text.Add("")
			}
			want := strings.Repeat(piece, count)
			if text.String() != want || text.Len() != len(want) {
				t.Errorf("%d times %.10q: %d bytes, want %d", count, piece, text.Len(), len(want))
			}
			for _, pieces := range []int{0, 1, count / 2, count - 1, count} {
				at := max(min(pieces, count), 0) * len(piece)
				if got := text.From(at); got != want[at:] {
					t.Errorf("%d times %.10q: from %d there are %d bytes, want %d", count, piece,
						at, len(got), len(want)-at)
				}
				if got := text.RunesBefore(at); got != utf8.RuneCountInString(want[:at]) {
					t.Errorf("%d times %.10q: %d characters before %d, want %d", count, piece, got,
						at, utf8.RuneCountInString(want[:at]))
				}
			}
		}
	}
}

func TestAnEmptyFirstPieceIsIgnored(t *testing.T) {
	t.Parallel()
	var text jsonx.PiecedText
	for _, piece := range []string{"", "a", "", "b"} {
		text.Add(piece)
	}
	if text.String() != "ab" || text.From(1) != "b" || text.From(2) != "" {
		t.Errorf("%q", text.String())
	}
}

func FuzzText(f *testing.F) {
	f.Add("a few words, äö", 3, 5)
	f.Fuzz(func(t *testing.T, whole string, size, start int) {
		if size < 1 || start < 0 || start > len(whole) {
			return
		}
		var text jsonx.PiecedText
		for rest := whole; rest != ""; {
			n := min(size, len(rest))
			text.Add(rest[:n])
			rest = rest[n:]
		}
		if text.String() != whole || text.From(start) != whole[start:] {
			t.Errorf("%q from %d: %q", whole, start, text.From(start))
		}
		if atRune := start == len(whole) ||
			utf8.RuneStart(whole[start]); atRune && utf8.ValidString(whole) &&
			text.RunesBefore(start) != utf8.RuneCountInString(whole[:start]) {
			t.Errorf("%q: %d characters before %d", whole, text.RunesBefore(start), start)
		}
	})
}

func TestATextTakesLittleMoreThanItsBytes(t *testing.T) {
	const pieces, size = 40_000, 25
	piece := strings.Repeat("a", size)
	allocated := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			var text jsonx.PiecedText
			for range pieces {
				text.Add(piece)
			}
		}
	}).AllocedBytesPerOp()
	if most := int64(pieces * size * 5 / 4); allocated > most {
		t.Errorf("%d bytes allocated for %d", allocated, pieces*size)
	}
}
